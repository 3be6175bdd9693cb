# The filters apply to a sample that is injected: in the present, in the past, and at an interrupt.
. "$here"/common.sh
debug <<'END'
inject load pc=0x10
inject branch pc=0x10 taken=1
step
set classes[load] = 1
inject load pc=0x10 x2
set classes[load] = 0
inject load pc=0x10
set masked[0] = 1
inject branch pc=0
set masked[0] = 0
inject branch pc=0
buffer
step 2
rstep
inject load pc=0x10
help inject
quit
END
printf 'break interrupt\nbreak drop\ncontinue\ninject branch pc=0x10\nquit\n' | debug
