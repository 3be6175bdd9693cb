.equ N = GIVEN
.if N == 3 && log2(8) == 3
.include "x"
.elif 1 ? 2 : 3
.error "no"
.else
.endif
.ifdef N
done
.endif
