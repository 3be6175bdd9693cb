UPDATE symbol SET name = char(27, 10); UPDATE event SET name = char(27, 10); UPDATE scope SET name = char(10)					
