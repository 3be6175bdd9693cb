; SPDX-License-Identifier: GPL-3.0-or-later
; callstack: in which calling contexts are branches mispredicted, or do loads miss?
;
; Purpose   Call stack monitoring: co-processor paper, section 4.
; Inputs    target32 and sp of every retired call, return and linked jump; sp of every event candidate, with mispred of
;           conditional branches and indirect jumps, or l1miss of loads and atomics; lost, of all but returns.
; Outputs   contexts: one slot per calling context with events, and one per caller context of these. The slot counts the
;           events. The key is the number of the context (contract/context.h); parent is the number of the caller's
;           context. The two numbers determine the called function. The host reads and clears the slots when the last
;           slot has been taken or a counter is full; the stack is kept.
;           stack: one row per active function, the oldest first: the number of its context, and its stack pointer, 0
;           until known. Bit 0 set: the stack pointer must not be compared.
;           marks: how often the stack pointer recovered a context, and how often a context was marked unknown.
; Registers slot: slot of a context. next: next free slot. top: row of the running function. up: row of its callee.
;           walk: row during a walk down the stack. current: number of the current context. v1, v2: scratch. v3: the
;           event of a context that gets a slot; from `sync` on, 1 for a return and 0 for a call.
; Budget    By `pcasm --cost`, if all microcode branches are predicted correctly. A branch or load without an event
;           takes 2 cycles, an event 5; the first event of a function takes 3 more; each context that gets a slot takes
;           7 more, plus 2 once. A call takes 6 cycles, the first call of a function 9, a return 3, the jump of a stub
;           8. A search for a row takes 10 to 12 more, and 4 per row removed.
;
; All calls from one activation of a function see the same stack pointer, which its row keeps from its first call, or
; from its first event unless that has the caller's stack pointer, as in a function without a frame. Samples of
; calls and returns are kept from the early drop, so they are lost only if the buffer is full. `lost` counts them alone:
; - At an event after a loss the context is unknown until the next call or return.
; - At a call after a loss, and at a return whose stack pointer differs from that of the row below, rows are removed
;   down to the one with this stack pointer: its function is running. If there is none, the function is unknown, and its
;   callees get contexts of their own. Without a loss, such a return is from longjmp or an exception.
; Functions beyond the last row overwrite it; returns to them lead to unknown contexts. A stack pointer above that of
; all rows is of a function that was active when the profile began: all these have the context 0.
;
; -D MISSES=1 counts misses of the L1 data cache. -D SLOTS=N and -D DEPTH=N, powers of two, set the array sizes: SLOTS +
; 2 DEPTH rows. Below row 0 `walk` wraps to rows beyond the stack, which are 0 except for the marks.

            .program callstack
            .ifndef SLOTS
            .equ    SLOTS  = 128
            .endif
            .ifndef DEPTH
            .equ    DEPTH  = SLOTS / 2
            .endif
            .ifndef MISSES
            .equ    MISSES = 0
            .endif

            .const  unknown = 1                         ; number of an unknown context; bit 0 of a stack pointer

            .base   contexts = 0
            .base   stack    = SLOTS
            .base   marks    = SLOTS + DEPTH
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)             ; wraps to 0 when the last slot is taken
            .index  top, width log2(DEPTH), saturate
            .index  up, width log2(DEPTH), saturate
            .index  walk, width log2(DEPTH) + 1         ; wraps below row 0
            .value  current = v0, keep

            .target push
            .target happened

            .if     MISSES
            .slot   contexts[SLOTS] exact contexts {
                    key          : hex exact context
                    parent       : 32 last hex
                    missed       : 32 exact missed
            }
            .else
            .slot   contexts[SLOTS] exact contexts {
                    key          : hex exact context
                    parent       : 32 last hex
                    mispredicted : 32 exact mispredicted
            }
            .endif
            .slot   stack[2 * DEPTH] { within : 32 max, sp : 32 max }
            .slot   marks[1] { repaired : 32, doubted : 32 }

            .filter class call, icall, ret, swap, ljump
            .filter keep call, icall, ret, swap, ljump
            .entry  call, icall call
            .entry  ret     return
            .entry  swap, ljump relink
            .if     MISSES
            .filter class load, fload, atomic
            .entry  load, fload, atomic event
            .else
            .filter class branch, ijump
            .entry  branch, ijump event
            .endif

event:      mov     lost                        | if nonzero goto doubt
            .if     MISSES
happened:   mov     l1miss                      | if zero done
            .else
happened:   mov     mispred                     | if zero done
            .endif
            ld      stack[top].sp               | if notempty goto count
            dec     top -> walk                                 ; no call from this function yet
            ld      stack[walk].sp | mov sp     | if same goto leaf
            or      stack[top].sp, sp           | goto count
leaf:       or      stack[top].sp, unknown                      ; without a frame: no stack pointer of its own
count:      match   contexts, current -> slot   | if miss goto newcomer
            inc     contexts[slot].w1           | if notfull done
            interrupt
doubt:      mov     unknown -> current          | or stack[top].sp, unknown
            inc     marks[i7].doubted           | goto happened

; Allocates a slot for the context, with the event, and for each caller context up to the first that has a slot.
newcomer:   mov     unknown -> v3                               ; one event
            mov     current -> v1               | dec top -> walk
list:       write   contexts[next], v1
            ld      stack[walk].within -> v2
            st      contexts[next].d, v2                        ; parent; no event
            add     contexts[next].w1, v3       | inc next | if limit interrupt
            mov     zero -> v3
            match   contexts, v2 -> slot        | if hit done
            mov     v2 -> v1                    | dec walk | if nolimit goto list
            done

return:     dec     top
            ld      stack[top].sp | mov sp      | if differ goto wrong
            ld      stack[top].within -> current | done
wrong:      inc     top                         | mov unknown -> v3 | goto sync

; A stub's jump to a library function: treated as a call of the function by the stub's caller.
relink:     dec     top
            ld      stack[top].sp | mov sp      | if differ goto stray
            ld      stack[top].within -> current | inc top -> up | goto push
stray:      inc     top
            mov     unknown -> current          | or stack[top].sp, unknown
            inc     marks[i7].doubted           | done

call:       ld      stack[top].sp | mov sp      | inc top -> up | if same goto push
            mov     lost                        | if nonzero goto seek
            cmp     current, unknown            | if eq goto seek
            st      stack[top].sp, sp           | goto push     ; first call of the function, or a call after alloca

; Removes rows down to the one with this stack pointer.
seek:       mov     zero -> v3
sync:       ld      stack[top].sp -> v1
            bic     v1, unknown -> v1
            cmp.32  v1, sp                      | if ge goto level
            dec     top                         | if nolimit goto sync
            ld      stack[top].sp -> v1
            bic     v1, unknown -> v1
            cmp.32  v1, sp                      | if lt goto before
level:      cmp.32  v1, sp                      | if eq goto found
            inc     top
            st      stack[top].d, unknown                       ; within, and no stack pointer
            inc     marks[i7].doubted           | goto settle
before:     st      stack[top].d, zero          | goto settle   ; below all rows: active before the start
found:      inc     marks[i7].repaired
settle:     st      stack[top].sp, sp
            ld      stack[top].within -> current
            mov     v3                          | inc top -> up | if nonzero done

push:       shl2    current -> v1               | st stack[up].d, current
            add.32  v1, target32 -> v1          | inc top
            or      stack[up].h1, target32 -> row v2
            add.32  v1, v2 -> v1
            mov     v1 -> current               | st stack[top].d, v1 | done
