UPDATE sample SET image = 268435455; UPDATE epoch_sample SET image = 268435455															
