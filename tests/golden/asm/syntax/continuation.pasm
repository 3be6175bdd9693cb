            | nop
            .const c = 1
            | nop
            nop

            ; a comment may stand between
            | done
label:
            | nop
