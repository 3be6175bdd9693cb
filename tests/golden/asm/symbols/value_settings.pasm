; errors: what can stand behind a value register
            .value  a = v1, kept
            .value  b, width 4
            .value  c, keep 1
