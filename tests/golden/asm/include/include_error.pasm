            .include "inc/outer.inc"
            done
