/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the micro-tests, and checks that they cover every key that a core reads. The sources show
 * which core reads a key: a key read in pipe/ needs a row on the out-of-order core, one read in inorder/ a row on the
 * in-order core, one read in front/ both, one read in the rest of core-model/ any row. The keys of function units are
 * read by both cores. */
#include "tests/micro/micro.h"
#include "tests/unit/plain_memory.h"

#include <ctype.h>
#include <dirent.h>

#include "base/file.h"
#include "tests/unit/suite.h"

static const struct micro_table *const tables[] = {
    &micro_front_end, &micro_window, &micro_units, &micro_order, &micro_caches, &micro_memory, &micro_predictors,
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static const struct key {
    const char *name;
    size_t offset;
    bool of_unit;
} keys[] = {
#define PARAM(key, def, min, max, unit, help) {#key, offsetof(struct core_config, key), false},
#define UNIT(key, suffix, count, latency, pipe, help)                       \
    {#key "_units", offsetof(struct core_config, key##_units), true},       \
        {#key "_cycles", offsetof(struct core_config, key##_cycles), true}, \
        {#key "_pipelined", offsetof(struct core_config, key##_pipelined), true},
#include "core-model/config/config.def"
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* A machine in which nothing is in the way, but all latencies are the default's. Nothing is prefetched. */
static struct core_config micro_base(void)
{
    struct core_config c;
    core_config_default(&c);
    plain_memory(&c);
    c.fetch_width = c.decode_width = 16;
    c.fetch_block_bytes = 64;
    c.fetch_buffer = 256;
    c.ftq_entries = c.max_branches = c.rob_entries = 512;
    c.commit_width = 8;
    c.int_registers = c.fp_registers = 1024;
    c.mem_queue = c.int_queue = c.fp_queue = c.load_queue = 512;
    c.store_queue = 64;
    c.mem_issue = c.int_issue = c.fp_issue = 16;
    c.mem_ports = c.store_drain = 8;
    c.l1d_next_line = c.l1i_next_line = 0;
    c.l1i_mshrs = c.l1d_mshrs = c.l2_mshrs = c.llc_mshrs = 64;
    c.llc_bytes = 1 << 20;
#define PARAM(key, def, min, max, unit, help)
#define UNIT(key, suffix, count, latency, pipe, help) \
    c.key##_units = 8;                                \
    c.key##_pipelined = 1;
#include "core-model/config/config.def"
    return c;
}

static const struct key *key_find(const char *name)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    ck_abort_msg("config.def has no key %s", name);
}

/* The figure at one value of the row's key. */
static uint64_t figure(const struct micro_row *row, uint32_t value, uint32_t core)
{
    struct micro m = {.cfg = micro_base(), .kind = row->kind};
    struct errmsg err = {{0}};
    m.cfg.core = core;
    if (row->set != NULL)
        row->set(&m);
    *(uint32_t *)(void *)((char *)&m.cfg + key_find(row->key)->offset) = value;
    ck_assert_msg(core_config_check(&m.cfg, &err) == ST_OK, "%s: %s", row->key, err.text);
    uint64_t measured = row->measure(&m), expected = row->expect(&m);
    ck_assert_msg(measured == expected, "%s = %u, core %s, kind %u: %llu, expected %llu", row->key, value,
                  core ? "inorder" : "ooo", row->kind, (unsigned long long)measured, (unsigned long long)expected);
    return measured;
}

static void run_row(const struct micro_row *row, uint32_t core)
{
    uint64_t first = figure(row, row->value[0], core);
    bool differs = false;
    for (uint32_t i = 1; i < row->values; i++)
        differs |= figure(row, row->value[i], core) != first;
    ck_assert_msg(differs != row->inert, "%s, core %s, kind %u: its values %s", row->key, core ? "inorder" : "ooo",
                  row->kind, differs ? "make a difference" : "make no difference");
}

/* Row number _i % MOST_ROWS of table _i / MOST_ROWS. */
enum { MOST_ROWS = 1000 };
START_TEST(row)
{
    const struct micro_row *r = &tables[_i / MOST_ROWS]->row[_i % MOST_ROWS];
    ck_assert_uint_ge(r->values, 2);
    if (r->core & (MICRO_OOO | MICRO_SHARED))
        run_row(r, 0);
    if (r->core & MICRO_INORDER)
        run_row(r, 1);
}
END_TEST

/* Does the text have `name` as a member of something called cfg or config? */
static bool reads(const char *text, const char *name)
{
    static const char *const owners[] = {"cfg.", "cfg->", "config.", "config->"};
    char access[64];
    for (size_t o = 0; o < sizeof owners / sizeof owners[0]; o++) {
        size_t length = (size_t)snprintf(access, sizeof access, "%s%s", owners[o], name);
        for (const char *at = text; (at = strstr(at, access)) != NULL; at += length)
            if (!isalnum((unsigned char)at[length]) && at[length] != '_')
                return true;
    }
    return false;
}

/* Marks the keys that the sources of a folder read. */
static void mark_read(const char *folder, bool *read)
{
    DIR *d = opendir(folder);
    ck_assert_msg(d != NULL, "%s: no such folder", folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        size_t length = strlen(e->d_name), size;
        if (length < 3 || e->d_name[length - 2] != '.' || strcmp(e->d_name, "config.c") == 0)
            continue;
        char *path = xasprintf("%s/%s", folder, e->d_name), *text;
        struct errmsg err;
        ck_assert_msg(file_read(path, 1 << 20, &text, &size, &err) == ST_OK, "%s", err.text);
        for (int i = 0; i < KEYS; i++)
            read[i] |= reads(text, keys[i].name);
        free(text);
        free(path);
    }
    closedir(d);
}

static bool covered(const char *key, unsigned cores)
{
    for (int t = 0; t < TABLES; t++)
        for (unsigned n = 0; n < tables[t]->rows; n++)
            if (strcmp(tables[t]->row[n].key, key) == 0 && (tables[t]->row[n].core & cores))
                return true;
    return false;
}

START_TEST(every_key_is_covered)
{
    bool ooo[KEYS] = {false}, inorder[KEYS] = {false}, shared[KEYS] = {false}, outside[KEYS] = {false};
    mark_read("core-model/pipe", ooo);
    mark_read("core-model/inorder", inorder);
    mark_read("core-model/front", ooo); /* both cores have it */
    mark_read("core-model/front", inorder);
    mark_read("core-model/mem", shared);
    mark_read("core-model/bpred", shared);
    mark_read("core-model", shared);
    mark_read("tools/pcemu", outside); /* the guest's clock */
    for (int i = 0; i < KEYS; i++) {
        outside[i] |= strncmp(keys[i].name, "host_", 5) == 0; /* the driver's: contract/host_cost.def */
        outside[i] |= strncmp(keys[i].name, "cop_", 4) == 0;  /* the co-processor's: isa/cop_config.def */
    }
    for (int i = 0; i < KEYS; i++) {
        const char *name = keys[i].name;
        ooo[i] |= keys[i].of_unit;
        inorder[i] |= keys[i].of_unit;
        ck_assert_msg(ooo[i] || inorder[i] || shared[i] || outside[i], "%s is read nowhere", name);
        ck_assert_msg(!ooo[i] || covered(name, MICRO_OOO), "no micro-test of %s on the out-of-order core", name);
        ck_assert_msg(!inorder[i] || covered(name, MICRO_INORDER), "no micro-test of %s on the in-order core", name);
        ck_assert_msg(!shared[i] || covered(name, MICRO_BOTH | MICRO_SHARED), "no micro-test of %s", name);
    }
}
END_TEST

/* A case for each table, which CK_RUN_CASE selects by the table's name, and the case "coverage". */
int main(void)
{
    Suite *s = suite_create("micro");
    TCase *c = tcase_create("coverage");
    tcase_add_test(c, every_key_is_covered);
    suite_add_tcase(s, c);
    for (int t = 0; t < TABLES; t++) {
        c = tcase_create(tables[t]->name);
        tcase_set_timeout(c, 60);
        tcase_add_loop_test(c, row, t * MOST_ROWS, t * MOST_ROWS + (int)tables[t]->rows);
        suite_add_tcase(s, c);
    }
    return run_suite(s);
}
