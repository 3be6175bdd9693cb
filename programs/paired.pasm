; SPDX-License-Identifier: GPL-3.0-or-later
; paired: how much useful work overlaps with each instruction, and how many issue slots are wasted meanwhile?
;
; Purpose   Useful concurrency and wasted issue slots by instruction, from ProfileMe's pairs (ProfileMe paper, sections
;           4.2 and 5.2.3).
; Inputs    Of the first instruction of every pair pc32, progress, retired, and the latencies dispatch and issue; of the
;           second one pairpc, pairprogress, pairretired and pairissue; intrapair, the cycles between their fetches.
; Outputs   insns: one slot per instruction; each pair adds to the slots of both of its instructions: samples; useful,
;           in how many of them the other instruction issued while this one was in progress, and retired; latency, the
;           sum of the cycles for which it was in progress, from fetch to ready to retire. The host reads the slots when
;           the last one has been taken or a counter is at its end. What is left of that pair is lost then.
; Registers slot: the slot of an instruction.  next: the next free one.  v0: cycles.
; Budget    By `pcasm --cost`: 9 to 40 cycles for a pair; 3 of them are for a first instruction that has no slot yet,
;           4 for such a second one.
;
; The driver's report has, with the window W, the mean period S and the core's issue width C, the paper's estimates:
; executions S x samples / 2; issue slots that others used W S x useful; issue slots that were wasted C S x latency / 2
; less those. -D SLOTS=N, a power of two, fits the program to other arrays. --param period=N and --param window=N set
; the sampler.

            .program paired
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif

            .param  period = 10007, "mean distance of the first instructions in the fetch stream"
            .param  window = 256, "largest distance of the second instruction from the first"
            .sampler profileme, pair, period=period, window=window

            .base   insns  = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot has been taken

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

; The first instruction: does the second one issue while it is in progress, and retire?
look:       match   insns, pc32 -> slot     | if miss goto newfirst
first:      add     insns[slot].latency, progress | if full interrupt
            mov     pairretired             | if zero goto counted
            mov     pairissue -> v0         | if zero goto counted
            cmp     v0, progress            | if ge goto counted
            inc     insns[slot].useful
counted:    inc     insns[slot].samples     | if full interrupt

; The second one: does the first one issue behind its fetch, while it is in progress, and retire?
            match   insns, pairpc -> slot   | if miss goto newsecond
second:     add     insns[slot].latency, pairprogress | if full interrupt
            mov     retired                 | if zero goto end
            mov     issue -> v0             | if zero goto end
            add     v0, dispatch -> v0                              ; cycles from the first one's fetch to its issue
            sub     v0, intrapair -> v0     | if lt goto end        ; from the second one's fetch
            cmp     v0, pairprogress        | if ge goto end
            inc     insns[slot].useful
end:        inc     insns[slot].samples     | if full interrupt
            test    next                    | if inonzero done      ; 0: a newcomer has taken the last slot
            interrupt

newfirst:   write   insns[next], pc32
            mov     next -> slot
            inc     next                    | goto first
newsecond:  test    next                    | if izero interrupt    ; the first one has taken the last slot
            write   insns[next], pairpc
            mov     next -> slot
            inc     next                    | goto second
