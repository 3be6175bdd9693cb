# Limits of the debugger, arguments at their edges, operators, and views before anything has run.
. "$here"/common.sh
dd() { i=0; while [ $i -lt "$2" ]; do printf '%s' "$1"; i=$((i + 1)); done; }
{
cat <<'END'
changes
why
core
guest
retire
goto 0
present
history
continue
print 1 || 0
print 0 || 0
print 0 || 5
print 1 && 0
print 0 && slots[0].nothing
print 3 < 2
print 2 < 3
print 3 > 2
print 2 <= 2
print 2 >= 3
print 1 == 1
print 1 != 1
print 1 << 64
print 1 << 4
print 256 >> 4
print 256 >> 64
print 7 & 3
print 4 | 3
print 5 ^ 1
print 6 / 0
print 6 % 0
print 6 / 4
print 6 % 4
print -1
print ~0
print !0
print !5
print (1 + 2) * 3
print (1 + 2
print 1 +
print 0x
print 12ab
print 99999999999999999999
print $
print &
print $a0
print *0
print slots[
print slots[0
print slots[0].
print slots[0].nothing
print slots[999999].key
print nothing
print _nothing
print now:
print 1 <
print 1 = 1
print class
print class == branch
print seen
print v0
print i0
print c0
print slot
print word
print key
print word look
data 0 3
data 5
data 99999
cam 0 4
cam 99999
slots 0 2
slots slots
slots slots 1 2
slots nothing
slots 99999
bus
bus STATE
bus 0x0
bus 99999
bus NOTHING
x/1
set slot
set slot =
set slot = 1 2
set word = 99
set word = 0
set nothing = 1
set slots[0].key = 1
set slots[99999].key = 1
set v0 = 0xffffffffffffffff
set filter1_mask = 3
inject
inject nothing
inject load pc=0x100 x3
inject load pc=0x100 x4097
inject load pc=0x100 x18446744073709551615
inject @5
patch
patch look
patch look nothing
patch 99 done
reload nothing.pasm
reload nothing.pc
reload a=1 b=2
checkpoint one
checkpoint one
checkpoint
restore
restore two
restore one
goto cycle 5
goto cycle
goto sample 1
goto sample
goto nothing
goto 99999999
goto end
rstep 99999999
rstep 0
next 0
step x
until
until nothing
runtil
runtil look
ignore
ignore 1
ignore 1 x
ignore 99 1
condition
condition 99 v0
enable 99
disable 99
delete 99
undisplay 99
display nothing
break :99999
break nothing.pasm:3
break class nothing
break class
break guest
break guest nothing
break look+99999
break look if
break look if nothing
watch
watch if
watch nothing
tbreak class branch
disas 99999
disas look x
list 99999
list
list
list
list
list
pipe 3
pipe x
settings
settings history-limit
settings history-limit 0
settings history-limit 99999999
settings history-limit 64
settings nothing
help nothing
source nothing
source .
save-session
save-session /none/session
echo
display regs
display v0
display/x v0
next
display
undisplay 2
undisplay
END
i=0; while [ $i -le 64 ]; do echo "tbreak look if v0 == $i"; i=$((i + 1)); done
i=0; while [ $i -le 17 ]; do echo "checkpoint c$i"; i=$((i + 1)); done
echo "print 1$(dd ' + 1' 250)"
echo "print $(dd 'a' 200)"
echo "echo $(dd 'a' 5000)"
echo "source self"
} > script
echo 'source self' > self
debug < script | cut -c1-300
