; nine members, five slots
            .base rows = 0
.slot rows[8] {
    m_0 : 8
    m_1 : 8
    m_2 : 8
    m_3 : 8
    m_4 : 8
    m_5 : 8
    m_6 : 8
    m_7 : 8
    m_8 : b0
}
.slot rows[1] {
}
.slot rows[1] {
}
.slot rows[1] {
}
.slot rows[1] {
}
            nop | done
