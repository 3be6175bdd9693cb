/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands print, x and display. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/show.h"

enum { MAX_ELEMENTS = 1 << 16, LINE_BYTES = 16, MAX_STRING = 200 };

/* ---- formats ---- */

/* gdb's format suffix after the slash, as in print/x and x/4xw. */
struct format {
    char letter; /* 0: not given */
    uint64_t count;
    unsigned size_bytes;
};

static unsigned size_of(char letter)
{
    switch (letter) {
    case 'b':
        return 1;
    case 'h':
        return 2;
    case 'w':
        return 4;
    case 'g':
        return 8;
    default:
        return 0;
    }
}

/* Parses [/FORMAT] with a letter of `letters`; count and size are accepted if `memory`. */
static enum status parse_format(const char *args, const char *letters, bool memory, struct format *f, const char **rest,
                                struct errmsg *err)
{
    *f = (struct format){.count = 1, .size_bytes = 8};
    *rest = args;
    if (args[0] != '/')
        return ST_OK;
    const char *at = args + 1;
    if (memory && isdigit((unsigned char)*at))
        f->count = strtoull(at, (char **)&at, 10);
    for (; *at != '\0' && *at != ' '; at++) {
        if (strchr(letters, *at) != NULL)
            f->letter = *at;
        else if (memory && size_of(*at) != 0)
            f->size_bytes = size_of(*at);
        else
            return fail(err, ST_INPUT, "'%c' is no format: expected x, d, u, t or o%s", *at,
                        memory ? "; for memory also a, i or s, and b, h, w or g for the size" : "");
    }
    if (f->count == 0 || f->count > MAX_ELEMENTS)
        return fail(err, ST_RANGE, "expected a count of 1 to %d, found %llu", MAX_ELEMENTS,
                    (unsigned long long)f->count);
    *rest = at + strspn(at, " ");
    return ST_OK;
}

/* Prints a number of `size_bytes` bytes. */
static void values_print_number(FILE *out, char letter, uint64_t v, unsigned size_bytes)
{
    unsigned above = 64 - 8 * size_bytes, bit = 63;
    switch (letter) {
    case 'd':
        fprintf(out, "%lld", (long long)((int64_t)(v << above) >> above));
        break;
    case 'u':
        fprintf(out, "%llu", (unsigned long long)v);
        break;
    case 'o':
        fprintf(out, "0%llo", (unsigned long long)v);
        break;
    case 't':
        while (bit > 0 && (v >> bit & 1) == 0)
            bit--;
        for (; bit < 64; bit--)
            fputc(v >> bit & 1 ? '1' : '0', out);
        break;
    default:
        fprintf(out, "0x%llx", (unsigned long long)v);
        break;
    }
}

/* ---- print and display ---- */

static enum status values_print_value(struct debugger *d, const char *args, struct errmsg *err)
{
    struct formula_scope scope = machine_scope(d->shown);
    struct format format;
    const char *text;
    struct integer value;
    enum status st = parse_format(args, "xduto", false, &format, &text, err);
    struct formula *f = st == ST_OK ? formula_parse(text, NULL, &scope, err) : NULL;
    if (f == NULL)
        return ST_INPUT;
    st = formula_value(f, &scope, &value, err);
    if (st == ST_OK) {
        const uint64_t v = value.bits;
        fprintf(d->out, "%s = ", text);
        if (format.letter != 0) {
            values_print_number(d->out, format.letter, v, sizeof v);
        } else if (slot_print_is_address(formula_print(f))) {
            fprintf(d->out, "0x%llx", (unsigned long long)v);
            show_place(d, formula_print(f), v);
        } else {
            show_integer(d->out, value);
            fprintf(d->out, "  0x%llx", (unsigned long long)v);
        }
        fputc('\n', d->out);
    }
    formula_free(f);
    return st;
}

enum status cmd_print(struct debugger *d, const char *args, struct errmsg *err)
{
    if (*args == '\0')
        return fail(err, ST_INPUT, "print what? expected an expression");
    const char *rest;
    if (arg_take_word(args, "guest", &rest) && *rest != '\0')
        return guest_place_show(d, DEBUG_GUEST_VALUE, rest, err);
    return values_print_value(d, args, err);
}

