/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source of the encodings: DWARF 5, sections 5 and 7. */
#include "host/symbols/variables.h"

#include <ctype.h>
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/symbols/symbols.h"

enum {
    MOST_ELEMENTS = 200,
    MOST_TYPE_DEPTH = 16,
    MOST_REPEATS = 10,
    MOST_NAME = 256,
    MOST_OBJECT = 1 << 20,
    MOST_VALUES = 10000,
    MOST_BITS = 64,
};

/* An object in the guest's memory. */
struct variable {
    Dwarf_Die type; /* without names and qualifiers: peel_type */
    uint64_t address;
    unsigned bit, bits; /* of a bit field; bits 0: it is none */
    unsigned taken;     /* of an array: leading dimensions that have an index */
};

struct printer {
    const struct symbols *symbols;
    const struct variables_memory *memory;
    FILE *out;
    unsigned depth, values; /* of types; number printed, whatever the depth */
};

/* ---- types ---- */

static bool variables_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute a;
    return dwarf_attr_integrate(die, DW_AT_type, &a) != NULL && dwarf_formref_die(&a, type) != NULL &&
           dwarf_peel_type(type, type) == 0;
}

static uint64_t type_bytes(Dwarf_Die *type)
{
    Dwarf_Word size_bytes;
    return dwarf_aggregate_size(type, &size_bytes) == 0 ? size_bytes : 0;
}

/* The number of elements of an array's first dimension; 0: unknown. */
static uint64_t dimension_elements(Dwarf_Die *dimension)
{
    Dwarf_Attribute a;
    Dwarf_Word n;
    if (dwarf_attr(dimension, DW_AT_count, &a) != NULL && dwarf_formudata(&a, &n) == 0)
        return n;
    if (dwarf_attr(dimension, DW_AT_upper_bound, &a) != NULL && dwarf_formudata(&a, &n) == 0)
        return n + 1;
    return 0;
}

/* The elements of dimension `n` of an array, from 0 on; 0: it has none. */
static uint64_t array_elements(Dwarf_Die *array, unsigned n)
{
    Dwarf_Die child;
    for (bool more = dwarf_child(array, &child) == 0; more; more = dwarf_siblingof(&child, &child) == 0)
        if (dwarf_tag(&child) == DW_TAG_subrange_type && n-- == 0)
            return dimension_elements(&child);
    return 0;
}

static uint64_t type_bytes_of(const struct variable *v)
{
    Dwarf_Die type = v->type, element;
    if (dwarf_tag(&type) != DW_TAG_array_type || !variables_type_of(&type, &element))
        return type_bytes(&type);
    uint64_t size_bytes = type_bytes(&element);
    for (unsigned n = v->taken; array_elements(&type, n) != 0; n++)
        size_bytes *= array_elements(&type, n);
    return size_bytes;
}

/* An array's first element, itself an array if it has more dimensions; false: it is no array. */
static bool first_element(const struct variable *v, struct variable *element)
{
    Dwarf_Die type = v->type;
    *element = *v;
    if (dwarf_tag(&type) != DW_TAG_array_type)
        return false;
    element->taken++;
    if (array_elements(&type, element->taken) != 0)
        return true;
    element->taken = 0;
    return variables_type_of(&type, &element->type);
}

static bool is_integer_type(Dwarf_Die *type, Dwarf_Word *encoding)
{
    Dwarf_Attribute a;
    return dwarf_tag(type) == DW_TAG_base_type && dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &a), encoding) == 0;
}

static bool is_char(Dwarf_Die *type)
{
    Dwarf_Word encoding;
    return is_integer_type(type, &encoding) && type_bytes(type) == 1 &&
           (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char);
}

