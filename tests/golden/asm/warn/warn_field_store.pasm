; warnings: the sampler retire delivers stores before their accesses to the cache, and behind those to the TLB
            .filter class load, store
            .entry  load loads
            .entry  store stores
stores:     mov     dtmiss                  | if zero done
loads:      mov     l1miss                  | if zero done
            mov     ea -> v0                | done
