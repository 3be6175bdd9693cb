/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/listing.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/status.h"
#include "core-model/riscv/describe.h"

bool listing_decode(const struct profile_image *i, uint64_t address, struct code_insn *out)
{
    for (size_t n = 0; n < i->codes; n++) {
        const struct profile_code *c = &i->code[n];
        uint64_t offset = address - c->start;
        if (address < c->start || offset >= c->size_bytes || c->size_bytes - offset < 2)
            continue;
        const struct rv_part part = {.start = c->start, .size_bytes = c->size_bytes, .bytes = c->bytes};
        struct rv_parts parts = {.code = &part, .codes = 1};
        const struct code code = rv_code_of_parts(&parts);
        if (code.describe(code.ctx, address, out))
            return true;
        *out = (struct code_insn){.length_bytes = 2};
        snprintf(out->text, sizeof out->text, ".half 0x%04x", c->bytes[offset] | c->bytes[offset + 1] << 8);
        return true;
    }
    return false;
}

char *listing_with_target(const struct profile_image *i, const struct code_insn *in)
{
    const struct profile_symbol *s = in->target != 0 ? profile_find_symbol(i, in->target) : NULL;
    if (s == NULL)
        return xstrdup(in->text);
    if (s->start == in->target)
        return xasprintf("%s <%s>", in->text, s->unique);
    return xasprintf("%s <%s+0x%" PRIx64 ">", in->text, s->unique, in->target - s->start);
}

char *listing_text(const struct profile *p, uint32_t image, uint64_t address)
{
    struct code_insn in;
    if (image >= profile_images(p) || !listing_decode(profile_image(p, image), address, &in))
        return NULL;
    return listing_with_target(profile_image(p, image), &in);
}
