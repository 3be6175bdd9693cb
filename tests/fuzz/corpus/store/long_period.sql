UPDATE series SET period = 1e99; UPDATE epoch_event SET period = 1e99, unplaced = 1e99													
