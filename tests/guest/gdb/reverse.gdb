# guest: mix
# cores: functional
# Reverse execution of what is recorded, from a system call on.
break main
continue
reverse-stepi
monitor record
tbreak 40
continue
watch total
reverse-continue
reverse-continue
print total
delete
break square if x == 5
reverse-continue
backtrace
print data
reverse-finish
reverse-step
reverse-stepi
stepi
delete
tbreak 39
continue
print data
print total
reverse-continue
backtrace
print data
monitor record stop
reverse-stepi
continue
