UPDATE epoch_event SET scale_least = 'x', total = x'00'; UPDATE event SET source = x'ff'													
