. "$here"/common.sh
debug <<'END'
where
sample
slots
data
cam
why
next 3
display slots[0].taken
display slots
display
step 3
why
list
list
list
list far
disas
disas look 3
regs
changes
data
data 2
data 0 2
cam
cam 1 2
slots
slots slot
slots 1 2
sample
buffer
filters
stats
bus lfsr
bus indexes
bus 0x20
print slots[0].seen
print word
print position + sample * 1000
print now
print count[look]
print class == branch && taken
print -1
print ~0 >> 60
print (1 + 2) * 3 - 7 / 2 % 2
print !taken || taken
print high
print look
print far+1
print data[0].w1
print valid[0] + cam[1]
p predictor[look]
undisplay 1
step
undisplay
step
core
guest
pipe
END