static bool is_struct(Dwarf_Die *type)
{
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

/* ---- values ---- */

static void print_object(struct printer *p, const struct variable *v);

static bool variables_read_number(struct printer *p, const struct variable *v, uint64_t size_bytes, uint64_t *value)
{
    *value = 0;
    if (size_bytes == 0 || size_bytes > sizeof *value ||
        !p->memory->read(p->memory->ctx, v->address, value, (size_t)size_bytes))
        return false;
    if (v->bits != 0)
        *value = *value >> v->bit & (v->bits < 64 ? (UINT64_C(1) << v->bits) - 1 : UINT64_MAX);
    return true;
}

static int64_t sign_extended(uint64_t value, unsigned bits)
{
    const unsigned above = 64 - bits;
    return (int64_t)(value << above) >> above;
}

static void put_char(FILE *out, unsigned char c, char quote)
{
    static const char escapes[] = "\a\b\f\n\r\t\v\033", letters[] = "abfnrtve";
    const char *escape = c != 0 ? strchr(escapes, c) : NULL;
    if (escape != NULL)
        fprintf(out, "\\%c", letters[escape - escapes]);
    else if (c == (unsigned char)quote || c == '\\')
        fprintf(out, "\\%c", c);
    else if (c >= ' ' && c < 0x7f)
        fputc(c, out);
    else
        fprintf(out, "\\%03o", c);
}

static void variables_print_float(FILE *out, uint64_t value, uint64_t size_bytes)
{
    float narrow;
    double wide;
    memcpy(&narrow, &value, sizeof narrow);
    memcpy(&wide, &value, sizeof wide);
    fprintf(out, size_bytes == sizeof narrow ? "%.9g" : "%.17g", size_bytes == sizeof narrow ? (double)narrow : wide);
}

static void print_base(struct printer *p, const struct variable *v, uint64_t value, Dwarf_Word encoding)
{
    Dwarf_Die type = v->type;
    const uint64_t size_bytes = type_bytes(&type);
    const unsigned bits = v->bits != 0 ? v->bits : (unsigned)(8 * size_bytes);
    switch (encoding) {
    case DW_ATE_float:
        variables_print_float(p->out, value, size_bytes);
        break;
    case DW_ATE_boolean:
        fprintf(p->out, value <= 1 ? value != 0 ? "true" : "false" : "%llu", (unsigned long long)value);
        break;
    case DW_ATE_signed:
        fprintf(p->out, "%lld", (long long)sign_extended(value, bits));
        break;
    case DW_ATE_signed_char:
        fprintf(p->out, "%lld '", (long long)sign_extended(value, bits));
        put_char(p->out, (unsigned char)value, '\'');
        fputc('\'', p->out);
        break;
    case DW_ATE_unsigned_char:
        fprintf(p->out, "%llu '", (unsigned long long)value);
        put_char(p->out, (unsigned char)value, '\'');
        fputc('\'', p->out);
        break;
    default:
        fprintf(p->out, "%llu", (unsigned long long)value);
        break;
    }
}

/* ---- enumerations ---- */

/* Moves to the next enumerator from *child on; false: there is none. */
static bool next_enumerator(Dwarf_Die *child, bool more, uint64_t *constant)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    for (; more; more = dwarf_siblingof(child, child) == 0)
        if (dwarf_tag(child) == DW_TAG_enumerator &&
            dwarf_formudata(dwarf_attr(child, DW_AT_const_value, &a), &value) == 0) {
            *constant = value;
            return true;
        }
    return false;
}

/* The number's low bits; bits is from 1 to 64. */
static uint64_t low_bits(uint64_t value, unsigned bits) { return value & UINT64_MAX >> (64 - bits); }

static bool is_signed_enumeration(Dwarf_Die *type)
{
    Dwarf_Die underlying;
    Dwarf_Word encoding;
    uint64_t constant;
    if (variables_type_of(type, &underlying) && is_integer_type(&underlying, &encoding))
        return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    Dwarf_Die child;
    for (bool more = dwarf_child(type, &child) == 0; next_enumerator(&child, more, &constant);
         more = dwarf_siblingof(&child, &child) == 0)
        if ((int64_t)constant < 0)
            return true;
    return false;
}

