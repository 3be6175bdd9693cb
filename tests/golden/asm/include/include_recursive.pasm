            .include "inc/loop.inc"
            done
