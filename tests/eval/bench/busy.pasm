; SPDX-License-Identifier: GPL-3.0-or-later
; busy: many words for each sample, so that its speed is that of the words alone.
;
; Purpose   Measures the model (tests/eval/bench/cop_speed.c). What it computes means nothing: it draws on all units
;           about as often as the shipped programs do, with branches of which some are hard to foretell.
; Inputs    pc32 and result of every integer load that retires.
; Outputs   rows: of counters.
; Registers n: counts the rounds; at: the row of this one; found: the entry that match found.
;           v0: a mixture of what came; v1..v3: scratch.
; Budget    11 or 12 cycles for each of the 256 rounds, and a bubble for half of them.

            .program busy
            .geometry cam 256, data 256
            .const  mask = 0x3f
            .record pc32, result
            .base   rows  = 0
            .index  n,     width 8
            .index  at,    width 8
            .index  found, width 8
            .target round
            .filter class load
            .entry  load begin

begin:      mov     result -> v0
round:      shr1    v0 -> v1
            xor     v1, pc32 -> v1
            shl2    v0 -> v2
            add     v1, v2 -> v0
            and     v0, mask -> v3, at
            match   rows, v3 -> found               | if miss goto newcomer
            inc     rows[found].w0 -> row v2        | if full goto less
            cmp     v2, v0                          | if lt goto less
            add     rows[at].w1, v1                 | if full goto less
again:      inc     n                               | if nolimit goto round
            done
less:       sub.32  v0, v2 -> v2                    | if zero goto again
            max     rows[at].w1, v2                 | goto again
newcomer:   write   rows[at], v3                    | goto again
