            .const  n = N
            done