/* Whether each constant is 0 or a single bit: gdb shows values of such a type by their bits. */
static bool is_flag_enumeration(Dwarf_Die *type, unsigned bits)
{
    Dwarf_Die child;
    uint64_t constant;
    for (bool more = dwarf_child(type, &child) == 0; next_enumerator(&child, more, &constant);
         more = dwarf_siblingof(&child, &child) == 0) {
        const uint64_t value = low_bits(constant, bits);
        if ((value & (value - 1)) != 0)
            return false;
    }
    return true;
}

/* The name of the constant with the value; NULL: none has it. */
static const char *enumerator_name(Dwarf_Die *type, uint64_t value, unsigned bits)
{
    Dwarf_Die child;
    uint64_t constant;
    for (bool more = dwarf_child(type, &child) == 0; next_enumerator(&child, more, &constant);
         more = dwarf_siblingof(&child, &child) == 0)
        if (low_bits(constant, bits) == low_bits(value, bits))
            return dwarf_diename(&child);
    return NULL;
}

/* The constants whose bits the value has, and the bits that remain. */
static void print_flags(FILE *out, Dwarf_Die *type, uint64_t value)
{
    const char *lead = "(";
    Dwarf_Die child;
    uint64_t constant;
    for (bool more = dwarf_child(type, &child) == 0; next_enumerator(&child, more, &constant);
         more = dwarf_siblingof(&child, &child) == 0) {
        if ((value & constant) == 0)
            continue;
        fprintf(out, "%s%s", lead, dwarf_diename(&child));
        value &= ~constant;
        lead = " | ";
    }
    if (value != 0)
        fprintf(out, "%sunknown: 0x%llx", lead, (unsigned long long)value);
    fputs(value == 0 && *lead == '(' ? "0" : ")", out);
}

static void print_enumeration(FILE *out, const struct variable *v, uint64_t value)
{
    Dwarf_Die type = v->type;
    const unsigned bits = (unsigned)(8 * type_bytes(&type));
    const bool is_signed = is_signed_enumeration(&type);
    if (v->bits != 0 && is_signed)
        value = low_bits((uint64_t)sign_extended(value, v->bits), bits);
    const char *name = enumerator_name(&type, value, bits);
    if (name != NULL)
        fputs(name, out);
    else if (is_flag_enumeration(&type, bits))
        print_flags(out, &type, value);
    else if (is_signed)
        fprintf(out, "%lld", (long long)sign_extended(value, bits));
    else
        fprintf(out, "%llu", (unsigned long long)value);
}

/* ---- scalars ---- */

/* The characters that a pointer points to, or the symbol. */
static void print_target(struct printer *p, Dwarf_Die *pointer, uint64_t address)
{
    Dwarf_Die target;
    char text[MOST_ELEMENTS];
    size_t n = 0;
    if (address != 0 && variables_type_of(pointer, &target) && is_char(&target)) {
        while (n < sizeof text && p->memory->read(p->memory->ctx, address + n, &text[n], 1) && text[n] != '\0')
            n++;
        fputs(" \"", p->out);
        for (size_t i = 0; i < n; i++)
            put_char(p->out, (unsigned char)text[i], '"');
        fputs(n == sizeof text ? "\"..." : "\"", p->out);
        return;
    }
    const struct symbols_place place = symbols_find_data(p->symbols, address);
    if (place.function != NULL && place.offset != 0)
        fprintf(p->out, " <%s+%llu>", place.function, (unsigned long long)place.offset);
    else if (place.function != NULL)
        fprintf(p->out, " <%s>", place.function);
}

static void print_scalar(struct printer *p, const struct variable *v)
{
    Dwarf_Die type = v->type;
    Dwarf_Word encoding;
    const uint64_t size_bytes = type_bytes(&type);
    uint64_t value;
    if (size_bytes > sizeof value) {
        fprintf(p->out, "<%llu bytes: values of at most %zu are shown>", (unsigned long long)size_bytes, sizeof value);
    } else if (!variables_read_number(p, v, size_bytes, &value)) {
        fprintf(p->out, "<not mapped>");
    } else if (is_integer_type(&type, &encoding)) {
        print_base(p, v, value, encoding);
    } else if (dwarf_tag(&type) == DW_TAG_enumeration_type) {
        print_enumeration(p->out, v, value);
    } else {
        fprintf(p->out, "0x%llx", (unsigned long long)value);
        if (dwarf_tag(&type) == DW_TAG_pointer_type)
            print_target(p, &type, value);
    }
}

