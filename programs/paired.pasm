; SPDX-License-Identifier: GPL-3.0-or-later
; paired: how much useful work overlaps with each instruction, and how many issue slots are wasted meanwhile?
;
; Purpose   Useful concurrency and wasted issue slots per instruction, from ProfileMe's paired samples (ProfileMe
;           paper, sections 4.2 and 5.2.3).
; Inputs    Of the first instruction of every pair: pc32, progress, retired, and the latencies dispatch and issue; of
;           the second: pairpc, pairprogress, pairretired and pairissue; intrapair: the cycles between the two fetches.
; Outputs   insns: one slot per instruction. Each pair adds to the slots of both of its instructions. samples: number
;           of pairs; useful: number of pairs whose other instruction issued while this one was in progress, and
;           retired; latency: sum of the cycles in progress, from fetch to ready to retire. The host reads and clears
;           the slots when the last slot has been taken or a counter is full. The rest of that pair is lost.
; Registers slot: slot of an instruction. next: next free slot. v0: cycles.
; Budget    By `pcasm --cost`: 9 to 40 cycles for a pair, including 3 for a first instruction without a slot and 4 for
;           a second instruction without one.
;
; The driver's report gives the paper's estimates from the window W, the mean period S and the issue width C:
; executions S x samples / 2; issue slots used by others W S x useful; wasted issue slots C S x latency / 2 minus those
; used. -D SLOTS=N, a power of two, sets the number of array rows. --param period=N and --param window=N configure the
; sampler.

            .program paired
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif

            .param  period = 10007, "mean distance of the first instructions in the fetch stream"
            .param  window = 256, "largest distance of the second instruction from the first"
            .sampler profileme, pair, period=period, window=window

            .base   insns  = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken

            .target first
            .target second

            .filter class int, mul, div, load, store, fload, fstore, atomic, fp, fdiv
            .filter class branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence
            .entry  int, mul, div, load, store, fload, fstore, atomic, fp, fdiv look
            .entry  branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence look

            .slot   insns[SLOTS] exact concurrency {
                    key     : pc exact pc
                    samples : 16 exact fetched
                    useful  : 16 exact useful
                    latency : 32 exact progress
            }

; First instruction: useful if the second one issues while it is in progress, and retires.
look:       match   insns, pc32 -> slot     | if miss goto newfirst
first:      add     insns[slot].latency, progress | if full interrupt
            mov     pairretired             | if zero goto counted
            mov     pairissue -> v0         | if zero goto counted
            cmp     v0, progress            | if ge goto counted
            inc     insns[slot].useful
counted:    inc     insns[slot].samples     | if full interrupt

; Second instruction: useful if the first issues after the second's fetch, while it is in progress, and retires.
            match   insns, pairpc -> slot   | if miss goto newsecond
second:     add     insns[slot].latency, pairprogress | if full interrupt
            mov     retired                 | if zero goto end
            mov     issue -> v0             | if zero goto end
            add     v0, dispatch -> v0                              ; cycles: first one's fetch to its issue
            sub     v0, intrapair -> v0     | if lt goto end        ; from the second one's fetch
            cmp     v0, pairprogress        | if ge goto end
            inc     insns[slot].useful
end:        inc     insns[slot].samples     | if full interrupt
            test    next                    | if inonzero done      ; 0: the last slot has been taken
            interrupt

newfirst:   write   insns[next], pc32
            mov     next -> slot
            inc     next                    | goto first
newsecond:  test    next                    | if izero interrupt    ; the first instruction has taken the last slot
            write   insns[next], pairpc
            mov     next -> slot
            inc     next                    | goto second
