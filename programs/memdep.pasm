; SPDX-License-Identifier: GPL-3.0-or-later
; memdep: which loads read what which stores have just written?
;
; Purpose   Memory dependence profiling: co-processor paper, section 4.
; Inputs    pc32 and ea of every load and store that retires, bytes of stores, lost.
; Outputs   pairs: one slot per load and store, whose addresses are the key: loads, how often the load depended on the
;           store; distance, the sum of the loads and stores from the store (excluded) to the load (included). The host
;           reads them when the last slot has been taken or a counter is at its end, and starts afresh. A counter of
;           loads at its end loses one distance.
; Registers now: the position of the sample in the ring of stores.  at: the entry of a store.  v0: address, then the
;           store's pc32.  v1: offset in the doubleword, then distance.  v2: scratch. wiped: entries of the ring that
;           are invalid; beyond the ring it counts on, which gives the buffer time to become empty. At its limit
;           samples are looked at. slot, next: the slot of the pair, and the next free one.
; Budget    By `pcasm --cost`: 6 or 7 cycles for a store; for a load 4 to 9 without a dependence, 10 with one, 5 more
;           if it lies inside a store's doubleword, 1 more with a new slot; 1 for a sample that is skipped, 3 for one
;           behind a loss.
;
; The ring has an entry for each of the last SLOTS / 4 samples, and those of loads are invalid: so a distance is the
; difference of two positions. An entry's key is the address of the store. A load finds the store to the same address
; or, if there is none, an aligned one before it that reaches it within the same doubleword. Behind a loss nothing in
; the ring is certain: the program skips the next SLOTS / 2 samples, and wipes the ring meanwhile. -D SLOTS=N, a power
; of two, fits the program to other arrays. -D FORWARDED=1 counts in place of distances how often the core forwarded a
; store's datum to the load.

            .program memdep
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    RING   = SLOTS / 4
            .ifndef FORWARDED
            .equ    FORWARDED = 0
            .endif

            .const  offset = 7                      ; of an address in its doubleword
            .if     !FORWARDED
            .const  within = RING - 1               ; of a position in the ring
            .endif

            .base   stores = 0                      ; a row: pc32 of the store, bytes
            .base   pairs  = SLOTS / 2, wide
            .index  now,    width log2(RING)
            .index  at,     width log2(RING)
            .index  slot,   width log2(RING) + 1
            .index  next,   width log2(RING) + 1    ; wraps to 0 when the last slot has been taken
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
            invalidate stores[at]                   ; the newest store to an address is the one
put:        write   stores[now], ea
            st      stores[now].b4, bytes
            st      stores[now].w0, pc32            | inc now | done

load:       invalidate stores[wiped]                | inc wiped | if nolimit done | mov ea -> v0
            mov     lost                            | if nonzero goto gap | invalidate stores[now] | inc now
            match   stores, ea -> at                | if miss goto inside
found:      ld      stores[at].w0 -> v0             | inc at        ; now is one ahead, too
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

; No store to this address: one to the beginning of the doubleword may reach it.
inside:     and     v0, offset -> v1                | if zero done
            sub     v0, v1 -> v0
            match   stores, v0 -> at                | if miss done
            ld      stores[at].b4 -> v2
            cmp     v1, v2                          | if lt goto found
            done
