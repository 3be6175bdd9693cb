DELETE FROM configuration;
