UPDATE epoch SET name = 'a b' || char(10);						
