            .base   t = 0
            .slot   t[16] { sum : , most : 32 }
            .slot   t[16] { sum 32 }
            done
