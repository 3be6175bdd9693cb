/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/idealise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/status.h"
#include "core-model/riscv/memory.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"

bool idealise_asks_help(const struct options *o)
{
    return o->ideal.count != 0 && strcmp(o->ideal.text[o->ideal.count - 1], "help") == 0;
}

void idealise_print_help(FILE *out)
{
    for (unsigned n = 0; n < IDEAL_BITS; n++)
        fprintf(out, "%-12s %s\n", ideal_names[n], ideal_meanings[n]);
    fprintf(out, "%-12s %s\n", IDEAL_EVERY_NAME, "all of these causes, as far as the instruction has them");
}

static uint32_t idealise_cause(const char *option, const char *name)
{
    if (strcmp(name, IDEAL_EVERY_NAME) == 0)
        return IDEAL_EVERY_CAUSE;
    for (unsigned n = 0; n < IDEAL_BITS; n++)
        if (strcmp(name, ideal_names[n]) == 0)
            return 1u << n;
    die("%s: expected a cause (--ideal help lists them), found '%s'%s", option, name,
        diag_hint(diag_nearest(name, ideal_names, IDEAL_BITS)).text);
}

/* The causes of "CAUSE+CAUSE..."; modifies the text. */
static uint32_t idealise_causes(const char *option, char *text)
{
    uint32_t causes = 0;
    for (char *name = text, *next; name != NULL; name = next) {
        next = strchr(name, '+');
        if (next != NULL)
            *next++ = '\0';
        causes |= idealise_cause(option, name);
    }
    return causes;
}

/* The function that has `address`, or is empty. */
struct idealised_function {
    uint64_t address, start, end;
};

static void idealise_see_function(void *ctx, const struct symbols_function *f)
{
    struct idealised_function *found = ctx;
    if (f->start <= found->address && found->address < f->end) {
        found->start = f->start;
        found->end = f->end;
    }
}

/* A place that is the start of a function, and not an address, is all of it. */
static void idealise_find_place(struct target *t, const char *option, const char *place, struct idealised *found)
{
    const uint64_t pc = target_place(t, option, place);
    const struct symbols_file file = symbols_file_at(t->symbols, pc);
    struct idealised_function f = {.address = file.address};
    const char *last = strrchr(place, '+');
    if (!memory_allows(&t->guest.hart.mem, pc, 2, MEM_X))
        print_message("warning: %s: there is no code at 0x%" PRIx64 " now (%s)", option, pc, place);
    const bool is_function = (place[0] < '0' || place[0] > '9') && (last == NULL || last[1] < '0' || last[1] > '9');
    if (is_function && file.symbols != NULL)
        symbols_each_function(file.symbols, idealise_see_function, &f);
    found->start = pc;
    found->end = f.end != 0 ? pc + (f.end - f.address) : pc + 1;
}

struct idealised idealise_parse(struct target *t, const char *option, const char *text)
{
    struct idealised found = {.end = UINT64_MAX};
    char *place = xstrdup(text), *colon = strrchr(place, ':');
    if (colon == NULL || colon == place || colon[1] == '\0')
        die("%s: expected PLACE:CAUSE[+CAUSE...], found '%s'", option, text);
    *colon = '\0';
    found.causes = idealise_causes(option, colon + 1);
    if (t != NULL && strcmp(place, "all") != 0)
        idealise_find_place(t, option, place, &found);
    free(place);
    return found;
}

void idealise_prepare(struct target *t)
{
    (void)target_symbols(t);
    symbols_set_bias(t->symbols, t->guest.process->bias);
    target_find_libraries(t);
}

struct ideal *idealise_find(struct target *t, const struct options *o)
{
    if (o->ideal.count == 0)
        return NULL;
    struct ideal *ideal = ideal_new();
    idealise_prepare(t);
    for (unsigned n = 0; n < o->ideal.count; n++) {
        const struct idealised i = idealise_parse(t, "--ideal", o->ideal.text[n]);
        ideal_add(ideal, i.start, i.end, i.causes);
    }
    return ideal;
}
