/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --fail-if-slower and --junit of pcprof diff: rows whose increase is significant and at least as large as asked, for
 * continuous integration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "tools/pcprof/diff.h"

/* Digits with an optional fraction, and "%". */
static bool diff_is_percent(const char *text)
{
    static const char digits[] = "0123456789";
    const size_t whole = strspn(text, digits);
    const size_t fraction = text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;
    const char *end = text + whole + (fraction > 0 ? 1 + fraction : 0);
    return whole > 0 && strcmp(end, "%") == 0 && isfinite(strtod(text, NULL));
}

enum status diff_parse_limit(const struct option_row *row, void *options, const char *argument, struct errmsg *err)
{
    if (!diff_is_percent(argument))
        return option_refuse(row, "per cent, such as 2%", argument, err);
    *(struct diff_limit *)((char *)options + row->offset) = (struct diff_limit){.given = true,
                                                                                .share = strtod(argument, NULL) / 100};
    return ST_OK;
}

struct diff_row diff_gate_total(const struct diff *d, const struct diff_row *total)
{
    struct diff_row row = diff_lengths(d);
    const bool single = d->side[0].end - d->side[0].first == 1 && d->side[1].end - d->side[1].first == 1;
    if (strcmp(d->values.name, "cycles") != 0 || (isnan(row.adjusted) && !single))
        return *total;
    if (isnan(row.adjusted)) /* exact lengths of one run each */
        row.adjusted = row.absolute.difference != 0 ? 0 : 1;
    return row;
}

bool diff_is_slower(const struct diff_row *row, const struct diff_limit *limit)
{
    return row->absolute.difference > 0 && row->relative.difference >= limit->share && diff_is_significant(row);
}

/* What a row is called: "main in invariant". The caller frees it. */
static char *diff_gate_name(const struct diff *d, const struct diff_row *row)
{
    const struct run_place *p = row->place;
    if (p == NULL)
        return xstrdup("the total");
    const char *procedure = p->procedure != NULL ? p->procedure : "(unknown)";
    if (d->values.by == PROF_BY_IMAGE)
        return xstrdup(p->image);
    if (d->values.by == PROF_BY_LINE)
        return xasprintf("%s (%s) in %s", p->line != NULL ? p->line : "(no line)", procedure, p->image);
    return xasprintf("%s in %s", procedure, p->image);
}

enum status diff_gate_judge(const struct diff *d, const struct diff_row *rows, size_t count,
                            const struct diff_limit *limit, struct errmsg *err)
{
    char *named = NULL;
    size_t slower = 0;
    for (size_t n = 0; n < count; n++)
        if (diff_is_slower(&rows[n], limit) && slower++ == 0)
            named = diff_gate_name(d, &rows[n]);
    if (slower == 0)
        return ST_OK;
    char *others = slower == 1 ? xstrdup("") : xasprintf(" and %zu other row%s", slower - 1, slower == 2 ? "" : "s");
    enum status st = fail(err, ST_UNMET, "--fail-if-slower: %.200s%s %s significantly more %s, by at least %g %%",
                          named, others, slower == 1 ? "has" : "have", d->values.name, 100 * limit->share);
    free(others);
    free(named);
    return st;
}

/* ---- JUnit's XML ---- */

static void xml_text(const char *text, FILE *out)
{
    char *printable = text_make_printable(xstrdup(text));
    for (const char *c = printable; *c != '\0'; c++)
        switch (*c) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*c, out);
        }
    free(printable);
}

static void xml_attribute(const char *name, const char *value, FILE *out)
{
    fprintf(out, " %s=\"", name);
    xml_text(value, out);
    fputc('"', out);
}

/* One test for each row: it fails if the row is slower. */
static void junit_case(const struct diff *d, const struct diff_row *row, const struct diff_limit *limit, FILE *out)
{
    char *name = diff_gate_name(d, row);
    fputs("  <testcase", out);
    xml_attribute("classname", row->place != NULL ? row->place->image : "total", out);
    xml_attribute("name", name, out);
    if (diff_is_slower(row, limit)) {
        char *message = xasprintf("%+.2f %% %s, limit %g %%", 100 * row->relative.difference, d->values.name,
                                  100 * limit->share);
        fputs(">\n    <failure type=\"slower\"", out);
        xml_attribute("message", message, out);
        fprintf(out, ">before %.0f, after %.0f", row->mean[0], row->mean[1]);
        if (!isnan(row->absolute.low))
            fprintf(out, ", difference %.0f, 95 %% interval %.0f to %.0f", row->absolute.difference, row->absolute.low,
                    row->absolute.high);
        fputs("</failure>\n  </testcase>\n", out);
        free(message);
    } else {
        fputs("/>\n", out);
    }
    free(name);
}

enum status diff_gate_write(const struct diff *d, const struct diff_row *rows, size_t count,
                            const struct diff_limit *limit, const char *path, struct errmsg *err)
{
    struct outfile f;
    size_t failures = 0;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    for (size_t n = 0; n < count; n++)
        failures += diff_is_slower(&rows[n], limit);
    char *suite = xasprintf("pcprof diff %s %s", d->side[0].name, d->side[1].name);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite", f.stream);
    xml_attribute("name", suite, f.stream);
    fprintf(f.stream, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", count, failures);
    for (size_t n = 0; n < count; n++)
        junit_case(d, &rows[n], limit, f.stream);
    fputs(" </testsuite>\n</testsuites>\n", f.stream);
    free(suite);
    return outfile_commit(&f, err);
}
