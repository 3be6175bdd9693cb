; SPDX-License-Identifier: GPL-3.0-or-later
; conflict: which loads miss lines that another load has just evicted, and in which sets of the cache?
;
; Purpose   Cache conflict profiling: co-processor paper, section 4.
; Inputs    pc32, line32 and evicted32 of every load that retires.
; Outputs   conflicts: one slot per load that missed and load that had evicted its line a short time before, and how
;           often that was so. A missing load has a slot for each of up to two others, one in each half of the slots;
;           when the first half is full, new ones go to the second. sets: for each set (the low bits of its number)
;           such misses, and all that evicted a line. The host reads them when the last slot has been taken, or when
;           256 conflicts had no slot, and starts afresh. The counters of 32 bits end an interval, too.
; Registers at: the entry of a line.  next: the oldest entry.  set: the set of the miss.  v0: pc32 of the load that
;           had evicted the line.  v2: scratch. slot, next1, next2: the slot of the load, and the next free one of each
;           half; the last one of the first is never used.  others: conflicts without a slot.
; Budget    By `pcasm --cost`: 1 cycle for a load that evicts nothing: a hit, or a miss of a line in flight; 7 or 8
;           for another, 6 more for a conflict, 3 more with its second other load.
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
            .equ    HALF   = SLOTS / 8
            .equ    SETS   = SLOTS / 4

            .if     RARE
            .const  rare   = RARE                   ; bits of a random number that must be 0
            .endif

            .base   ring      = 0                   ; a row: pc32 of the load that evicted the line
            .base   conflicts = RING
            .base   first     = RING                ; halves of the slots
            .base   second    = RING + HALF
            .base   sets      = RING + 2 * HALF
            .index  at,     width log2(RING)
            .index  next,   width log2(RING)
            .index  set,    width log2(SETS)
            .index  slot,   width log2(HALF)
            .index  next1,  width log2(HALF), saturate
            .index  next2,  width log2(HALF)        ; wraps to 0 when the last slot has been taken
            .index  others, width 8

            .target record

            .filter class load, fload
            .entry  load, fload look

            .slot   conflicts[2 * HALF] exact conflicts {
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
            match   first, pc32 -> slot             | if miss goto new1
            ld      first[slot].w0 -> v2
            cmp     v0, v2                          | if ne goto another
            inc     first[slot].w1                  | if notfull goto record
            interrupt
another:    match   second, pc32 -> slot            | if miss goto new2
            ld      second[slot].w0 -> v2
            cmp     v0, v2                          | if ne goto third
            inc     second[slot].w1                 | if notfull goto record
            interrupt
third:      inc     others                          | if nolimit goto record
            interrupt

new1:       test    next1                           | if limit goto another
            write   first[next1], pc32
            st      first[next1].w0, v0
            inc     first[next1].w1                 | inc next1 | goto record
new2:       write   second[next2], pc32
            st      second[next2].w0, v0
            inc     second[next2].w1                | inc next2 | if nolimit goto record
            interrupt
