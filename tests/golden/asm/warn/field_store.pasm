; no warning: the sampler profileme delivers stores behind their accesses
            .sampler profileme
            .filter class load, store
            .entry  load loads
            .entry  store stores
stores:     mov     dtmiss                  | if zero done
loads:      mov     l1miss                  | if zero done
            mov     ea -> v0                | done
