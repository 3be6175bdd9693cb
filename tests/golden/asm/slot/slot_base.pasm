; a slot at an unknown base
            .base rows = 0
.slot row[4] {
}
            nop | done
