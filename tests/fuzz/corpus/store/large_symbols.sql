UPDATE symbol SET size = 1 << 62;					
