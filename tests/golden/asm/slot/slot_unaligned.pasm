; a base that is not aligned, and one too high
            .base rows = 4
            .base top = 1024
.slot rows[8] {
}
.slot top[8] {
}
            nop | done
