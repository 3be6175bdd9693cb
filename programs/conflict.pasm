; SPDX-License-Identifier: GPL-3.0-or-later
; conflict: which loads miss lines that another load has just evicted, and in which sets of the cache?
;
; Purpose   Cache conflict profiling: co-processor paper, section 4.
; Inputs    pc32, line32 and evicted32 of every retired load.
; Outputs   conflicts: one slot per pair of a load that missed and the load that had evicted the line shortly before;
;           the key is both addresses, the counter the number of such misses. sets: for each set (low bits of the set
;           number) the number of such misses, and of all misses that evicted a line. The host reads and clears the
;           slots when the last slot has been taken or a 32-bit counter is full.
; Registers at: ring entry of a line. next: oldest ring entry. set: set of the miss. v0: pc32 of the load that evicted
;           the line. v2: scratch. slot, free: slot of the pair, and next free slot.
; Budget    By `pcasm --cost`: 1 cycle for a load that evicts nothing (a hit, or a miss to a line in flight); 7 or 8 for
;           any other load, 4 more for a conflict, 1 more for a new slot.
;
; The ring holds the lines evicted by the last SLOTS / 2 misses; a miss of one of these is "in short succession". Lines
; that stores or the prefetcher evict are not recorded. A dropped sample loses one eviction or one miss. -D SLOTS=N, a
; power of two, sets the number of array rows; SLOTS / 4 sets are distinguished. A line has 64 bytes. -D RARE=3, 7 or 15
; records a random 1/4, 1/8 or 1/16 of the evictions, so that the ring covers 4, 8 or 16 times as many misses; only that
; fraction of the conflicts is counted.

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
            .const  rare   = RARE                   ; mask of the bits of a random number that must be 0
            .endif

            .base   ring      = 0                   ; a row: pc32 of the load that evicted the line
            .base   conflicts = RING, wide
            .base   sets      = RING + PAIRS
            .index  at,   width log2(RING)
            .index  next, width log2(RING)
            .index  set,  width log2(SETS)
            .index  slot, width log2(PAIRS)
            .index  free, width log2(PAIRS)         ; wraps to 0 when the last slot is taken

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
; The evicted line replaces the oldest ring entry, unless the line has an entry.
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
