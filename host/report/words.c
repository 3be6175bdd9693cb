/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values in words. Entry points: words.h. */
#include "host/report/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

const char *report_number(char buf[REPORT_NUMBER], uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i != 0 && (length - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
    return buf;
}

static char *place_text(const struct report_place *p, struct names *names)
{
    const char *in = p->library != NULL ? " in " : "", *library = p->library != NULL ? p->library : "";
    char *shown = p->function != NULL && names != NULL ? names_show(names, p->function) : NULL,
         *where = p->function != NULL
                      ? xasprintf("%s+0x%" PRIx64 "%s%s", shown != NULL ? shown : p->function, p->offset, in, library)
                  : p->library != NULL ? xasprintf("[%s]+0x%" PRIx64, library, p->address)
                                       : xasprintf("0x%" PRIx64, p->address);
    free(shown);
    if (p->file == NULL)
        return where;
    char *both = xasprintf("%s %s:%d", where, p->file, p->line);
    free(where);
    return both;
}

size_t cell_tail(const struct report_cell *c)
{
    if (c->type != REPORT_ADDRESS || (c->place->function == NULL && c->place->library == NULL))
        return 0;
    struct report_place nameless = *c->place;
    *(nameless.function != NULL ? &nameless.function : &nameless.library) = "";
    char *text = place_text(&nameless, NULL);
    size_t bytes = strlen(text);
    free(text);
    return bytes;
}

/* Takes the text of a number. One that is rounded to zero has no sign. */
static char *without_zero_sign(char *text)
{
    size_t length = strlen(text);
    if ((text[0] == '-' || text[0] == '+') && strspn(text + 1, "0.") == length - 1)
        memmove(text, text + 1, length);
    return text;
}

/* Takes the text of a number, and adds commas to its integral part. */
static char *with_commas(char *text)
{
    size_t sign = text[0] == '-' || text[0] == '+', digits = strspn(text + sign, "0123456789"), length = strlen(text);
    if (digits <= 3)
        return text;
    char *longer = xcalloc(length + digits / 3 + 1, 1), *to = longer;
    for (size_t i = 0; i < length; i++) {
        if (i > sign && i < sign + digits && (sign + digits - i) % 3 == 0)
            *to++ = ',';
        *to++ = text[i];
    }
    free(text);
    return longer;
}

static char *real_text(double x, const struct number_style *s)
{
    char buf[REPORT_NUMBER];
    if (s->decimals == 0 && fabs(x) < 0x1p63) {
        uint64_t n = (uint64_t)(fabs(x) + 0.5);
        return xasprintf("%s%s", x < 0 && n != 0 ? "-" : "", report_number(buf, n));
    }
    return with_commas(without_zero_sign(xasprintf("%.*f", (int)s->decimals, x)));
}

static char *share_text(double share, const struct number_style *s)
{
    if (s->sign && share == 0)
        return xstrdup("0");
    return with_commas(without_zero_sign(xasprintf(s->sign ? "%+.*f" : "%.*f", (int)s->decimals, 100 * share)));
}

char *cell_text(const struct report_cell *c, const struct number_style *s)
{
    char buf[REPORT_NUMBER];
    switch (c->type) {
    case REPORT_TEXT:
        return xstrdup(c->text);
    case REPORT_COUNT:
        return s->plain ? xasprintf("%" PRIu64, c->count) : xstrdup(report_number(buf, c->count));
    case REPORT_REAL:
        return real_text(c->real, s);
    case REPORT_SHARE:
        return share_text(c->real, s);
    case REPORT_FLAG:
        return xstrdup(c->flag ? "yes" : "no");
    case REPORT_HEX:
        return xasprintf("0x%" PRIx64, c->count);
    case REPORT_ADDRESS:
        return place_text(c->place, s->names);
    case REPORT_INTERVAL: {
        const double unit = s->percent ? 100 : 1;
        char *low = real_text(unit * c->interval[0], s), *high = real_text(unit * c->interval[1], s),
             *both = xasprintf("%s..%s", low, high);
        free(low);
        free(high);
        return both;
    }
    default:
        return xstrdup("");
    }
}

static void report_words_find_place(void *symbols, struct report_place *p)
{
    struct symbols_place found = {.address = p->pc};
    if (symbols != NULL)
        found = p->is_data ? symbols_find_data(symbols, p->pc) : symbols_find(symbols, p->pc);
    *p = (struct report_place){.pc = p->pc,
                               .is_data = p->is_data,
                               .address = found.address,
                               .function = found.function,
                               .offset = found.offset,
                               .library = found.library,
                               .file = found.file,
                               .line = found.line};
}

char *report_place(const struct symbols *symbols, uint64_t address, bool is_data)
{
    struct report_place p = {.pc = address, .is_data = is_data};
    report_words_find_place((void *)(uintptr_t)symbols, &p);
    return place_text(&p, NULL);
}

char *report_return_place(const struct symbols *symbols, uint64_t address)
{
    struct report_place p = {.pc = address - 1};
    report_words_find_place((void *)(uintptr_t)symbols, &p);
    p.pc++;
    p.address++;
    p.offset++;
    return place_text(&p, NULL);
}

void report_find_places(struct report *r, const struct symbols *symbols)
{
    report_resolve(r, report_words_find_place, (void *)(uintptr_t)symbols);
}
