; keys
            .base rows = 0
.slot rows[8] {
    key : pc
    key : hex
}
.slot rows[8] {
    key : count
}
            nop | done
