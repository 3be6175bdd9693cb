# gdb's words: each does what the command of this debugger does.
. "$here"/common.sh
debug <<'END'
info
info nothing
info display now
info source far
break newcomer
continue
info breakpoints
i b
info registers
info registers slot free
info registers nonsuch
info locals
info args
info line
stepi
si 2
reverse-step
rs
reverse-next
nexti
reverse-finish
reverse-continue
rc
present
disassemble look 2
bt
backtrace
print/x 1000
p/d -1
p/u -1
p/t 10
p/t 0
p/o 8
p/q 8
p/x
print /x now
display/x now
display
undisplay
x/4 0
shell echo said; echo complained >&2; exit 3
! kill -9 $$
shell cat
shell
b :18
b newcomer
delete 1 3
info breakpoints
d x
help rstep
help reverse-step
reverse-
exit
END
pcasm -o guest.pc taken.pasm
pcemu --core inorder --program guest.pc -o report -x - "$build/tests/terminal/forever" <<'END' 2>&1 | sed 's/0x[0-9a-f]\{1,\}/X/g; s/+X/+N/; s/^position .*/POSITION/; s/^\(  X\).*/\1 ELEMENTS/
    s/^\(\$[a-z0-9]* = \).*/\1N/'
break main
break turn_round_and_round+2
break guest nothing+4
break guest turn_round_and_round+x
break guest turn_round_and_round+99999999999999999999
break guest
break guest turn_round_and_round+2
tbreak guest turn_round_and_round if $a0 == 1
x/2i &turn_round_and_round
x/4xw $sp
x/3a $sp
x/9bd &turn_round_and_round
x/4q 0
x 8
x/0x 8
x
info registers a0
info registers pc nonsuch
continue
info breakpoints
quit
END
