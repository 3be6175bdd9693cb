; errors: words behind the head of a slot
            .base   slots = 0
            .slot   slots[4] exat branches { key : pc exact pc, n : 32 exact executions }
            .slot   b8[4] { n : 32 }
            .slot   b1[4] exact branches, part 3 { n : 32 }
            .slot   b2[4] { n : 32 exct executions }
            .slot   a_name_that_is_longer_than_the_image_has_room_for[4] { n : 32 }
            .slot   b4[4] { key : dec }
            .slot   b5[4096] { key : pc, n : 32 }
            done
