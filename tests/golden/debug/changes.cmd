. "$here"/common.sh
debug <<'END'
next 4
set scratch = 0x1234
set slot = 7
set slot = 3
set taken = 2
set t0 = 64
set slots[1].taken = 200
set slots[3].key = 0x42
set slots[3].valid = 1
set high = 5
set classes[load] = 1
set masked[17] = 1
set filter2 = 1
set lfsr = 99
set widths[5] = 0x83
set taken = 1
regs
slots
sample
filters
changes
checkpoint live
patch called inc slots[slot].seen -> scratch | done
disas called
list called
inject branch pc=0x7000 taken=1 x2
buffer
set word = look
step 3
rstep 3
# a what-if
goto 2
set slots[0].seen = 77
step
where
rstep 9
checkpoint if77
continue
slots 0
rcontinue
goto end
slots 0
checkpoint
restore if77
p slots[0].seen
present
restore live
restore live
present
END
sed 's/inc     slots\[slot\].taken       | done/inc slots[slot].calls | done/' taken.pasm > other.pasm
debug <<'END'
break :16
watch slots[0].taken
continue
reload
reload nothing.pasm
reload other.pasm
breakpoints
history
where
next 2
list look
rcontinue
continue
slots
END
sed -i 's/match  /mach  /' taken.pasm
debug <<'END'
next
reload
reload A=
step
rstep
reload
END
