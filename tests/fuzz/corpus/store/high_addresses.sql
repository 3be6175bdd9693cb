UPDATE symbol SET start = -start; UPDATE line SET start = -start; UPDATE code SET start = -1													
