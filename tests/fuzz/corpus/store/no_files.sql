DELETE FROM file							
