            .const x = 0
            .base  x = 0
            .index i1
            .index i1
            .value y = v1
            .value z = v1
            .value w = c1
            done
