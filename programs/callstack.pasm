; SPDX-License-Identifier: GPL-3.0-or-later
; callstack: in which calling contexts are branches mispredicted, or do loads miss?
;
; Purpose   Call stack monitoring: co-processor paper, section 4.
; Inputs    target32 and sp of every call, return and linked jump that retires; sp, and mispred of every conditional
;           branch and indirect jump or l1miss of every load and atomic; lost of all but returns.
; Outputs   contexts: a slot for each calling context in which an event happened, with their number, and for each in
;           which one of these was called. The key is the context's number (isa/contract/context.h); parent is that of
;           the context in which it was called. Both give the function called. The host reads the slots when the last
;           one has been taken or a counter is at its end; the stack stays.
;           stack: a row for each function called that has not returned, the oldest one first: the context within it,
;           and its stack pointer, 0 until it is known. Bit 0 says that it is none to be compared with.
;           marks: how often the stack pointer has given a context back, and how often one was marked unknown.
; Registers slot: the slot of a context.  next: the next free one.  top: the row of the running function.  up: the row
;           of the one that it calls.  walk: a row on the way down.  current: the context.  v1, v2: scratch.  v3: the
;           event of a context that gets a slot; from `sync` on 1 for a return and 0 for a call.
; Budget    By `pcasm --cost`, every branch predicted right: 2 cycles for a branch or load without an event; 5 for an
;           event, 3 more for the first one of a function, 7 more for each context that gets a slot, and 2 more.
;           6 for a call, 9 for the first one of a function; 3 for a return; 8 for the jump of a stub. Where a row
;           is looked for, 10 to 12 more, and 4 for each row that is left.
;
; Calls of a function all have one stack pointer, which its row keeps: from its first call, or from its first event
; unless that has the stack pointer of the caller, as in a function without a frame. Between two samples calls and
; returns can have been lost:
; - At an event the context is unknown then, until the next call or return. With -D TRUST=1 it is still the same if the
;   stack pointer is.
; - At a call behind lost samples, and at a return to another stack pointer than that of the row below, rows are left
;   up to one that has the stack pointer: its function is running. If none has it, an unknown function is, and what it
;   calls are contexts of their own. Without lost samples such a return is that of longjmp or of an exception.
; Functions below the last row overwrite it; returns to them lead to unknown contexts.
;
; -D MISSES=1 counts misses of the L1 data cache. -D SLOTS=N and -D DEPTH=N, powers of two, fit the program to other
; arrays: SLOTS + 2 DEPTH rows. `walk` wraps below row 0 to rows behind the stack, which are 0 but for the marks.

            .program callstack
            .ifndef SLOTS
            .equ    SLOTS  = 128
            .endif
            .ifndef DEPTH
            .equ    DEPTH  = SLOTS / 2
            .endif
            .ifndef TRUST
            .equ    TRUST  = 0
            .endif
            .ifndef MISSES
            .equ    MISSES = 0
            .endif

            .const  unknown = 1                         ; number of an unknown context; bit 0 of a stack pointer

            .base   contexts = 0
            .base   stack    = SLOTS
            .base   marks    = SLOTS + DEPTH
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)             ; wraps to 0 when the last slot has been taken
            .index  top, width log2(DEPTH), saturate
            .index  up, width log2(DEPTH), saturate
            .index  walk, width log2(DEPTH) + 1         ; wraps below row 0
            .value  current = v0, keep

            .target push
            .target happened

            .if     MISSES
            .slot   contexts[SLOTS] exact contexts {
                    key          : hex exact context
                    parent       : 32 max
                    missed       : 32 exact missed
            }
            .else
            .slot   contexts[SLOTS] exact contexts {
                    key          : hex exact context
                    parent       : 32 max
                    mispredicted : 32 exact mispredicted
            }
            .endif
            .slot   stack[2 * DEPTH] { within : 32 max, sp : 32 max }
            .slot   marks[1] { repaired : 32, doubted : 32 }

            .filter class call, icall, ret, swap, ljump
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
            dec     top -> walk                                 ; it has not called yet
            ld      stack[walk].sp | mov sp     | if same goto leaf
            or      stack[top].sp, sp           | goto count
leaf:       or      stack[top].sp, unknown                      ; without a frame: no stack pointer of its own
count:      match   contexts, current -> slot   | if miss goto newcomer
            inc     contexts[slot].w1           | if notfull done
            interrupt
doubt:
            .if     TRUST
            ld      stack[top].sp | mov sp      | if same goto happened
            .endif
            mov     unknown -> current          | or stack[top].sp, unknown
            inc     marks[i7].doubted           | goto happened

; The context gets a slot, with the event, and so do those in which it was called, up to one that has a slot.
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

; The stub of a library's function jumps to it: as if its caller had called the function.
relink:     dec     top
            ld      stack[top].sp | mov sp      | if differ goto stray
            ld      stack[top].within -> current | inc top -> up | goto push
stray:      inc     top
            mov     unknown -> current          | or stack[top].sp, unknown
            inc     marks[i7].doubted           | done

call:       ld      stack[top].sp | mov sp      | inc top -> up | if same goto push
            mov     lost                        | if nonzero goto seek
            cmp     current, unknown            | if eq goto seek
            st      stack[top].sp, sp           | goto push     ; its first call, or behind alloca

; Leave rows up to the one that has this stack pointer.
seek:       mov     zero -> v3
sync:       ld      stack[top].sp -> v1
            bic     v1, unknown -> v1
            cmp.32  v1, sp                      | if ge goto level
            dec     top                         | if nolimit goto sync
            ld      stack[top].sp -> v1
            bic     v1, unknown -> v1
            cmp.32  v1, sp                      | if lt goto lose
level:      cmp.32  v1, sp                      | if eq goto found
            inc     top
lose:       st      stack[top].d, unknown                       ; within, and no stack pointer
            inc     marks[i7].doubted           | goto settle
found:      inc     marks[i7].repaired
settle:     st      stack[top].sp, sp
            ld      stack[top].within -> current
            mov     v3                          | inc top -> up | if nonzero done

push:       shl2    current -> v1               | st stack[up].d, current
            add.32  v1, target32 -> v1          | inc top
            or      stack[up].h1, target32 -> row v2
            add.32  v1, v2 -> v1
            mov     v1 -> current               | st stack[top].d, v1 | done