/* Characters up to a NUL behind which there are only others. */
static void variables_print_string(struct printer *p, uint64_t address, uint64_t count)
{
    const size_t most = count < MOST_ELEMENTS ? (size_t)count : MOST_ELEMENTS;
    unsigned char text[MOST_ELEMENTS];
    size_t length = most;
    if (!p->memory->read(p->memory->ctx, address, text, most)) {
        fprintf(p->out, "<not mapped>");
        return;
    }
    while (length > 0 && text[length - 1] == '\0')
        length--;
    fputc('"', p->out);
    for (size_t i = 0; i < length; i++)
        put_char(p->out, text[i], '"');
    fprintf(p->out, most < count && length == most ? "\"..." : "\"");
}

/* The number of elements from the first on that have the same bytes. */
static uint64_t count_equal(struct printer *p, uint64_t address, uint64_t size_bytes, uint64_t count)
{
    uint64_t n = 1;
    unsigned char first[256], other[256];
    if (size_bytes == 0 || size_bytes > sizeof first ||
        !p->memory->read(p->memory->ctx, address, first, (size_t)size_bytes))
        return 1;
    while (n < count && n < MOST_OBJECT &&
           p->memory->read(p->memory->ctx, address + n * size_bytes, other, (size_t)size_bytes) &&
           memcmp(first, other, (size_t)size_bytes) == 0)
        n++;
    return n;
}

/* Prints `count` objects, of which the first is given. */
static void print_elements(struct printer *p, const struct variable *first, uint64_t count)
{
    struct variable v = *first;
    const uint64_t size_bytes = type_bytes_of(first), address = first->address;
    uint64_t shown = 0;
    if (is_char(&v.type)) {
        variables_print_string(p, address, count);
        return;
    }
    fputc('{', p->out);
    for (uint64_t i = 0, equal; i < count && shown < MOST_ELEMENTS && p->values <= MOST_VALUES; i += equal, shown++) {
        equal = count_equal(p, address + i * size_bytes, size_bytes, count - i);
        equal = equal < MOST_REPEATS ? 1 : equal;
        fputs(i > 0 ? ", " : "", p->out);
        v.address = address + i * size_bytes;
        print_object(p, &v);
        if (equal > 1)
            fprintf(p->out, " <repeats %llu times>", (unsigned long long)equal);
    }
    fputs(shown == MOST_ELEMENTS ? "...}" : "}", p->out);
}

/* The member's place in the object. */
static bool place_member(Dwarf_Die *member, uint64_t address, struct variable *v)
{
    Dwarf_Attribute a;
    Dwarf_Word offset = 0, bits = 0, bit = 0;
    if (!variables_type_of(member, &v->type))
        return false;
    (void)dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &a), &offset);
    (void)dwarf_formudata(dwarf_attr(member, DW_AT_bit_size, &a), &bits);
    (void)dwarf_formudata(dwarf_attr(member, DW_AT_data_bit_offset, &a), &bit);
    const uint64_t unit = type_bytes(&v->type) * 8;
    v->address = address + offset + (bits != 0 && unit != 0 ? bit / unit * (unit / 8) : 0);
    v->taken = 0;
    v->bits = bits < MOST_BITS ? (unsigned)bits : MOST_BITS;
    v->bit = (unsigned)(bits != 0 && unit != 0 ? bit % unit : 0);
    return true;
}

/* The place of a virtual base class is known only when the program runs: it is not followed. */
static bool is_virtual_base(Dwarf_Die *base)
{
    Dwarf_Attribute a;
    Dwarf_Word kind;
    return dwarf_formudata(dwarf_attr(base, DW_AT_virtuality, &a), &kind) == 0 && kind != DW_VIRTUALITY_none;
}

