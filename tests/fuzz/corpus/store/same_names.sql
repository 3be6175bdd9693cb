UPDATE event SET name = 'e' || char(id), by = 'b' || char(127 + id), source = 'time';									
