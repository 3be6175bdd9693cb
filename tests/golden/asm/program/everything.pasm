; Every operation, every lane and every way to branch.
            .program everything
            .equ    SLOTS = 1 << 4
            .const  one = 1
            .const  many = -1
            .base   slots = SLOTS * 2
            .base   pairs = 0
            .index  slot,   width log2(SLOTS)
            .index  failed, width 3, saturate
            .index  next,   width 4, wrap
            .value  acc
            .value  row = v1
            .target far
            .target @1
            .filter class load, fload
            .filter class store
            .filter pc mask 0xff match 0x12 hash 3
            .filter ignore hash 2
            .entry  load, fload  look
            .entry  store        put
            .slot   slots[SLOTS] {
                    key   : pc
                    value : 32 hex
                    hit   : 8
                    low   : 8 min
                    high  : 16 max
            }
            .slot   pairs[2] {
                    first  : w0 pc
                    whole  : d dec
            }
            .geometry cam 64, data 128

look:       match  slots, pc32 -> slot          | if miss goto put
            ld     slots[slot].value -> v0      | cmp.32 acc, result32 | if ne goto t1
            inc    slots[slot].hit -> row row   | if full goto far
            dec    slots[slot].b5 -> v2         | if empty done
            add    slots[slot].high, memlat     | if notfull done
            sub    slots[slot].high, one        | if notempty goto look
            max    slots[slot].high, memlat -> v3
            min    slots[slot].low, memlat
            or     slots[slot].value, many
            xchg   slots[slot].d, acc -> v2     | mov acc -> failed
put:        write  slots[slot], pc32            | inc slot -> next | if limit interrupt
            st     pairs[i7].first, ea32        | test i7 | if izero goto @9
            invalidate b0[failed]               | dec failed | if nolimit goto put 
            clr    failed                       | adds acc, one -> acc | if clip done
            subs   acc, one -> acc, next        | if noclip goto t0
            sub.32 acc, rnd4 -> v3              | if lt goto ahead
            and    acc, rnd8 -> v3              | if ges goto ahead
            or     acc, rnd16                   | if zero goto ahead
            xor    acc, zero -> v3              | if nonzero goto ahead
            bic    acc, slot -> slot            | if eq goto ahead
            shl1   pc -> acc
            shl2   acc -> acc
            shr1   acc -> acc
            shr8   acc -> acc                   | if lts goto far
ahead:      shr16.32 events -> acc              | if ge done
            dec    i7                           | if inonzero goto ahead
            ld     slots[slot].value -> v2      | mov result32 | if differ done
            xchg   slots[slot].low, rnd8        | if same goto far

            nop
            cmp    acc, rs1                     | ld slots[slot].h3 -> v0
                                                | if eq interrupt
            goto   far
            interrupt
far:        done
