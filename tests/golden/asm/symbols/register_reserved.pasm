            .const pc32 = 0
            .base  v3 = 0
            .index zero
            .value f1
            .const a_name_that_is_longer_than_31_chars = 0
            .base  b8 = 0
            done
