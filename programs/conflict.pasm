; SPDX-License-Identifier: GPL-3.0-or-later
; conflict: which loads miss lines that another load has just evicted, and in which sets of the cache?
;
; Purpose   Cache conflict profiling: co-processor paper, section 4.
; Inputs    pc32, line32 and evicted32 of every load that retires.
; Outputs   conflicts: one slot per load that missed and load that had evicted its line a short time before, whose
;           addresses are the key, and how often that was so. sets: for each set (the low bits of its number) such
;           misses, and all that evicted a line. The host reads them when the last slot has been taken, and starts
;           afresh. The counters of 32 bits end an interval, too.
; Registers at: the entry of a line.  next: the oldest entry.  set: the set of the miss.  v0: pc32 of the load that had
;           evicted the line.  v2: scratch.  slot, free: the slot of the pair, and the next free one.
; Budget    By `pcasm --cost`: 1 cycle for a load that evicts nothing: a hit, or a miss of a line in flight; 7 or 8
;           for another, 4 more for a conflict, 1 more with a new slot.
;
; The ring has the lines that the last SLOTS / 2 misses evicted: a miss of one of these is "in short succession". A
; line that a store or the prefetcher evicts is not known, and drops do little harm: each loses one eviction or one
; miss. -D SLOTS=N, a power of two, fits the program to other arrays; SLOTS / 4 sets are told apart. Lines have 64
; bytes. -D RARE=3, 7 or 15 lets one eviction in 4, 8 or 16 into the ring, at random, so that it reaches back as many
; times further; that part of the conflicts is counted.

            .program conflict
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef RARE
            .equ    RARE   = 0
            .endif
            .equ    RING   = SLOTS / 2
            .equ    PAIRS  = SLOTS / 4
            .equ    SETS   = SLOTS / 4

            .if     RARE
            .const  rare   = RARE                   ; bits of a random number that must be 0
            .endif

            .base   ring      = 0                   ; a row: pc32 of the load that evicted the line
            .base   conflicts = RING, wide
            .base   sets      = RING + PAIRS
            .index  at,   width log2(RING)
            .index  next, width log2(RING)
            .index  set,  width log2(SETS)
            .index  slot, width log2(PAIRS)
            .index  free, width log2(PAIRS)         ; wraps to 0 when the last slot has been taken

            .target record

            .filter class load, fload
            .entry  load, fload look

            .slot   conflicts[PAIRS] exact conflicts {
                    key       : pc exact pc
                    by        : 32 pc exact by
                    conflicts : 32 exact conflicts
            }
            .slot   sets[SETS] {
                    conflicts : 32
                    misses    : 32
            }

look:       mov     evicted32                       | if zero done
            mov     line32 -> set
            inc     sets[set].misses                | if full interrupt
            match   ring, line32 -> at              | if hit goto again
; The line that was evicted takes the oldest entry, unless it has one.
record:
            .if     RARE
            mov     rare -> v2
            and     v2, rnd4                        | if nonzero done
            .endif
            match   ring, evicted32 -> at           | if miss goto put
            invalidate ring[at]
put:        write   ring[next], evicted32
            st      ring[next].w0, pc32             | inc next | done

again:      ld      ring[at].w0 -> v0               | invalidate ring[at]
            inc     sets[set].conflicts             | if full interrupt
            match   conflicts, v0, pc32 -> slot     | if miss goto new
            inc     conflicts[slot].conflicts       | if notfull goto record
            interrupt
new:        write   conflicts[free], v0, pc32       | inc conflicts[free].conflicts
            st      conflicts[free].by, v0          | inc free | if nolimit goto record
            interrupt