/* Prints a member, or a base class, with its name. */
static void print_part(struct printer *p, Dwarf_Die *part, const struct variable *v)
{
    Dwarf_Die type = v->type;
    const bool is_base = dwarf_tag(part) == DW_TAG_inheritance;
    const char *name = dwarf_diename(is_base ? &type : part);
    if (name != NULL)
        fprintf(p->out, is_base ? "<%s> = " : "%s = ", name);
    if (is_base && is_virtual_base(part))
        fputs("<virtual base class: not shown>", p->out);
    else
        print_object(p, v);
}

static void print_struct(struct printer *p, const struct variable *v)
{
    Dwarf_Die type = v->type, child;
    struct variable part;
    const char *lead = "";
    bool has_members = false;
    fputc('{', p->out);
    for (bool more = dwarf_child(&type, &child) == 0; more && p->values <= MOST_VALUES;
         more = dwarf_siblingof(&child, &child) == 0) {
        const int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !place_member(&child, v->address, &part))
            continue;
        fputs(lead, p->out);
        print_part(p, &child, &part);
        has_members |= tag == DW_TAG_member;
        lead = ", ";
    }
    if (!has_members)
        fprintf(p->out, "%s<No data fields>", lead);
    fputc('}', p->out);
}

static void print_object(struct printer *p, const struct variable *v)
{
    Dwarf_Die type = v->type;
    struct variable element;
    if (++p->depth > MOST_TYPE_DEPTH || ++p->values > MOST_VALUES)
        fprintf(p->out, "...");
    else if (first_element(v, &element))
        print_elements(p, &element, array_elements(&type, v->taken));
    else if (is_struct(&type))
        print_struct(p, v);
    else
        print_scalar(p, v);
    p->depth--;
}

/* ---- names ---- */

/* The address of a variable that has one place for the whole run. */
static bool fixed_address(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_attr_integrate(die, DW_AT_location, &a) == NULL || dwarf_getlocation(&a, &ops, &count) != 0 ||
        count != 1 || ops[0].atom != DW_OP_addr)
        return false;
    *address = ops[0].number;
    return true;
}

static bool find_in_unit(Dwarf_Die *unit, const char *name, struct variable *v)
{
    Dwarf_Die child;
    for (bool more = dwarf_child(unit, &child) == 0; more; more = dwarf_siblingof(&child, &child) == 0) {
        const char *is = dwarf_tag(&child) == DW_TAG_variable ? dwarf_diename(&child) : NULL;
        if (is != NULL && strcmp(is, name) == 0 && fixed_address(&child, &v->address) &&
            variables_type_of(&child, &v->type))
            return true;
    }
    return false;
}

static bool find_variable(const struct symbols *s, const char *name, struct variable *v)
{
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(symbols_dwfl(s), unit, &bias)) != NULL;)
        if (find_in_unit(unit, name, v)) {
            v->address += bias + symbols_bias(s);
            return true;
        }
    return false;
}

/* ---- expressions ---- */

/* What is being parsed. */
struct variables_text {
    const char *at;
    const struct variables_memory *memory;
    struct errmsg *err;
};

static void take_name(struct variables_text *t, char *name, size_t room)
{
    size_t n = 0;
    while (isalnum((unsigned char)t->at[n]) || t->at[n] == '_')
        n++;
    snprintf(name, room, "%.*s", (int)(n < room ? n : room - 1), t->at);
    t->at += n;
}

static bool take_text(struct variables_text *t, const char *text)
{
    const size_t n = strlen(text);
    t->at += strspn(t->at, " ");
    if (strncmp(t->at, text, n) != 0)
        return false;
    t->at += n + strspn(t->at + n, " ");
    return true;
}

