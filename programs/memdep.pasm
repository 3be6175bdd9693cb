; SPDX-License-Identifier: GPL-3.0-or-later
; memdep: which loads read the data of which recent stores?
;
; Purpose   Memory dependence profiling: co-processor paper, section 4.
; Inputs    pc32 and ea of every retired load and store, bytes of stores, lost.
; Outputs   pairs: one slot per pair of load and store; the key is both addresses. loads: how often the load depended on
;           the store; distance: the sum of the numbers of loads and stores from the store (excluded) to the load
;           (included). The host reads and clears the slots when the last slot has been taken or a counter is full. When
;           loads is full, one distance is lost.
; Registers now: position of the sample in the ring of stores. at: ring entry of a store. v0: address, then pc32 of the
;           store. v1: offset in the doubleword, then distance. v2: scratch. wiped: number of invalidated ring entries;
;           it counts on beyond the ring's size, so that the sample buffer can drain. Samples are examined while it is
;           at its limit. slot, next: slot of the pair, and next free slot.
; Budget    By `pcasm --cost`: 6 or 7 cycles for a store; 4 to 9 for a load without a dependence, 10 with one, 5 more if
;           the load lies inside a store's doubleword, 1 more with a new slot; 1 for a skipped sample, 3 for the first
;           sample after a loss.
;
; The ring has one entry for each of the last SLOTS / 4 samples; entries of loads are invalid, so that a distance is the
; difference of two positions. The key of an entry is the address of its store. A load matches the store to the same
; address or, if there is none, an aligned store before it that covers it within the same doubleword. After a loss the
; ring is unreliable: the program skips the next SLOTS / 2 samples, and invalidates all entries meanwhile. -D SLOTS=N, a
; power of two, sets the number of array rows. -D FORWARDED=1 counts forwarded loads (store data from the store queue)
; in place of distances.

            .program memdep
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    RING   = SLOTS / 4
            .ifndef FORWARDED
            .equ    FORWARDED = 0
            .endif

            .const  offset = 7                      ; mask: offset of an address in its doubleword
            .if     !FORWARDED
            .const  within = RING - 1               ; mask: position in the ring
            .endif

            .base   stores = 0                      ; row: pc32 of the store, bytes
            .base   pairs  = SLOTS / 2, wide
            .index  now,    width log2(RING)
            .index  at,     width log2(RING)
            .index  slot,   width log2(RING) + 1
            .index  next,   width log2(RING) + 1    ; wraps to 0 when the last slot is taken
            .index  wiped,  width log2(RING) + 1, saturate

            .target gap
            .target found

            .filter class load, fload, store, fstore
            .entry  load, fload load
            .entry  store, fstore store

            .if     FORWARDED
            .slot   pairs[2 * RING] exact dependences {
                    key   : pc exact load
                    store : 32 pc exact store
                    loads : 16 exact loads
                    forwarded : 16 exact forwarded
            }
            .else
            .slot   pairs[2 * RING] exact dependences {
                    key   : pc exact load
                    store : 32 pc exact store
                    loads : 16 exact loads
                    distance : 16 exact distance
            }
            .endif

gap:        clr     wiped                           | done

store:      invalidate stores[wiped]                | inc wiped | if nolimit done
            mov     lost                            | if nonzero goto gap
            match   stores, ea -> at                | if miss goto put
            invalidate stores[at]                   ; only the youngest store to an address is valid
put:        write   stores[now], ea
            st      stores[now].b4, bytes
            st      stores[now].w0, pc32            | inc now | done

load:       invalidate stores[wiped]                | inc wiped | if nolimit done | mov ea -> v0
            mov     lost                            | if nonzero goto gap | invalidate stores[now] | inc now
            match   stores, ea -> at                | if miss goto inside
found:      ld      stores[at].w0 -> v0             | inc at        ; `now` is one ahead, too
            .if     FORWARDED
            mov     forward -> v1
            .else
            mov     now -> v1
            sub     v1, at -> v1
            and     v1, within -> v1
            .endif
            match   pairs, v0, pc32 -> slot         | if miss goto new
            inc     pairs[slot].loads               | if full interrupt
            add     pairs[slot].h3, v1              | if notfull done
            interrupt
new:        write   pairs[next], v0, pc32           | inc pairs[next].loads
            st      pairs[next].store, v0
            add     pairs[next].h3, v1              | inc next | if nolimit done
            interrupt

; No store to this address: a store to the start of the doubleword may cover it.
inside:     and     v0, offset -> v1                | if zero done
            sub     v0, v1 -> v0
            match   stores, v0 -> at                | if miss done
            ld      stores[at].b4 -> v2
            cmp     v1, v2                          | if lt goto found
            done
