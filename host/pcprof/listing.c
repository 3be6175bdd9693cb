/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/pcprof/listing.h"

#include <inttypes.h>
#include <stdio.h>

#include "core-model/riscv/describe.h"
#include "isa/support/status.h"

static bool decode(const struct profile_image *i, uint64_t address, struct code_insn *out)
{
    for (size_t n = 0; n < i->codes; n++) {
        const struct profile_code *c = &i->code[n];
        const struct rv_part part = {.start = c->start, .size_bytes = c->size_bytes, .bytes = c->bytes};
        struct rv_parts parts = {.code = &part, .codes = 1};
        const struct code code = rv_code_of_parts(&parts);
        if (address >= c->start && address - c->start < c->size_bytes)
            return code.describe(code.ctx, address, out);
    }
    return false;
}

char *listing_describe(const struct profile *p, uint32_t image, uint64_t address, unsigned *length_bytes)
{
    struct code_insn in;
    if (image >= profile_images(p) || !decode(profile_image(p, image), address, &in))
        return NULL;
    if (length_bytes != NULL)
        *length_bytes = in.length_bytes;
    const struct profile_symbol *s = in.target != 0 ? profile_find_symbol(profile_image(p, image), in.target) : NULL;
    if (s == NULL)
        return xstrdup(in.text);
    if (s->start == in.target)
        return xasprintf("%s <%s>", in.text, s->shown);
    return xasprintf("%s <%s+0x%" PRIx64 ">", in.text, s->shown, in.target - s->start);
}

char *listing_text(const struct profile *p, uint32_t image, uint64_t address)
{
    return listing_describe(p, image, address, NULL);
}
