; SPDX-License-Identifier: GPL-3.0-or-later
; tip: on which instructions is time spent, and in which state of each?
;
; Purpose   A time-proportional profile in the co-processor: TIP samples (TIP paper, section 3.1) aggregated by
;           instruction and state. Up to four instructions that commit together share a sample.
; Inputs    tipflags, tipvalid and tippc0 to tippc3 of every TIP sample: the instructions on which the sampled cycle is
;           spent.
; Outputs   time: one slot per instruction, with four counters in twelfths of a sample, divisible by 1, 2, 3 and 4.
;           computing: it commits; stalled: it is the oldest and does not commit; flushed: the ROB is empty after its
;           misprediction, flush or exception; drained: the ROB is empty because fetch did not deliver it. The host
;           reads and clears the slots when the last slot has been taken or a counter is full. Only then is the rest of
;           a shared sample lost.
; Registers slot: slot of an instruction. next: next free slot. v0: state. v1: share of each instruction.
; Budget    By `pcasm --cost`: 6 to 16 cycles for a sample of one instruction, 7 to 36 for a sample of committing
;           instructions: 4 to 5 for each beyond the first, and 1 more for each without a slot.
;
; -D SLOTS=N, a power of two, sets the number of array rows. --param period=N sets the cycles from sample to sample.
; Each sample counts once, even if it stands for more cycles than the period, as it does when fetch delivers nothing for
; several periods. A sample of five or more instructions (on wider cores) is shared among the oldest four.

            .program tip
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif

            .param  period = 10007, "cycles from one sample to the next"
            .sampler tip, period=period

            .const  whole  = 12                     ; twelfths per sample
            .const  third  = 4
            .const  flags  = 0x1f                   ; mask of the flags in tipflags, without the oldest ID
            .const  front  = 0x10                   ; only the front-end flag

            .base   time   = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken

            .target state

            .filter class int, mul, div, load, store, fload, fstore, atomic, fp, fdiv
            .filter class branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence
            .entry  int, mul, div, load, store, fload, fstore, atomic, fp, fdiv look
            .entry  branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence look

            .slot   time[SLOTS] exact time, parts 12 {
                    key       : pc exact pc
                    computing : 16 exact computing
                    stalled   : 16 exact stalled
                    flushed   : 16 exact flushed
                    drained   : 16 exact drained
            }

look:       mov     tipflags -> v0
            and     v0, flags -> v0         | if zero goto commit

; The whole sample belongs to one instruction: the oldest, or the offending one.
            match   time, tippc0 -> slot    | if miss goto newcomer
state:      shr1    v0 -> v1                | if zero goto stall    ; 1: only the flag stalled
            cmp     v0, front               | if eq goto drain
            add     time[slot].flushed, whole | if notfull goto end
            interrupt
stall:      add     time[slot].stalled, whole | if notfull goto end
            interrupt
drain:      add     time[slot].drained, whole | if notfull goto end
            interrupt
end:        test    next                    | if inonzero done      ; 0: the last slot has been taken
            interrupt
newcomer:   write   time[next], tippc0
            mov     next -> slot
            inc     next                    | goto state

; The instructions that commit share the sample. In tipvalid the oldest is bit 0, and the bits have no gap.
commit:     mov     whole -> v1
            mov     tipvalid -> v0
            shr1    v0 -> v0                | if zero goto first
            shr1    v1 -> v1                                        ; two: 6
            shr1    v0 -> v0                | if zero goto second
            shr1    v0 -> v0                | if zero goto three
            shr1    v1 -> v1                | goto fourth           ; four: 3
three:      mov     third -> v1             | goto others           ; three: 4

new2:       write   time[next], tippc2
            add     time[next].computing, v1 | inc next | if limit interrupt
            goto    second
new3:       write   time[next], tippc3
            add     time[next].computing, v1 | inc next | if limit interrupt
            goto    others

fourth:     match   time, tippc3 -> slot    | if miss goto new3
            add     time[slot].computing, v1 | if full interrupt
others:     match   time, tippc2 -> slot    | if miss goto new2
            add     time[slot].computing, v1 | if full interrupt
second:     match   time, tippc1 -> slot    | if miss goto new1
            add     time[slot].computing, v1 | if full interrupt
first:      match   time, tippc0 -> slot    | if miss goto new0
            add     time[slot].computing, v1 | if notfull done
            interrupt

new0:       write   time[next], tippc0
            add     time[next].computing, v1 | inc next | if nolimit done
            interrupt
new1:       write   time[next], tippc1
            add     time[next].computing, v1 | inc next | if limit interrupt
            goto    first
