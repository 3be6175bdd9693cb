# guest: mix
# A place in the source, the stack, values, steps. qemu-riscv64 gives the same answers.
break mix.c:24 if x == 3
continue
backtrace
info args
next
step
set can-use-hw-watchpoints 0
watch data[4]
continue
backtrace
delete
finish
print data[1]@3
print pairs[1]
print name
print/x (long)$sp & 15
tbreak 39
continue
print total
print total = 1000
print $fcsr
print $ft0.double = 2.5
print $ft0.float
print $frm = 1
print $fcsr
next
step
x/s name
x/2dg &data[2]
info symbol $pc
stepi
continue
