            .index a, width 17
            .index b, width 0
            .index c, wdth 3
            .index d, saturate 3
            .index e, width
            .index f, saturate, width 4
            .index g, gate, window
            .index h, window, gate
            done
