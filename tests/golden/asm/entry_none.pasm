nop | done
