; SPDX-License-Identifier: GPL-3.0-or-later
; memdep: which loads read the data of which recent stores?
;
; Purpose   Memory dependence profiling: co-processor paper, section 4.
; Inputs    pc32 and ea of every retired load and store, bytes of stores, lost.
; Outputs   pairs: one slot per pair of load and store; the key is both addresses. loads: how often the load depended on
;           the store; distance: the sum of the numbers of loads and stores from the store (excluded) to the load
;           (included). The host reads and clears the slots when the last slot has been taken or a counter is full. When
;           loads is full, one distance is lost.
; Registers now: position of the sample in the window. at: ring entry of a store. v0: address, then pc32 of the store.
;           v1: position of the load, then distance. v2: offset in the doubleword. v3: scratch. slot, next: slot of the
;           pair, and next free slot. pause: the gate; samples to be skipped.
; Budget    By `pcasm --cost`: 5 or 6 cycles for a store; 4 to 8 for a load without a dependence, 8 with one, 6 more if
;           the load lies inside a store's doubleword, 1 more with a new slot; 1 more for the last sample of a window.
;
; The program examines windows of SLOTS / 4 consecutive samples. Each sample of a window has an entry of the ring, by
; its position; entries of loads are invalid. The key of an entry is the address of its store. A load matches the store
; to the same address or, if there is none, an aligned store before it that covers it within the same doubleword. An
; entry whose position is not below the load's is of an older window: no entry is invalidated between windows, and of
; two with the same address the younger window's is found, because its position is lower. After a window the gate is
; closed for a random number of samples, below 2^PAUSE at first; the driver makes the pauses longer until its handlers
; take `budget` of 1024 cycles. -D SLOTS=N, a power of two, sets the number of array rows. -D FORWARDED=1 counts
; forwarded loads (store data from the store queue) in place of distances; such counts are not corrected for the
; distance.

            .program memdep
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    RING   = SLOTS / 4
            .ifndef PAUSE
            .equ    PAUSE  = 10
            .endif
            .ifndef FORWARDED
            .equ    FORWARDED = 0
            .endif

            .param  budget = 18, "cycles of the handlers in 1024 cycles: pauses are as long as that needs"

            .const  offset = 7                      ; mask: offset of an address in its doubleword

            .base   stores = 0                      ; row: pc32 of the store, bytes
            .base   pairs  = SLOTS / 2, wide
            .index  now,    width log2(RING), window
            .index  at,     width log2(RING)
            .index  slot,   width log2(RING) + 1
            .index  next,   width log2(RING) + 1    ; wraps to 0 when the last slot is taken
            .index  pause,  width PAUSE, gate

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
                    distance : 16 span exact distance
            }
            .endif

store:      mov     lost                            | if zero goto only
            test    now                             | if inonzero goto broken
only:       match   stores, ea -> at                | if miss goto put
            invalidate stores[at]                   ; only the youngest store to an address is valid
put:        write   stores[now], ea
            st      stores[now].b4, bytes
            st      stores[now].w0, pc32            | inc now | if nolimit done
pause:      mov     rnd16 -> pause                  | done

; A loss inside a window ends it.
broken:     clr     now                             | goto pause

load:       mov     lost                            | if zero goto step
            test    now                             | if inonzero goto broken
step:       invalidate stores[now]                  | mov now -> v1 | inc now | if nolimit goto look
            mov     rnd16 -> pause
look:       match   stores, ea -> at                | if miss goto inside
found:      subs    v1, at -> v1                    | if clip done  ; an entry of the window before
            ld      stores[at].w0 -> v0
            .if     FORWARDED
            mov     forward -> v1
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
inside:     mov     ea -> v0
            and     v0, offset -> v2                | if zero done
            sub     v0, v2 -> v0
            match   stores, v0 -> at                | if miss done
            ld      stores[at].b4 -> v3
            cmp     v2, v3                          | if lt goto found
            done
