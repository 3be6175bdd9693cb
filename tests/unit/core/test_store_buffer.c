/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores that other harts do not see: loads of the hart get the youngest stored bytes, at every size and alignment, and
 * memory changes in program order. The reference is a copy of the memory for each of the stores. */
#include "base/random.h"
#include "core-model/riscv/hart.h"
#include "core-model/riscv/store_buffer.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { PLACE = 0x10000, BYTES = 64, STORES = 40, STEPS = REPETITIONS(200000) };

/* Memory as it is when the oldest `n` stores of the buffer have been performed. */
static uint8_t after[STORES + 1][BYTES];
static unsigned stores;

static uint64_t reference(unsigned n, unsigned at, unsigned size_bytes)
{
    uint64_t value = 0;
    memcpy(&value, &after[n][at], size_bytes);
    return value;
}

static void add(struct store_buffer *b, struct random *random, unsigned at, unsigned size_bytes)
{
    uint64_t value = random_bits(random);
    stores_add(b, PLACE + at, size_bytes, value);
    memcpy(after[stores + 1], after[stores], BYTES);
    memcpy(&after[++stores][at], &value, size_bytes);
}

static void perform(struct store_buffer *b, struct memory *m)
{
    unsigned size_bytes;
    uint64_t addr = stores_perform(b, m, &size_bytes);
    ck_assert(addr >= PLACE && addr + size_bytes <= PLACE + BYTES);
    memmove(after[0], after[1], sizeof after - sizeof after[0]);
    stores--;
}

START_TEST(loads_see_own_stores_and_memory_changes_in_order)
{
    static struct store_buffer buffer;
    struct random random = {.state = 5};
    struct hart h;
    struct errmsg err;
    ck_assert_msg(hart_init(&h, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(memory_map(&h.mem, PLACE, MEM_PAGE_BYTES, MEM_R | MEM_W), ST_OK);
    for (int i = 0; i < STEPS; i++) {
        unsigned size_bytes = 1u << random_below(&random, 4), at = random_below(&random, BYTES - size_bytes + 1);
        unsigned what = random_below(&random, 4);
        if (what == 0 && stores < STORES) {
            add(&buffer, &random, at, size_bytes);
        } else if (what == 1 && stores > 0 && random_below(&random, 2) == 0) {
            stores_undo(&buffer);
            stores--;
        } else if (what == 1 && stores > 0) {
            perform(&buffer, &h.mem);
        }
        uint64_t raw = 0;
        ck_assert(stores_load(&buffer, &h.mem, PLACE + at, size_bytes, &raw));
        ck_assert_uint_eq(raw, reference(stores, at, size_bytes));
        ck_assert_int_eq(memcmp(memory_at(&h.mem, PLACE), after[0], BYTES), 0);
        ck_assert_int_eq(stores_is_empty(&buffer), stores == 0);
    }
    hart_fini(&h);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("store_buffer");
    TCase *t = tcase_create("store_buffer");
    tcase_add_test(t, loads_see_own_stores_and_memory_changes_in_order);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
