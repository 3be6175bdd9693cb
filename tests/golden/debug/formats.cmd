# Members and keys by their formats: printed, compared and set as what they stand for.
cat > strides.pasm <<'END'
            .program strides
            .base   loads = 0
            .base   where = 4
            .index  slot, width 2
            .index  next, width 2
            .filter class load
            .entry  load look
            .slot   loads[4] { key : line, stride : 16 last signed, low : h1 hex, page : 32 ea }
            .slot   where[4] { last : 64 last pc }
look:       match   loads, line32 -> slot           | if miss goto new
            done
new:        write   loads[next], line32
            mov     ea32 -> v0
            sub.32  v0, pc32 -> v1
            st      loads[next].stride, v1
            st      loads[next].page, v0
            st      where[next].last, pc            | inc next | done
END
pcasm strides.pasm
pcdis | sed -n '/\.slot/,/^}/p'
printf 'load pc=0x1000 ea=0x2048\nload pc=0x1004 ea=0x4088\n' > samples
pcemu --core samples:samples -o report -x - <<'END'
break new+5
continue
slots
step 1
slots
print loads[0].stride
print loads[0].stride == -1015
print loads[0].page
print loads[0].key
set loads[0].stride = -3
set loads[0].stride = 40000
set loads[0].key = 0x4040
set loads[0].key = 0x4041
set loads[0].page = 0x1234567
set loads[0].page = 0x3fffffff8
set where[0].last = 0x1003
slots
delete
continue
END
cat report
