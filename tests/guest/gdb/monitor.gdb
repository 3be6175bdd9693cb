# guest: mix
# options: --program taken.out
# cores: ooo
# gdb's monitor executes the commands of the debugger of microcode; its stops are stops of gdb.
break mix.c:18
continue
backtrace
monitor backtrace guest
print data
monitor print guest data
print pairs[1]
monitor print guest pairs[1]
monitor list guest
monitor break guest mix.c:38
monitor tbreak guest :41
monitor list guest mix.c:33
monitor break guest mix.c:400
monitor x/2s &name
monitor print guest wide
monitor print guest data[99999999999999999999]
monitor shell echo unsafe
monitor save-session ./saved
monitor source ./saved
delete
break fill
monitor break newcomer
continue
monitor where
monitor reload taken.pasm
monitor step
continue
stepi
monitor delete
monitor nonsense
monitor retire 3
continue
delete
continue
