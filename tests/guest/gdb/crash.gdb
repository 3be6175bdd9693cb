# guest: threads
# cores: functional
# From a fault back to its cause.
handle SIGUSR1 nostop noprint pass
monitor record
continue
reverse-stepi
reverse-step
stepi
continue
backtrace
