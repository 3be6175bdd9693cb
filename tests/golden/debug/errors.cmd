. "$here"/common.sh
debug <<'END'
frobnicate
nxet
co
d 9
   step   x
step 0
step 1 2
regs x
quit now
goto
goto nowhere
goto cycle
goto end 5
print data
display stats 5
display
until
until 64
until look 3
until :99
break nonsense
break class lod
break look when 3
break look if
break look if 1 +
break look if (1
break :1000
break guest main
watch
watch 3 if
watch slots[0].tken
ignore
ignore 1
ignore x 3
condition 3
delete 3
print
print 1/0
print slots
print slots[4].taken
print slots[0].nothing
print nonsuch[0]
print rnd8
print rslot
print slut
print 0xfffffffffffffffff
print 12ab
print $pc
print &main
print mem[0]
print taken
print class
print 1 2
print ((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))
display
display +
undisplay 3
list 50
disas 99
data 256
slots 4
bus 7
bus 0
bus 0x4800
bus 0xfff8
bus 0x100000008
bus nothing
sample
set
set 3 = 4
set look = 4
set v0 = 
set slots[0].taken = 256
set slot 3
set word = 3
set bubbles = 3
inject
inject lod pc=1
inject load pc=
inject @5 load pc=1
patch
patch look
patch look incc slots[slot].seen
patch look inc slots[slot].seen | goto nowhere
patch look mov result -> v0
patch 60 done
patch look mov 12345 -> v0
retire
restore nothing
source
source nothing
save-session
help frobnicate
help set
settings nothing
settings history-limit 1
continue 3
step -1
goto -1
source .
quit
END
echo "status $?"
printf 'help\n' | debug
echo 'next' > one
printf 'source one\necho back\nsource one\nwhere' | debug
pcemu --core samples:samples -x nothing; echo "status $?"
pcemu --core samples:samples -i; echo "status $?"
pcemu -x one --core functional "$workloads/branchy"; echo "status $?"
pcemu -x one --trace cop --core samples:samples; echo "status $?"
