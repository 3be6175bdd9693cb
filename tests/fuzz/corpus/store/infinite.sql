UPDATE epoch_sample SET value = 9e999, estimate = -9e999; UPDATE sample SET value = 9e999										
