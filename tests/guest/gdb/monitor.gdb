# guest: mix
# options: --program taken.out
# cores: ooo
# gdb's monitor executes the commands of the debugger of microcode; its stops are stops of gdb.
break fill
continue
monitor break newcomer
continue
monitor where
monitor step
continue
stepi
monitor delete
monitor nonsense
monitor retire 3
continue
delete
continue
