/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what a profile takes from an ELF file: functions, lines, scopes, code, constants with their relocations; and
 * for one input in 16, by the sum of its bytes, the control-flow graph of the code, whose jump tables are among the
 * constants: graphs took two thirds of the time of all inputs. */
#include "host/run/run_images.h"

#include <stdlib.h>
#include <string.h>

#include "core-model/riscv/describe.h"
#include "host/analysis/from_profile.h"
#include "tests/fuzz/fuzzed_file.h"
#include "tests/fuzz/fuzzed_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what is collected ---- */

struct seen {
    struct run_images *images;
    const struct profile *profile;
};

/* Looks up the image at the start of an executable section. */
static void see_range(void *ctx, uint64_t start, uint64_t end)
{
    const struct seen *s = ctx;
    uint32_t image;
    uint64_t address;
    (void)end;
    if (run_images_find(s->images, start, &image, &address) && image >= profile_images(s->profile))
        BUG("image %u is none of %zu", image, profile_images(s->profile));
}

/* Returns the sum of all bytes: each of them is read. */
static unsigned sum_sections(const struct profile_code *section, size_t count)
{
    unsigned sum = 0;
    for (size_t n = 0; n < count; n++) {
        if (n > 0 && section[n].start < section[n - 1].start)
            BUG("a section at 0x%llx follows one at 0x%llx", (unsigned long long)section[n].start,
                (unsigned long long)section[n - 1].start);
        for (size_t byte = 0; byte < section[n].size_bytes; byte++)
            sum += section[n].bytes[byte];
    }
    return sum;
}

/* Looks up symbols, lines and scopes of addresses around those that begin one. */
static void find_places(const struct profile_image *i, const struct profile *p)
{
    for (size_t n = 0; n < i->lines; n++) {
        const struct profile_line *l = profile_find_line(i, i->line[n].start);
        if (n > 0 && i->line[n].start <= i->line[n - 1].start)
            BUG("line %zu does not begin after the one before it", n);
        if (l != NULL && profile_file(p, l->file)[0] == '\0')
            BUG("line %zu has a file without a name", n);
    }
    for (size_t n = 0; n < i->scope_ranges; n++) {
        const struct profile_scope *s = profile_find_scope(i, i->scope_range[n].start);
        if (s != NULL && s->caller != PROFILE_NO_SCOPE && s->caller >= i->scopes)
            BUG("a scope is inlined into none of %zu", i->scopes);
    }
    for (size_t n = 0; n < i->symbols; n++)
        if (i->symbol[n].size_bytes != 0 && profile_find_symbol(i, i->symbol[n].start) != &i->symbol[n])
            BUG("symbol %zu is not that of its start", n);
}

/* ---- the graph ---- */

static struct rv_part *parts_of(const struct profile_code *section, size_t count)
{
    struct rv_part *part = xcalloc(count + 1, sizeof *part);
    for (size_t n = 0; n < count; n++)
        part[n] = (struct rv_part){
            .start = section[n].start, .size_bytes = section[n].size_bytes, .bytes = section[n].bytes};
    return part;
}

static void make_graph(const struct profile_image *i)
{
    struct rv_part *code = parts_of(i->code, i->codes), *constant = parts_of(i->data, i->datas);
    struct rv_parts parts = {.code = code, .codes = i->codes, .constant = constant, .constants = i->datas};
    const struct code described = rv_code_of_parts(&parts);
    struct code_graph *g = from_profile_graph(i, &described);
    size_t blocks, edges;
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    const struct code_graph_edge *e = code_graph_edges(g, &edges);
    for (size_t n = 1; n < blocks; n++)
        if (b[n].start <= b[n - 1].start)
            BUG("block %zu does not begin after the one before it", n);
    for (size_t n = 0; n < edges; n++)
        if (e[n].from >= blocks || e[n].to >= blocks)
            BUG("edge %zu joins none of %zu blocks", n, blocks);
    for (uint32_t n = 0; n < blocks; n++)
        if (b[n].function == n)
            procedure_free(procedure_new(g, n));
    code_graph_free(g);
    free(code);
    free(constant);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static volatile unsigned sum;
    struct symbols *s;
    struct errmsg err = {{0}};
    write_fuzzed_file(data, size);
    if (symbols_new(&s, fuzzed_path, ":.debug", &err) != ST_OK)
        return 0;
    struct profile *p = profile_new();
    struct seen seen = {run_images_new(s, p, NULL), p};
    symbols_each_range(s, see_range, &seen);
    for (uint32_t n = 0; n < profile_images(p); n++) {
        const struct profile_image *i = profile_image(p, n);
        sum = sum_sections(i->code, i->codes) + sum_sections(i->data, i->datas);
        (void)sum;
        find_places(i, p);
        if (is_one_in_16(data, size))
            make_graph(i);
    }
    run_images_free(seen.images);
    profile_free(p);
    symbols_free(s);
    return 0;
}
