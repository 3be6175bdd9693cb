            .indx a
            .equal N = 1
            .foobarbaz
            done
