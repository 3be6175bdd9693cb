# guest: mix
# options: --no-program --stop-at square
# cores: functional
# The place of --stop-at ends a run that is recorded, and one instruction by instruction.
break main
continue
monitor record
watch total
continue
