.base rows = 0
.slot rows[8] {
    a : 8
look: inc rows[i0].a
    done
