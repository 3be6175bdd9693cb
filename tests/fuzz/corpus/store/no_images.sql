DELETE FROM image												
