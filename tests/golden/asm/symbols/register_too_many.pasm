            .const c_0 = 0
            .const c_1 = 1
            .const c_2 = 2
            .const c_3 = 3
            .const c_4 = 4
            done
