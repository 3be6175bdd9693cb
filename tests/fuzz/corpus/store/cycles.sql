UPDATE scope SET caller = number; UPDATE frame SET parent = 2 WHERE id > 0
