; lines that end in carriage return and line feed
            .const one = 1
            .filter class load
            .entry load go
go:         mov one -> v0
            done
