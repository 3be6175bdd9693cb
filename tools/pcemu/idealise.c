/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/idealise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/place_text.h"
#include "base/status.h"
#include "core-model/riscv/memory.h"
#include "host/symbols/line_code.h"
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

static bool idealise_is_code(const struct target *t, uint64_t pc)
{
    return memory_allows(&t->guest.hart.mem, pc, 2, MEM_X);
}

static void idealise_warn(const char *option, uint64_t pc, const char *place)
{
    print_message("warning: %s: there is no code at 0x%" PRIx64 " now (%s)", option, pc, place);
}

/* Adds an address, or FUNCTION+BYTES, or all of a FUNCTION. */
static uint64_t idealise_add_place(struct ideal *ideal, struct target *t, const char *option, const char *place,
                                   uint32_t causes)
{
    const uint64_t pc = target_place_or(t, option, "FILE:LINE, ", place);
    const struct symbols_file file = symbols_file_at(t->symbols, pc);
    struct idealised_function f = {.address = file.address};
    size_t length;
    uint64_t bytes;
    if (!idealise_is_code(t, pc))
        idealise_warn(option, pc, place);
    const bool is_function = (place[0] < '0' || place[0] > '9') &&
                             place_text_offset(place, strlen(place), &length, &bytes) != ST_OK;
    if (is_function && file.symbols != NULL)
        symbols_each_function(file.symbols, idealise_see_function, &f);
    ideal_add(ideal, pc, f.end != 0 ? pc + (f.end - f.address) : pc + 1, causes);
    return pc;
}

/* Adds the instructions of a source line, in the program and its libraries. */
static uint64_t idealise_add_line(struct ideal *ideal, struct target *t, const char *option, const char *place,
                                  size_t file_length, unsigned line, uint32_t causes)
{
    struct line_code code;
    struct errmsg err;
    char *file = xasprintf("%.*s", (int)file_length, place);
    if (t->symbols == NULL)
        die("%s: the guest has no symbols, found '%s'", option, place);
    if (line_code_find(t->symbols, file, (int)line, LINE_CODE_EXACT, &code, &err) != ST_OK)
        die("%s: %s", option, err.text);
    const uint64_t first = code.range[0].start;
    if (!idealise_is_code(t, first))
        idealise_warn(option, first, place);
    for (size_t n = 0; n < code.ranges; n++)
        ideal_add(ideal, code.range[n].start, code.range[n].end, causes);
    line_code_free(&code);
    free(file);
    return first;
}

/* Splits PLACE:CAUSE[+CAUSE...], whose copy the caller frees, at the causes, which *causes is set to. */
static char *idealise_split(const char *option, const char *text, uint32_t *causes)
{
    struct errmsg err;
    char *place = xstrdup(text), *colon = strrchr(place, ':');
    if (colon == NULL || colon == place || colon[1] == '\0')
        die("%s: expected PLACE:CAUSE[+CAUSE...], found '%s'", option, text);
    *colon = '\0';
    if (ideal_parse(colon + 1, causes, &err) != ST_OK)
        die("%s: %s", option, err.text);
    return place;
}

uint32_t idealise_parse(const char *option, const char *text)
{
    uint32_t causes;
    free(idealise_split(option, text, &causes));
    return causes;
}

uint64_t idealise_add(struct ideal *ideal, struct target *t, const char *option, const char *text)
{
    uint32_t causes;
    size_t length;
    unsigned line;
    uint64_t first = 0;
    char *place = idealise_split(option, text, &causes);
    if (strcmp(place, "all") == 0)
        ideal_add(ideal, 0, UINT64_MAX, causes);
    else if (place_text_line(place, strlen(place), &length, &line))
        first = idealise_add_line(ideal, t, option, place, length, line, causes);
    else
        first = idealise_add_place(ideal, t, option, place, causes);
    free(place);
    return first;
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
    for (unsigned n = 0; n < o->ideal.count; n++)
        (void)idealise_add(ideal, t, "--ideal", o->ideal.text[n]);
    return ideal;
}
