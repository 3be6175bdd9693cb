UPDATE epoch_event SET scale_least = 0; UPDATE series SET scale = 0, period = 1e300			
