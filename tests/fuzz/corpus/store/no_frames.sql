DELETE FROM frame				
