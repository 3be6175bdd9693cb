; SPDX-License-Identifier: GPL-3.0-or-later
; simple: which values do sampled loads return, one load in N, without aggregation?
;
; Purpose   The baseline sampler for the value profiles (co-processor paper, sections 5 and 5.3): no filtering and no
;           aggregation; every recorded sample becomes an update of the host's table.
; Inputs    pc32 and result32 of every retired integer load.
; Outputs   slots: one per recorded sample: its load and value. The host reads and clears them when all are full.
; Registers tick: counts loads; the load at which it wraps is recorded. It restarts at a random value in 1..2N, so that
;           sampling is not in phase with any loop. at: next slot.
; Budget    1 cycle for a load that is not recorded; 5 for one that is.
;
; -D N=512, 1024 (default) or 2048, a power of two: loads per recorded load. -D SLOTS=N sets the number of array rows.

            .program simple
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef N
            .equ    N      = 1024
            .endif

            .base   slots  = 0
            .index  at,   width log2(SLOTS)
            .index  tick, width log2(N) + 1

            .filter class load
            .entry  load   look

            .slot   slots[SLOTS] {
                    key   : pc
                    value : 32 hex
                    total : 32
            }

look:       inc     tick                            | if nolimit done
            mov     rnd16 -> tick
            write   slots[at], pc32
            st      slots[at].value, result32
            inc     slots[at].total                 | inc at | if nolimit done
full:       interrupt
