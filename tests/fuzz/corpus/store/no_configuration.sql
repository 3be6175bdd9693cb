DELETE FROM configuration;												
