; SPDX-License-Identifier: GPL-3.0-or-later deadstore: which stores are overwritten before they are read, and by which
; stores?
;
; Purpose   Dead stores (DeadSpy, CGO 2012; Witch, ASPLOS 2018), by matching recent addresses, which the co-processor
;           paper proposes for memory dependences (section 4).
; Inputs    pc32 and ea of every retired load and store, bytes of stores, lost.
; Outputs   dead: one slot per pair of a dead store and the store that overwrote it; the key is both addresses, the
;           counters their occurrences and the sum of their distances in loads and stores. totals: the number of stores
;           examined. The host reads and clears the slots when the last slot has been taken or a counter is full.
; Registers now: position of the sample in the window. at: ring entry of a store. v0: address, then pc32 of the dead
;           store. v1: offset in the doubleword, then bytes. v2: scratch. v3: distance. slot, next: slot of the pair,
;           and next free slot. pause: the gate; samples to be skipped.
; Budget    By `pcasm --cost`: 5 cycles for a store that overwrites none, 13 for one that does, 1 more with a new slot;
;           4 to 10 for a load; 1 more for the last sample of a window.
;
; The program examines windows of SLOTS / 4 consecutive samples, as memdep.pasm does. A store of the window has the
; entry of its position, which is valid while the store has not been read: a load of the same address, or of a byte in
; an aligned doubleword that was stored, invalidates it. An entry whose position is not below that of the sample is of
; an older window. After a window the gate is closed for a random number of samples, below 2^PAUSE at first; the driver
; makes the pauses longer until its handlers take `budget` of 1024 cycles. -D SLOTS=N, a power of two, sets the number
; of array rows.

            .program deadstore
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    RING   = SLOTS / 4
            .ifndef PAUSE
            .equ    PAUSE  = 10
            .endif

            .param  budget = 18, "cycles of the handlers in 1024 cycles: pauses are as long as that needs"

            .const  offset = 7                      ; mask: offset of an address in its doubleword

            .base   ring   = 0                      ; row: pc32 of the store, bytes
            .base   totals = RING
            .base   dead   = SLOTS / 2, wide
            .index  now,    width log2(RING), window
            .index  at,     width log2(RING)
            .index  slot,   width log2(RING) + 1
            .index  next,   width log2(RING) + 1    ; wraps to 0 when the last slot is taken
            .index  pause,  width PAUSE, gate

            .target put
            .target broken

            .filter class load, fload, store, fstore
            .entry  load, fload load
            .entry  store, fstore store

            .slot   dead[2 * RING] exact deadstores {
                    key   : pc exact by
                    store : 32 pc exact store
                    dead  : 16 exact dead
                    distance : 16 span
            }
            .slot   totals[1] {
                    stores : 64
            }

store:      mov     lost                            | if zero goto look | inc totals[i7].stores
            test    now                             | if inonzero goto broken
look:       match   ring, ea -> at                  | if hit goto unread
put:        write   ring[now], ea
            st      ring[now].b4, bytes
            st      ring[now].w0, pc32              | inc now | if nolimit done
pause:      mov     rnd16 -> pause                  | done

; A loss inside a window ends it.
broken:     clr     now                             | goto pause

; An unread store to this address: dead, unless it is of the window before or stored more bytes.
unread:     mov     now -> v3
            subs    v3, at -> v3                    | if zero goto put
            ld      ring[at].b4 -> v2               | invalidate ring[at]
            mov     bytes -> v1
            cmp     v1, v2                          | if lt goto put
            ld      ring[at].w0 -> v0
            match   dead, v0, pc32 -> slot          | if miss goto new
            inc     dead[slot].dead                 | if full interrupt
            add     dead[slot].distance, v3         | if notfull goto put
            interrupt
new:        write   dead[next], v0, pc32            | inc dead[next].dead
            st      dead[next].store, v0
            add     dead[next].distance, v3         | inc next | if nolimit goto put
            interrupt

load:       mov     lost                            | if zero goto step
            test    now                             | if inonzero goto broken
step:       invalidate ring[now]                    | inc now | if nolimit goto find
            mov     rnd16 -> pause
find:       match   ring, ea -> at                  | if miss goto inside
            invalidate ring[at]                     | done
; No store to this address: a store to the start of the doubleword may cover it.
inside:     mov     ea -> v0
            and     v0, offset -> v1                | if zero done
            sub     v0, v1 -> v0
            match   ring, v0 -> at                  | if miss done
            ld      ring[at].b4 -> v2
            cmp     v1, v2                          | if ge done
            invalidate ring[at]                     | done
