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
x/i 0x10001
x/i 0x10008
x/i 0
break guest table
quit
END
echo "== several breakpoints at one instruction"
pcemu --program branches.pc -o report -x - ./data <<'END' 2>&1
break guest _start
tbreak guest _start
break guest _start+4
continue
breakpoints
quit
END
echo "== execve"
cat > first.s <<'END'
    .globl _start
    .type both, @function
    .type gone, @function
_start:
gone:
    nop
both:
    la a0, path
    mv a1, zero
    mv a2, zero
    li a7, 221
    ecall
    .data
path:
    .string "./second"
END
cat > second.s <<'END'
    .globl _start
    .type both, @function
    .type fresh, @function
_start:
    nop
    nop
    nop
both:
    nop
fresh:
    li a0, 3
    li a7, 93
    ecall
END
for name in first second; do
    riscv64-linux-gnu-gcc -march=rv64g -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0x10000 -o $name $name.s
done
pcemu --program branches.pc -o report -x - ./first <<'END' 2>&1 | sed "s|$PWD/||"
break guest gone
break guest both
break guest 0x10010
print &both
continue
continue
continue
print &both
break guest gone
break guest fresh
continue
breakpoints
quit
END
echo "== exact counts after reload, with the filters of the first program and with others"
sed 's/.slot   slots\[4\] {/.slot   slots[4] exact branches {/; s/key : pc,/key : pc exact pc,/; s/taken : 8,/taken : 8 exact taken,/' \
    taken.pasm > exact.pasm
sed 's/class branch, call/class branch/; /entry  call/d; s/^called:.*/called: done/' exact.pasm > fewer.pasm
printf 'branch pc=0x1000 taken=1 x6\n' > before.samples
printf 'branch pc=0x1000 taken=1 x2\nbranch pc=0x2000 taken=1\nbranch pc=0x3000 taken=1\n' > after.samples
cat before.samples after.samples > all.samples
pcasm -o exact.pc exact.pasm
for program in exact.pasm fewer.pasm; do
    pcemu --program exact.pc --core samples:all.samples -o - -x - <<END 2>&1 | sed -n '/^(pcemu) reload/,$p' | grep -v '^ .*look:'
break look if sample == 7
continue
reload $program
delete
continue
END
done
echo "== files are named relative to the folder of the start"
mkdir elsewhere
cat > folder.s <<'END'
    .globl _start
_start:
    la a0, path
    li a7, 49
    ecall
    li a0, 200
1:  addi a0, a0, -1
    bnez a0, 1b
    li a7, 93
    ecall
    .data
path:
    .string "elsewhere"
END
riscv64-linux-gnu-gcc -march=rv64g -nostdlib -static -Wl,--build-id=none -o folder folder.s
printf 'break look\ncontinue\nshell ls -d elsewhere\nquit\n' |
    pcemu --program branches.pc -o report -x - ./folder 2>&1 | grep -v '^position'
