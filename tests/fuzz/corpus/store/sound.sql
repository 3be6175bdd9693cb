SELECT 1													
