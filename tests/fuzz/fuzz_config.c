/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes configurations: the text of a file, then assignments of --set, each behind a NUL. What the checks accept is
 * the same after it was written and read, and caches and TLBs can be made of it. Most inputs that are accepted change
 * nothing, and the default is left to the unit test. */
#include <stdlib.h>
#include <string.h>

#include "core-model/config/config.h"
#include "core-model/mem/hierarchy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_survives(const struct core_config *cfg)
{
    struct core_config again;
    struct errmsg err;
    char *text;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    core_config_dump(cfg, out);
    xclose_text(out);
    core_config_default(&again);
    if (core_config_parse("written", text, &again, &err) != ST_OK)
        BUG("written and not read: %s", err.text);
    if (memcmp(cfg, &again, sizeof again) != 0)
        BUG("written and read, and not the same");
    free(text);
}

/* Large ones take too long here. */
static void check_makes_caches(const struct core_config *cfg)
{
    enum { SMALL = 1 << 22 }; /* the default of the last-level cache */
    struct hierarchy h;
    if (cfg->l1i_bytes > SMALL || cfg->l1d_bytes > SMALL || cfg->l2_bytes > SMALL || cfg->llc_bytes > SMALL)
        return;
    hierarchy_init(&h, cfg);
    for (uint64_t addr = 0; addr < 4096; addr += 40)
        (void)hierarchy_data(&h, addr, 8, addr, addr % 3 == 0);
    hierarchy_fini(&h);
}

static bool is_default(const struct core_config *cfg)
{
    struct core_config by_default;
    core_config_default(&by_default);
    return memcmp(cfg, &by_default, sizeof by_default) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct core_config cfg;
    struct errmsg err;
    char *text = xmalloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    core_config_default(&cfg);
    enum status st = core_config_parse("text", text, &cfg, &err);
    for (const char *at = text + strlen(text) + 1; st == ST_OK && at < text + size; at += strlen(at) + 1)
        st = core_config_set(&cfg, at, &err);
    if (st == ST_OK && core_config_check(&cfg, &err) == ST_OK && !is_default(&cfg)) {
        check_survives(&cfg);
        check_makes_caches(&cfg);
    }
    free(text);
    return 0;
}
