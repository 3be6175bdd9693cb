# Commands that would do nothing, or wait for ever, and what is at the end of a journey.
. "$here"/common.sh
debug <<'END'
watch 1/0
watch slots[0].taken % 0
watch if 0
watch 2 + 3
watch look
watch slots[4].taken
watch count[64]
watch slots[4 - slot].taken
watch slots[slot].taken / slot
break look if 1/0
condition 1 slots[9].seen
condition 1 seen
continue 0
retire 0
step 0
next 0
info breakpoints
delete
break newcomer
watch slots[0].seen
continue
continue
goto 3
goto 3
goto 4
goto cycle 12
goto sample 2
goto 20
goto 20
continue
goto 3
goto 29
goto 1000
goto 3
END
echo "== where a line leads"
debug <<'END'
break :2
break taken.pasm:18 if slot == 1
tbreak :20
break :1000
END
echo "== keys as the report prints them"
debug <<'END'
watch slots[1].key
continue
slots
print slots[1].key
print/u slots[1].key
print cam[1]
print slots[1].key == 0x2000 && cam[1] == 0x1000
set slots[3].key = 0x1001
set slots[3].key = 0x200000000
set slots[3].key = 0x5000
slots 3
print cam[3]
delete
continue
END
grep '^0x' report
echo "== a key that is mixed with a member"
sed 's/key : pc, taken : 8/key : pcx, to : 32 dec, taken : 8/; s/seen : 16/seen : 16/' taken.pasm > mixed.pasm
pcasm -o mixed.pc mixed.pasm && pcemu --program mixed.pc --core samples:samples -o report -x - <<'END'
next 2
set slots[0].to = 0x30
slots 0
print slots[0].key
set slots[0].key = 0x1000
print slots[0].key
print cam[0]
END
