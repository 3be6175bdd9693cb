; SPDX-License-Identifier: GPL-3.0-or-later
; pics: on which events does each instruction spend its time?
;
; Purpose   Per-instruction cycle stacks in the co-processor (PICS; TEA, ISCA 2023): time-proportional samples with the
;           event signature of each instruction, aggregated by instruction and signature. Up to four instructions that
;           commit together share a sample.
; Inputs    tippc0 to tippc3 and tipevents of every TIP sample: its instructions, and the signature of each.
; Outputs   stacks: one slot per instruction and signature; time is in twelfths of a sample, divisible by 1, 2, 3 and
;           4. The host reads and clears the slots when the last slot has been taken or a counter is full. Only then is
;           the rest of a shared sample lost.
; Registers slot: slot of a component. next: next free slot. v0: signature. v1: share of each instruction. v2:
;           remaining signatures.
; Budget    By `pcasm --cost`: 7 to 13 cycles for a sample of one instruction, 22 to 44 for one of four, including 2
;           for each component without a slot.
;
; The key of a component is pc32 and signature. -D SLOTS=N, a power of two, sets the number of array rows. --param
; period=N sets the cycles from sample to sample. A sample of five or more instructions is shared among the oldest
; four.

            .program pics
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif

            .param  period = 10007, "cycles from one sample to the next"
            .sampler tip, period=period, events

            .const  whole  = 12                     ; twelfths per sample
            .const  third  = 4
            .const  one    = 0xffff                 ; mask of one signature

            .base   stacks = 0, wide
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken

            .filter class int, mul, div, load, store, fload, fstore, atomic, fp, fdiv
            .filter class branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence
            .entry  int, mul, div, load, store, fload, fstore, atomic, fp, fdiv look
            .entry  branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence look

            .slot   stacks[SLOTS] exact pics, parts 12 {
                    key       : pc exact pc
                    time      : 32 exact time
                    signature : 16 hex exact signature
            }

; A signature is never 0, so the nonzero signatures give the number of instructions that share the sample.
look:       mov     whole -> v1
            mov     tipevents -> v2
            shr16   v2 -> v0                | if zero goto first
            shr1    v1 -> v1                                        ; two instructions: 6 twelfths each
            shr16   v0 -> v0                | if zero goto first
            shr16   v0 -> v0                | if zero goto three
            shr1    v1 -> v1                | goto first            ; four: 3 twelfths
three:      mov     third -> v1                                     ; three: 4 twelfths

first:      and     v2, one -> v0
            match   stacks, v0, tippc0 -> slot      | if hit goto known0
            write   stacks[next], v0, tippc0
            st      stacks[next].signature, v0
            add     stacks[next].time, v1   | inc next | if nolimit goto next0
            interrupt
known0:     add     stacks[slot].time, v1   | if full interrupt
next0:      shr16   v2 -> v2                | if zero done

second:     and     v2, one -> v0
            match   stacks, v0, tippc1 -> slot      | if hit goto known1
            write   stacks[next], v0, tippc1
            st      stacks[next].signature, v0
            add     stacks[next].time, v1   | inc next | if nolimit goto next1
            interrupt
known1:     add     stacks[slot].time, v1   | if full interrupt
next1:      shr16   v2 -> v2                | if zero done

others:     and     v2, one -> v0
            match   stacks, v0, tippc2 -> slot      | if hit goto known2
            write   stacks[next], v0, tippc2
            st      stacks[next].signature, v0
            add     stacks[next].time, v1   | inc next | if nolimit goto next2
            interrupt
known2:     add     stacks[slot].time, v1   | if full interrupt
next2:      shr16   v2 -> v2                | if zero done

fourth:     and     v2, one -> v0
            match   stacks, v0, tippc3 -> slot      | if hit goto known3
            write   stacks[next], v0, tippc3
            st      stacks[next].signature, v0
            add     stacks[next].time, v1   | inc next | if nolimit done
            interrupt
known3:     add     stacks[slot].time, v1   | if notfull done
            interrupt
