# Breakpoints that stop nothing, names that views and registers share, and functions that the compiler has cloned.
. "$here"/common.sh
cat > shared.pasm <<'END'
            .program shared
            .value  core = v0
            .index  slot, width 2
            .base   sl = 0
            .filter class load
            .entry  load class
            .entry  store class
            .slot   sl[4] { seen : 64 }
class:      inc     sl[slot].seen -> core       | inc slot
guest:      nop
drop:       nop                                 | done
END
pcasm -o shared.pc shared.pasm
printf 'load pc=0x1000\nload pc=0x1000\n' > loads
echo "== places of a program"
pcemu --core samples:loads --program shared.pc -o report -x - <<'END'
break 3
break class+64
break class+2
until 3
break class store
break class load
break interrupt
break drop
tbreak class
tbreak guest if core == 1
tbreak drop+0
break 1 if 0
break 1 if 2 - 2
condition 1 0 * 3
break 1 if 1
info breakpoints
delete
display slot
display slot + 1
display core
display core + 1
display sl
display slots
display slots 0 1
display fil
display (slots)
next
display
goto 4
END
debug <<'END'
break interrupt
set classes[call] = 0
break class call
reload shared.pasm
END
echo "== places of a guest"
cat > guest.s <<'END'
    .option norvc
    .globl _start, lookup.constprop.0, lookup.part.0
    .type _start, @function
_start:
    call lookup.constprop.0
    call lookup.part.0
    li a7, 93
    ecall
    .size _start, . - _start
    .type lookup.constprop.0, @function
lookup.constprop.0:
    addi a0, zero, 0
    .option rvc
    c.nop
    ret
    .size lookup.constprop.0, . - lookup.constprop.0
    .type lookup.part.0, @function
lookup.part.0:
    addi a0, zero, 0
    ret
    .size lookup.part.0, . - lookup.part.0
    .type search, @function
search:
    ret
    .size search, . - search
    .data
table:
    .quad 0
END
riscv64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x10000 -o guest guest.s
for core in ooo inorder; do
    pcemu --core $core --program shared.pc -o report -x - ./guest <<'END' 2>&1 | sed 's/^position.*/POSITION/'
break guest 0x10001
break guest 0x10002
break guest *0x10004
break guest _start+6
break guest lookup.constprop.0+4
break guest lookup.constprop.0+5
break guest lookup.constprop.0+6
break guest &table
break guest 0
break guest 0x10000000000
break guest lookup
break guest lookup+4
break guest serch
print &lookup
print &serch
print &lookup.part.0
print &'lookup.part.0'
delete
break guest lookup.part.0
continue
END
done
for option in '--start-at lookup' '--stop-at serch' '--kanata k --kanata-window lookup:5'; do
    # shellcheck disable=SC2086 # options, meant to be split
    pcemu --no-program $option ./guest
done
