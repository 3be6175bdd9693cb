            .if 1 / 0
            nonsense
            .else
            nonsense
            .endif
            .error "stop here"
            done
