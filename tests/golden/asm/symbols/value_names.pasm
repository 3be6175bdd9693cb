; declarations of value and index registers that are wrong, and filters twice
            .program a_name_that_is_longer_than_the_image_has_room_for
            .value  first = v0
            .value  first = v1
            .value  second = v0
            .value  third = i0
            .value  fourth, keep
            .value  fifth, drop
            .index  pc32
            .index  a, width
            .index  b, saturate 5
            .index  c, wrap 5
            .index  d, wrap
            .index  e, depth 3
            .filter class load, load
            .filter class load
            .filter pc 5
            .filter pc mask 1 match 1 hash 0
            .filter pc mask 1 match 1 hash 0
            .filter ignore hash 0
            .filter ignore hash 0
            .filter ignore mask 0
            .filter class
            .filter wrong
            .filter class nothing
            done
