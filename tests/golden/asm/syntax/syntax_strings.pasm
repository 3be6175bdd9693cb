            .error "never ends
            .include "bad \q escape"
            .include 'x'
            .error "two
lines"
            done