/* Finds a member of the object or of its base classes, at most `depth` of them deep. */
static bool find_member(const struct variable *v, const char *name, unsigned depth, struct variable *found)
{
    Dwarf_Die type = v->type, child;
    for (bool more = is_struct(&type) && dwarf_child(&type, &child) == 0; more;
         more = dwarf_siblingof(&child, &child) == 0) {
        const int tag = dwarf_tag(&child);
        const char *is = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;
        const bool is_base = tag == DW_TAG_inheritance && !is_virtual_base(&child);
        struct variable part;
        if (is != NULL && strcmp(is, name) == 0 && place_member(&child, v->address, found))
            return true;
        if (is_base && depth > 0 && place_member(&child, v->address, &part) &&
            find_member(&part, name, depth - 1, found))
            return true;
    }
    return false;
}

static enum status variables_take_member(struct variables_text *t, struct variable *v)
{
    char name[MOST_NAME];
    const struct variable object = *v;
    take_name(t, name, sizeof name);
    return find_member(&object, name, MOST_TYPE_DEPTH, v) ? ST_OK
                                                          : fail(t->err, ST_INPUT, "there is no member '%s'", name);
}

/* The object becomes what it points to. */
static enum status follow_pointer(struct variables_text *t, struct variable *v)
{
    Dwarf_Die target;
    uint64_t address;
    if (dwarf_tag(&v->type) != DW_TAG_pointer_type || !variables_type_of(&v->type, &target))
        return fail(t->err, ST_INPUT, "it is no pointer to an object");
    if (!t->memory->read(t->memory->ctx, v->address, &address, sizeof address))
        return fail(t->err, ST_RANGE, "the guest has no memory at 0x%llx", (unsigned long long)v->address);
    *v = (struct variable){.type = target, .address = address};
    return ST_OK;
}

static enum status take_index(struct variables_text *t, struct variable *v)
{
    char *end;
    errno = 0;
    const uint64_t index = strtoull(t->at, &end, 0);
    struct variable element;
    enum status st = ST_OK;
    if (end == t->at || !isdigit((unsigned char)*t->at) || *end != ']')
        return fail(t->err, ST_INPUT, "expected a number and ], found '%.40s'", t->at);
    if (errno == ERANGE)
        return fail(t->err, ST_INPUT, "expected an index of at most 64 bits, found '%.40s'", t->at);
    t->at = end + 1;
    if (dwarf_tag(&v->type) == DW_TAG_pointer_type)
        st = follow_pointer(t, v);
    else if (first_element(v, &element))
        *v = element;
    else
        st = fail(t->err, ST_INPUT, "it is neither an array nor a pointer");
    v->address += index * type_bytes_of(v);
    return st;
}

static enum status take_parts(struct variables_text *t, struct variable *v)
{
    enum status st = ST_OK;
    for (;;) {
        if (take_text(t, "->"))
            st = follow_pointer(t, v) == ST_OK ? variables_take_member(t, v) : ST_INPUT;
        else if (take_text(t, "."))
            st = variables_take_member(t, v);
        else if (take_text(t, "["))
            st = take_index(t, v);
        else
            return ST_OK;
        if (st != ST_OK)
            return st;
    }
}

/* Parses @COUNT; 0: none. */
static enum status take_count(struct variables_text *t, uint64_t *count)
{
    char *end;
    *count = 0;
    if (take_text(t, "@")) {
        *count = strtoull(t->at, &end, 0);
        if (end == t->at || *count == 0 || *count > MOST_OBJECT)
            return fail(t->err, ST_INPUT, "expected a count of 1 to %d behind @, found '%.40s'", MOST_OBJECT, t->at);
        t->at = end;
    }
    t->at += strspn(t->at, " ");
    return *t->at == '\0' ? ST_OK
                          : fail(t->err, ST_INPUT, "expected .MEMBER, [NUMBER] or @COUNT, found '%.40s'", t->at);
}

