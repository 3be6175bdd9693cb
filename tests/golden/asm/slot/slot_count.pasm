; numbers of slots
            .base rows = 0
.slot rows[3] {
}
.slot rows[0] {
}
.slot rows[2048] {
}
            nop | done
