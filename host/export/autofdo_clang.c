/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LLVM's sample profile as text (llvm/ProfileData/SampleProfReader.h): "function:total:head", then its lines, one space
 * deeper, "offset[.discriminator]: count [callee:count ...]", and inlined calls, "offset[.discriminator]:
 * callee:total", with theirs one space deeper still. */
#include <inttypes.h>

#include "host/export/autofdo.h"

static void print_place(FILE *out, int depth, uint32_t offset, uint32_t discriminator)
{
    fprintf(out, "%*s%" PRIu32, depth, "", offset);
    if (discriminator != 0)
        fprintf(out, ".%" PRIu32, discriminator);
    fputs(": ", out);
}

static void print_body(FILE *out, int depth, const struct autofdo_function *f)
{
    for (size_t n = 0; n < f->lines; n++) {
        const struct autofdo_line *l = &f->line[n];
        print_place(out, depth, l->offset, l->discriminator);
        fprintf(out, "%" PRIu64, l->count);
        for (size_t t = 0; t < l->targets; t++)
            fprintf(out, " %s:%" PRIu64, l->target[t].name, l->target[t].count);
        fputc('\n', out);
    }
    for (size_t n = 0; n < f->calls; n++) {
        print_place(out, depth, f->call[n]->offset, f->call[n]->discriminator);
        fprintf(out, "%s:%" PRIu64 "\n", f->call[n]->name, f->call[n]->total);
        print_body(out, depth + 1, f->call[n]);
    }
}

enum status export_write_autofdo_clang(const struct profile *p, const struct export_options *o, FILE *out,
                                       struct errmsg *err)
{
    struct autofdo a;
    enum status st = autofdo_make(&a, p, o, AUTOFDO_BASE, err);
    for (size_t n = 0; st == ST_OK && n < a.functions; n++) {
        fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", a.function[n]->name, a.function[n]->total, a.function[n]->head);
        print_body(out, 1, a.function[n]);
    }
    autofdo_free(&a);
    return st;
}
