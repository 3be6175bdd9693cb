            .const a = 08
            .const b = 0x
            .const c = 0xg
            .const d = 12ab
            .const e = 18446744073709551616
            .const f = 0b12
            .const g = ''
            .const h = 'ab'
            done