/* Whether the text begins with a name that the program gives to a value, index or constant register. */
static bool names_register(const struct image *im, const char *text)
{
    struct image_names store;
    const struct isa_names names = image_names(im, &store);
    const struct {
        const char *const *name;
        unsigned count;
    } files[] = {{names.values, ISA_VALUES}, {names.indexes, ISA_INDEXES}, {names.consts, ISA_CONSTS}};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++)
        for (unsigned i = 0; i < files[f].count; i++) {
            const char *name = files[f].name[i];
            const size_t n = name != NULL ? strlen(name) : 0;
            if (n > 0 && strncmp(text, name, n) == 0 && !isalnum((unsigned char)text[n]) && text[n] != '_')
                return true;
        }
    return false;
}

/* An expression comes before a view of whose name it has a prefix, and a register before any view. The base register of
 * an array of slots often has the name of the view `slots`, which is the one that is of interest. */
static bool shows_view(struct debugger *d, const char *text)
{
    const enum view_name view = command_view(text);
    const struct formula_scope scope = machine_scope(d->shown);
    struct errmsg ignored;
    if (view == VIEW_NONE || (view == VIEW_NAME && !names_register(d->image, text)))
        return view == VIEW_NAME;
    struct formula *f = formula_parse(text, NULL, &scope, &ignored);
    formula_free(f);
    return f == NULL;
}

enum status show_display(struct debugger *d, unsigned i, struct errmsg *err)
{
    if (shows_view(d, d->display[i])) {
        command_execute(d, d->display[i]);
        return ST_OK;
    }
    fprintf(d->out, "%u: ", i + 1);
    return values_print_value(d, d->display[i], err);
}

enum status cmd_display(struct debugger *d, const char *args, struct errmsg *err)
{
    if (*args == '\0') {
        for (unsigned i = 0; i < d->displays; i++)
            fprintf(d->out, "%u: %s\n", i + 1, d->display[i]);
        return ST_OK;
    }
    if (d->displays == MAX_DISPLAYS)
        return fail(err, ST_RANGE, "there are %d displays already", MAX_DISPLAYS);
    if (shows_view(d, args)) {
        if (command_check(args, err) != ST_OK)
            return ST_INPUT;
    } else {
        struct formula_scope scope = machine_scope(d->shown);
        struct format format;
        const char *text;
        if (parse_format(args, "xduto", false, &format, &text, err) != ST_OK)
            return ST_INPUT;
        struct formula *f = formula_parse(text, NULL, &scope, err);
        if (f == NULL)
            return ST_INPUT;
        formula_free(f);
    }
    d->display[d->displays++] = xstrdup(args);
    return show_display(d, d->displays - 1, err);
}

enum status cmd_undisplay(struct debugger *d, const char *args, struct errmsg *err)
{
    uint64_t n;
    enum status st = arg_count(d, args, 0, &n, err);
    if (st != ST_OK)
        return st;
    if (*args != '\0' && (n == 0 || n > d->displays))
        return fail(err, ST_INPUT, "there is no display %llu", (unsigned long long)n);
    unsigned first = *args != '\0' ? (unsigned)n - 1 : 0, count = *args != '\0' ? 1 : d->displays;
    for (unsigned i = first; i < first + count; i++)
        free(d->display[i]), d->display[i] = NULL;
    memmove(&d->display[first], &d->display[first + count], (d->displays - first - count) * sizeof d->display[0]);
    d->displays -= count;
    return ST_OK;
}

/* ---- memory of the guest ---- */

/* Reads a little-endian number through the aligned 8-byte words that contain it, so the last bytes of a region are
 * readable. */
static bool values_read_number(struct debugger *d, uint64_t address, unsigned size_bytes, uint64_t *v)
{
    *v = 0;
    for (unsigned i = 0; i < size_bytes; i++) {
        uint64_t word, at = address + i;
        if (!d->s.guest_memory(d->s.ctx, at & ~UINT64_C(7), &word))
            return false;
        *v |= (word >> 8 * (at & 7) & 0xff) << 8 * i;
    }
    return true;
}

