; SPDX-License-Identifier: GPL-3.0-or-later
; pairs: how much useful work overlaps with each instruction?
;
; Purpose   Concurrency by instruction, from ProfileMe's pairs (ProfileMe paper, sections 4.2 and 5.2.3).
; Inputs    pc32 and progress of the first instruction of every pair; pairissue and pairretired of the second.
; Outputs   insns: one slot per first instruction: samples of it; useful, in how many of them the second instruction
;           issued while it was in progress and retired; latency, the sum of the cycles for which it was in progress,
;           from fetch to ready to retire. The host reads the slots when the last one has been taken or a counter is at
;           its end.
; Registers slot: the slot of the first instruction.  next: the next free one.  v0: cycles.
; Budget    By `pcasm --cost`: 5 to 18 cycles; 3 of them are for an instruction that has no slot yet.
;
; With the window W and the mean period S an instruction has about S x samples executions, in which W x useful / samples
; others issued usefully on average, of C x latency / samples that could have with an issue width of C: the rest are
; wasted issue slots. The second instruction is fetched after the first, so these are the overlaps with later
; instructions; those with earlier ones are as many again over the whole program. -D SLOTS=N, a power of two, fits the
; program to other arrays. --param period=N and --param window=N set the sampler. No exact answers stand beside the
; counters; those of --profile counts and --profile profileme:pair are the ones to compare with.

            .program pairs
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif

            .param  period = 10007, "mean distance of the first instructions in the fetch stream"
            .param  window = 256, "largest distance of the second instruction from the first"
            .sampler profileme, pair, period=period, window=window

            .base   insns  = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot has been taken

            .target count

            .filter class int, mul, div, load, store, fload, fstore, atomic, fp, fdiv
            .filter class branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence
            .entry  int, mul, div, load, store, fload, fstore, atomic, fp, fdiv look
            .entry  branch, call, jump, icall, ijump, ret, swap, ljump, csr, system, fence look

            .slot   insns[SLOTS] {
                    key     : pc
                    samples : 16
                    useful  : 16
                    latency : 32
            }

look:       match   insns, pc32 -> slot     | if miss goto newcomer
count:      add     insns[slot].latency, progress | if full interrupt
            mov     pairretired             | if zero goto sampled
            mov     pairissue -> v0         | if zero goto sampled
            cmp     v0, progress            | if ge goto sampled
            inc     insns[slot].useful
sampled:    inc     insns[slot].samples     | if full interrupt
            test    next                    | if inonzero done      ; 0: the newcomer has taken the last slot
            interrupt

newcomer:   write   insns[next], pc32
            mov     next -> slot
            inc     next                    | goto count
