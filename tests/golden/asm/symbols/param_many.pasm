; errors: more parameters than an image holds
            .param  p1 = 1
            .param  p2 = 2
            .param  p3 = 3
            .param  p4 = 4
            .param  p5 = 5
            .param  p6 = 6
            .param  p7 = 7
            .param  p8 = 8
            .param  p9 = 9
            .param  p10 = 10
            .param  p11 = 11
            .param  p12 = 12
            .param  p13 = 13
            .param  p14 = 14
            .param  p15 = 15
            .param  p16 = 16
            .param  p17 = 17
            .param  p18 = 18
            done
