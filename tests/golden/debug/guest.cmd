# With a guest: figures, registers and instructions are the compiler's, and are masked.
. "$here"/common.sh
pcasm -o branches.pc taken.pasm
mask() {
    sed 's/0x[0-9a-f]*/X/g; s/[0-9a-f]\{16\}/X/g; s/[0-9][0-9]*/N/g; s/^position N.*/POSITION/; s/^ *N  .*/SOURCE/
         s/^  #N.*/  INSTRUCTION/; s/^  X.*/  INSTRUCTION/; s/^the .* waits for .*/SOMETHING WAITS/; /^  [a-z][a-z0-9N]* *X/d
         s/store to X (.*)/store to X/' | grep -v SOURCE | uniq
}
for core in ooo inorder; do
    echo "== $core"
    pcemu --core $core --program branches.pc -o report -x - "$build/tests/terminal/forever" <<'END' 2>&1 | mask
break guest nothing
break guest turn_round_and_round if $sp > 0x1000
continue
core
pipe 3
guest 2
print mem[0]
print $nonsense
retire 5
breakpoints
delete
goto 0
core
retire
present
tbreak guest 0
step
quit
END
done
echo "== stopping, looking and going back change nothing"
printf 'next 5\nrcontinue\ncontinue\nbreak interrupt\ncontinue\nrstep 99\ndelete\nretire 1000\nrfinish\ncontinue\n' |
    pcemu --max-insts 300k --program branches.pc -o debugged --stats debugged.stats -x - "$build/workloads/branchy" 1 > /dev/null 2>&1
pcemu --max-insts 300k --program branches.pc -o plain --stats plain.stats "$build/workloads/branchy" 1 > /dev/null 2>&1
cmp debugged plain && cmp debugged.stats plain.stats && echo same
echo "== crash"
pcemu --program branches.pc -o report -x - "$build/tests/terminal/forever" crash <<'END' 2>&1 | mask | grep -v INSTRUCTION
continue
where
rstep
step
continue
guest
END
echo "== variables"
cat > data.s <<'END'
    .globl _start, table
_start:
    addi a7, zero, 93
    ecall
    .data
    .type table, @object
    .size table, 16
table:
    .quad 42, 43
    .type u.0, @object
    .size u.0, 8
u.0:
    .quad 7
END
riscv64-linux-gnu-gcc -march=rv64g -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0x10000 -Wl,-Tdata=0x20000 -o data data.s
pcemu --program branches.pc -o report -x - ./data <<'END' 2>&1
print &table
print mem[&table + 8]
x/2gx &table
print &'u.0'
print &u.0
print &none
break guest table
quit
END
