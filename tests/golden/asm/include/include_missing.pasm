            .include "inc/none.inc"
            .include "inc"
            .include ""
            done
