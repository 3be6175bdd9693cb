DROP TABLE epoch_stack; CREATE TABLE epoch_stack (epoch_event, frame, value AS (length(randomblob(90000))), estimate)							
