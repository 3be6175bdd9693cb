UPDATE run SET epoch = 99;	
