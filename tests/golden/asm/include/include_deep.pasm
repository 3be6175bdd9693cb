            .include "inc/deep.inc"
            done
