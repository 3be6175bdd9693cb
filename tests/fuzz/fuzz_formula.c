/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the expressions of the debugger, as its commands parse and evaluate them. The co-processor is in the middle of
 * a sample. An expression in brackets has the value that it has without them; what vetting refuses has no value,
 * and a constant that it accepts has one; what can be assigned is in its region. */
#include "emu/debug/formula.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzzed_debugger.h"
#include "tests/fuzz/fuzzed_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 256 };

/* The co-processor and the guest, which no expression changes. */
static const struct formula_scope *scope(void)
{
    static struct formula_scope s;
    struct errmsg err;
    uint64_t cycle = 0;
    if (s.cop != NULL)
        return &s;
    const struct image *image = assembled(slots_program);
    s = (struct formula_scope){.cop = cop_new(&cop_default_config),
                               .image = image,
                               .position = 7,
                               .samples = 3,
                               .guest_register = guest_name,
                               .guest_symbol = guest_name,
                               .guest_variable = guest_name,
                               .guest_memory = guest_memory};
    struct bus bus = cop_bus(s.cop);
    if (bus_load_program(&bus, image, &err) != ST_OK)
        BUG("%s", err.text);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    offer_loads(s.cop, 20, &cycle);
    return &s;
}

/* The value of an expression; false and a message if it has none. */
static bool evaluate(const struct formula *f, struct integer *value)
{
    struct errmsg err = {{0}};
    if (formula_value(f, scope(), value, &err) == ST_OK)
        return true;
    check_refusal(&err);
    return false;
}

/* A part that is refused is not evaluated behind || and &&. */
static void check_vetting(const struct formula *f, const char *text, bool has_value)
{
    struct errmsg err = {{0}};
    bool vetted = formula_vet(f, scope(), &err) == ST_OK;
    bool all_evaluated = strstr(text, "&&") == NULL && strstr(text, "||") == NULL;
    if (!vetted)
        check_refusal(&err);
    if (!vetted && has_value && all_evaluated)
        BUG("refused, but has a value: %s", err.text);
    if (vetted && formula_is_constant(f) && !has_value)
        BUG("a constant without a value");
}

static void check_cell(const struct formula *f)
{
    struct errmsg err = {{0}};
    struct formula_cell cell;
    if (formula_as_cell(f, scope(), &cell, &err) != ST_OK)
        check_refusal(&err);
    else if (cell.kind == CELL_PLACE && (cell.low + cell.width > 64 || bus_find(cell.place.region) == NULL ||
                                         cell.place.element >= cop_elements(scope()->cop, cell.place.region)))
        BUG("element %u of 0x%04x is none", cell.place.element, (unsigned)cell.place.region);
}

static void check_in_brackets(const char *text, bool has_value, struct integer value)
{
    struct errmsg err = {{0}};
    char *bracketed = xasprintf("(%s)", text);
    struct integer again = integer_of(0);
    struct formula *f = formula_parse(bracketed, NULL, scope(), &err);
    if (f == NULL)
        check_refusal(&err); /* nested too deep, or too many parts */
    else if (evaluate(f, &again) != has_value || (has_value && (again.bits != value.bits || again.kind != value.kind)))
        BUG("0x%llx, in brackets 0x%llx", (unsigned long long)value.bits, (unsigned long long)again.bits);
    formula_free(f);
    free(bracketed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MOST_BYTES + 1];
    struct errmsg err = {{0}};
    struct integer value = integer_of(0);
    const char *rest;
    size_t length = size < MOST_BYTES ? size : MOST_BYTES;
    memcpy(text, data, length);
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    struct formula *f = formula_parse(text, &rest, scope(), &err);
    if (f == NULL) {
        check_refusal(&err);
        return 0;
    }
    if (rest < text || rest > text + strlen(text))
        BUG("the rest is outside the text");
    text[rest - text] = '\0';
    bool has_value = evaluate(f, &value);
    check_vetting(f, text, has_value);
    check_cell(f);
    (void)formula_print(f);
    check_in_brackets(text, has_value, value);
    formula_free(f);
    return 0;
}