enum status variables_print(const struct symbols *s, const char *text, const struct variables_memory *memory, FILE *out,
                            struct errmsg *err)
{
    struct variables_text t = {text, memory, err};
    struct variable v = {.bits = 0};
    struct printer p = {s, memory, out, 0, 0};
    char name[MOST_NAME];
    uint64_t count;
    const bool follows = take_text(&t, "*");
    take_name(&t, name, sizeof name);
    if (name[0] == '\0')
        return fail(err, ST_INPUT, "expected the name of a variable of the guest, found '%.40s'", text);
    if (!find_variable(s, name, &v))
        return fail(err, ST_INPUT, "no debugging information of the guest has a variable '%s' outside of functions",
                    name);
    enum status st = take_parts(&t, &v);
    if (st == ST_OK && follows)
        st = follow_pointer(&t, &v);
    if (st == ST_OK)
        st = take_count(&t, &count);
    if (st != ST_OK)
        return st;
    fprintf(out, "%s = ", text);
    if (count != 0)
        print_elements(&p, &v, count);
    else
        print_object(&p, &v);
    fputc('\n', out);
    return ST_OK;
}

/* ---- names of addresses ---- */

/* The variable of a unit at a fixed address; NULL: there is none. */
static const char *variables_find_at(Dwarf_Die *unit, uint64_t address, struct variable *v)
{
    Dwarf_Die child;
    for (bool more = dwarf_child(unit, &child) == 0; more; more = dwarf_siblingof(&child, &child) == 0)
        if (dwarf_tag(&child) == DW_TAG_variable && fixed_address(&child, &v->address) && v->address == address &&
            variables_type_of(&child, &v->type))
            return dwarf_diename(&child);
    return NULL;
}

/* Makes the object its member that has the address; false: it has none. The name of the member, if any, is printed. */
static bool variables_enter_member(FILE *out, struct variable *v, uint64_t address)
{
    Dwarf_Die type = v->type, child;
    struct variable part;
    for (bool more = dwarf_child(&type, &child) == 0; more; more = dwarf_siblingof(&child, &child) == 0) {
        const int tag = dwarf_tag(&child);
        const bool is_base = tag == DW_TAG_inheritance && !is_virtual_base(&child);
        if ((tag != DW_TAG_member && !is_base) || !place_member(&child, v->address, &part) ||
            address - part.address >= type_bytes_of(&part))
            continue;
        const char *name = is_base ? NULL : dwarf_diename(&child);
        if (name != NULL)
            fprintf(out, ".%s", name);
        *v = part;
        return true;
    }
    return false;
}

/* Makes the object its element that has the address; false: it is no array. */
static bool variables_enter_element(FILE *out, struct variable *v, uint64_t address)
{
    struct variable element;
    const uint64_t size_bytes = first_element(v, &element) ? type_bytes_of(&element) : 0;
    if (size_bytes == 0)
        return false;
    const uint64_t index = (address - v->address) / size_bytes;
    fprintf(out, "[%llu]", (unsigned long long)index);
    element.address += index * size_bytes;
    *v = element;
    return true;
}

static void variables_print_name(FILE *out, const char *name, struct variable *v, uint64_t address)
{
    fputs(name, out);
    for (unsigned depth = 0; depth < MOST_TYPE_DEPTH; depth++)
        if (!variables_enter_element(out, v, address) &&
            !(is_struct(&v->type) && variables_enter_member(out, v, address)))
            break;
    if (address != v->address)
        fprintf(out, "+%llu", (unsigned long long)(address - v->address));
}

char *variables_name(const struct symbols *s, uint64_t address)
{
    char *text;
    size_t size;
    Dwarf_Addr bias;
    struct variable v = {.bits = 0};
    const struct symbols_place place = s != NULL ? symbols_find_data(s, address) : (struct symbols_place){0};
    if (place.function == NULL)
        return NULL;
    FILE *out = xopen_text(&text, &size);
    const char *name = NULL;
    for (Dwarf_Die *unit = NULL; name == NULL && (unit = dwfl_module_nextcu(symbols_dwfl(s), unit, &bias)) != NULL;)
        name = variables_find_at(unit, address - place.offset - bias - symbols_bias(s), &v);
    if (name != NULL) {
        v.address = address - place.offset;
        variables_print_name(out, name, &v, address);
    } else {
        fputs(place.function, out);
        if (place.offset != 0)
            fprintf(out, "+%llu", (unsigned long long)place.offset);
    }
    xclose_text(out);
    return text;
}