static enum status values_print_memory(struct debugger *d, const struct format *f, uint64_t address, struct errmsg *err)
{
    unsigned on_line = f->letter == 'a' ? 1 : LINE_BYTES / f->size_bytes;
    for (uint64_t i = 0; i < f->count; i++, address += f->size_bytes) {
        uint64_t v;
        if (!values_read_number(d, address, f->size_bytes, &v)) {
            fputs(i % on_line != 0 ? "\n" : "", d->out);
            return fail(err, ST_RANGE, "the guest has no memory at 0x%llx", (unsigned long long)address);
        }
        if (i % on_line == 0)
            fprintf(d->out, "  0x%llx:", (unsigned long long)address);
        fputs("  ", d->out);
        values_print_number(d->out, f->letter, v, f->size_bytes);
        if (f->letter == 'a')
            show_place(d, PRINT_DATA_ADDRESS, v);
        fputs((i + 1) % on_line == 0 || i + 1 == f->count ? "\n" : "", d->out);
    }
    return ST_OK;
}

static void print_escaped(FILE *out, unsigned char c)
{
    static const char escapes[] = "\a\b\f\n\r\t\v\033\"\\", letters[] = "abfnrtve\"\\";
    const char *escape = strchr(escapes, c);
    if (escape != NULL)
        fprintf(out, "\\%c", letters[escape - escapes]);
    else
        fprintf(out, c >= ' ' && c < 0x7f ? "%c" : "\\%03o", c);
}

/* Prints a string that a NUL byte ends; *address is then behind it. */
static enum status print_guest_string(struct debugger *d, uint64_t *address, struct errmsg *err)
{
    uint64_t byte;
    const uint64_t start = *address;
    if (!values_read_number(d, start, 1, &byte))
        return fail(err, ST_RANGE, "the guest has no memory at 0x%llx", (unsigned long long)start);
    fprintf(d->out, "  0x%llx:  \"", (unsigned long long)start);
    while (byte != 0 && *address - start < MAX_STRING) {
        print_escaped(d->out, (unsigned char)byte);
        if (!values_read_number(d, ++*address, 1, &byte))
            byte = 0;
    }
    fputs(byte != 0 ? "\"...\n" : "\"\n", d->out);
    *address += byte == 0;
    return ST_OK;
}

static enum status print_strings(struct debugger *d, uint64_t count, uint64_t address, struct errmsg *err)
{
    enum status st = ST_OK;
    for (uint64_t i = 0; st == ST_OK && i < count; i++)
        st = print_guest_string(d, &address, err);
    return st;
}

enum status cmd_x(struct debugger *d, const char *args, struct errmsg *err)
{
    struct format format;
    const char *text;
    uint64_t address;
    if (d->s.guest_memory == NULL)
        return fail(err, ST_INPUT,
                    "x: there is no guest whose memory could be shown: data, cam and slots show the "
                    "co-processor's arrays");
    enum status st = parse_format(args, "xdutoais", true, &format, &text, err);
    if (st == ST_OK && *text == '\0')
        return fail(err, ST_INPUT, "x: expected an address, such as &main, $sp or 0x10400");
    if (st == ST_OK)
        st = arg_value(d, text, NULL, &address, err);
    if (st == ST_OK && d->shown != &d->live)
        fprintf(d->out, "the guest is in the present, position %llu\n", (unsigned long long)d->live.words);
    if (st == ST_OK && format.letter == 'i' && d->s.code == NULL)
        st = fail(err, ST_INPUT, "x/i: there is no code of a guest here");
    if (st != ST_OK)
        return st;
    if (format.letter == 's')
        return print_strings(d, format.count, address, err);
    if (format.letter != 'i')
        return values_print_memory(d, &format, address, err);
    d->s.code(d->s.ctx, address, format.count, d->out);
    return ST_OK;
}
