# The rules of expressions: signed numbers of 64 bits, unsigned patterns, and what has no result, in commands and in
# conditions.
. "$here"/common.sh
debug <<'END'
print -6 / 2
print -7 % 2
print -1 > 0
print -8 >> 1
print -1 << 3
print 0xffffffffffffffff
print 0xffffffffffffffff > 0x7fffffffffffffff
print 0xffffffffffffffff == -1
print 0xffffffffffffffff > -1
print -9223372036854775808
print -9223372036854775808 / -1
print 1 + 9223372036854775807
print 1 << 64
print 2 * (1 << 63)
print -0x8000000000000000
print 9223372036854775808
print 0x10000000000000000
print 4 / (slot - slot)
print 010
print 0b101 + 0o17
print slots[-1].seen
data -1
step -1
goto -1
data 0 1 << 64
set scratch = -1
print scratch
print scratch > 100
print scratch == -1
print scratch < -1
set free = -1
set free = 1 << 64
break look if 1 << 64
break look if slot << 64
break look if 9223372036854775807 * (free + 1) > 0
watch free - 2
info breakpoints
continue
continue
continue
condition 1
END
echo "== --param"
cat > given.pasm <<'END'
            .param  most = 0xffffffffffffffff
            .filter class load
            .entry  load go
go:         done
END
pcasm -o given.pc given.pasm
given() { pcemu --core samples:none --program given.pc -o - --param "most=$1" 2>&1 | grep -E 'most|--param'; }
echo 'load pc=0x1000' > none
for value in 0xffffffffffffffff -1 -9223372036854775808 2k 9223372036854775808 -9223372036854775809 010 0x1g 1e3 ''; do
    given "$value"
done
