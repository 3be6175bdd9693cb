/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the names of an ELF file: its symbols, those of its .gnu_debugdata, its call frame information, stubs and
 * sections, and the demangled names. */
#include "host/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/symbols/short_name.h"
#include "tests/fuzz/fuzzed_file.h"
#include "tests/fuzz/fuzzed_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void see_name(void *ctx, const char *name) { *(size_t *)ctx += strlen(name); }

/* What is at the start of each function, and around it. */
static void see_entry(void *ctx, uint64_t start)
{
    const struct symbols *s = ctx;
    for (int i = -1; i <= 1; i++) {
        struct symbols_place p = symbols_find(s, start + (uint64_t)(int64_t)i);
        const char *library;
        free(symbols_function(s, p.start, &library));
        for (const char *c = p.function; c != NULL && *c != '\0'; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                BUG("a control character is in the name at 0x%llx", (unsigned long long)start);
    }
}

static void see_range(void *ctx, uint64_t start, uint64_t end)
{
    for (uint64_t i = 0; i < 16; i++)
        see_entry(ctx, start + i * ((end - start) / 16));
    free(symbols_frame(ctx, start));
}

/* Functions do not overlap. */
static void see_fuzzed_function(void *ctx, const struct symbols_function *f)
{
    uint64_t *end = ctx;
    if (f->start < *end || f->start >= f->end || f->shown[0] == '\0')
        BUG("the function '%s' is from 0x%llx to 0x%llx", f->shown, (unsigned long long)f->start,
            (unsigned long long)f->end);
    *end = f->end;
    for (enum short_form form = SHORT_NAME; form < SHORT_FORMS; form++)
        free(short_name(f->shown, form));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path, *remark;
    uint64_t end = 0;
    struct symbols *s;
    struct errmsg err = {{0}};
    size_t bytes = 0;
    uint64_t pc;
    write_fuzzed_file(data, size);
    if (symbols_new(&s, fuzzed_path, ":.debug", &err) != ST_OK) {
        check_refusal(&err);
        return 0;
    }
    symbols_each(s, see_name, &bytes);
    symbols_each_function(s, see_fuzzed_function, &end);
    while (symbols_next_remark(s, &path, &remark))
        bytes += strlen(remark);
    symbols_each_entry(s, see_entry, s);
    symbols_each_range(s, see_range, s);
    symbols_address(s, "main", &pc);
    symbols_free(s);
    return 0;
}
