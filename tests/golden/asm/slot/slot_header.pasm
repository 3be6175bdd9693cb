; a broken head
            .base rows = 0
.slot rows[8 {
    a : 8
}
.slot rows {
    ! : 8
}
.slot rows[8]
            nop | done
