# Each kind of operand explained by why; changes in the middle of a run; commands whose effect depends on the present.
. "$here"/common.sh
cat > operands.pasm <<'END'
            .program operands
            .const  five = 5
            .value  a = v0
            .value  b = v1
            .base   slots = 0
            .index  slot, width 2
            .index  next, width 3, saturate
            .filter class load, store
            .entry  load go
            .entry  store put
            .target more
            .slot   slots[4] { key : pc, sum : 32, high : 16 max, low : 8 min }
go:         mov     result -> a
            add     a, five -> b
            sub     b, a -> a
            add     a, slot -> next
            cmp     a, rnd8                     | if lt goto more
            xor     a, zero -> b
more:       match   slots, pc32 -> slot         | if miss goto newcomer
            add     slots[slot].sum, five -> b  | if full done
            max     slots[slot].high, result -> b
            min     slots[slot].low, result -> b
            inc     slot
            dec     next                        | if izero done
            clr     slot
            ld      slots[slot].sum -> a
            st      slots[slot].sum, a          | done
newcomer:   write   slots[slot], pc32
            st      slots[slot].sum, five       | goto more
put:        test    next                        | if inonzero done
            interrupt
END
pcasm -o operands.pc operands.pasm 2> messages || cat messages
cp operands.pasm changed.pasm
sed -i 's/five = 5/five = 6/' changed.pasm
cat > samples <<'END'
load pc=0x1000 result=7
load pc=0x1000 result=3
load pc=0x2000 result=0xffffffffffffffff x2
store pc=0x3000
load pc=0x1000 result=9
load pc=0x4000 result=1
store pc=0x3000
END
{
    i=0
    while [ $i -lt 34 ]; do printf 'step\nwhy\n'; i=$((i + 1)); done
    cat <<'END'
changes
sample
buffer
filters
watch v0
watch next if next > 1
watch if v1 == 5
break class store if next == 0
break interrupt
continue
continue
continue 2
breakpoints
ignore 1 2
condition 2
condition 2 next > 0
condition 3
disable 1 3
enable 1
continue
rcontinue
rnext
rfinish
rstep 3
set v0 = 77
set word = 3
why
step
history
goto cycle 10
goto sample 2
present
inject load pc=0x5000 result=3 x2
inject store pc=0x6000
buffer
set next = 3
set slots[1].sum = 9
set five = 3
set filter pc = 3
set lfsr = 1
set result = 4
patch more inc next | done
patch 99 done
disas more 2
disas
reload changed.pasm
print c0
reload
reload operands.pc
reload operands.pasm A=1
reload nowhere.pasm
breakpoints
continue
checkpoint here
continue
restore here
step
restore here
until put
runtil go
until :31
finish
rfinish
next 2
delete
continue
quit
END
} | pcemu --core samples:samples --program operands.pc -o report -x - 2>&1 | cut -c1-200
