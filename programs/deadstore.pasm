; SPDX-License-Identifier: GPL-3.0-or-later
; deadstore: which stores are overwritten before they are read, and by which stores?
;
; Purpose   Dead stores (DeadSpy, CGO 2012; Witch, ASPLOS 2018), by matching recent addresses, which the co-processor
;           paper proposes for memory dependences (section 4).
; Inputs    pc32 and ea of every retired load and store, bytes of stores, lost.
; Outputs   dead: one slot per pair of a dead store and the store that overwrote it; the key is both addresses, the
;           counter their occurrences. totals: the number of stores examined. The host reads and clears the slots when
;           the last slot has been taken or the counter of dead stores is full.
; Registers now: position of the sample in the ring of stores. at: ring entry of a store. v0: address, then pc32 of the
;           dead store. v1: offset in the doubleword, then bytes. v2: scratch. wiped: number of invalidated ring
;           entries; it counts on beyond the ring's size, so that the sample buffer can drain. Samples are examined
;           while it is at its limit. slot, next: slot of the pair, and next free slot.
; Budget    By `pcasm --cost`: 6 cycles for a store that overwrites none, 12 for one that does, 1 more with a new slot;
;           4 to 9 for a load; 1 for a skipped sample, 3 for the first sample after a loss.
;
; The ring has one entry for each of the last SLOTS / 4 samples. An entry is valid while its store has not been read: a
; load of the same address, or of a byte in an aligned doubleword that was stored, invalidates it. After a loss the ring
; is unreliable: the program skips the next SLOTS / 2 samples, and invalidates all entries meanwhile. -D SLOTS=N, a
; power of two, sets the number of array rows.

            .program deadstore
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    RING   = SLOTS / 4

            .const  offset = 7                      ; mask: offset of an address in its doubleword

            .base   ring   = 0                      ; row: pc32 of the store, bytes
            .base   totals = RING
            .base   dead   = SLOTS / 2, wide
            .index  now,    width log2(RING)
            .index  at,     width log2(RING)
            .index  slot,   width log2(RING) + 1
            .index  next,   width log2(RING) + 1    ; wraps to 0 when the last slot is taken
            .index  wiped,  width log2(RING) + 1, saturate

            .target put
            .target gap

            .filter class load, fload, store, fstore
            .entry  load, fload load
            .entry  store, fstore store

            .slot   dead[2 * RING] exact deadstores {
                    key   : pc exact by
                    store : 32 pc exact store
                    dead  : 32 exact dead
            }
            .slot   totals[1] {
                    stores : 64
            }

gap:        clr     wiped                           | done

store:      invalidate ring[wiped]                  | inc wiped | if nolimit done
            mov     lost                            | if nonzero goto gap | inc totals[i7].stores
            match   ring, ea -> at                  | if hit goto unread
put:        write   ring[now], ea
            st      ring[now].b4, bytes
            st      ring[now].w0, pc32              | inc now | done

; An unread store to this address: dead, unless it stored more bytes.
unread:     ld      ring[at].b4 -> v2               | invalidate ring[at]
            mov     bytes -> v1
            cmp     v1, v2                          | if lt goto put
            ld      ring[at].w0 -> v0
            match   dead, v0, pc32 -> slot          | if miss goto new
            inc     dead[slot].dead                 | if notfull goto put
            interrupt
new:        write   dead[next], v0, pc32            | inc dead[next].dead
            st      dead[next].store, v0            | inc next | if nolimit goto put
            interrupt

load:       invalidate ring[wiped]                  | inc wiped | if nolimit done | mov ea -> v0
            mov     lost                            | if nonzero goto gap | invalidate ring[now] | inc now
            match   ring, ea -> at                  | if miss goto inside
            invalidate ring[at]                     | done
; No store to this address: a store to the start of the doubleword may cover it.
inside:     and     v0, offset -> v1                | if zero done
            sub     v0, v1 -> v0
            match   ring, v0 -> at                  | if miss done
            ld      ring[at].b4 -> v2
            cmp     v1, v2                          | if ge done
            invalidate ring[at]                     | done
