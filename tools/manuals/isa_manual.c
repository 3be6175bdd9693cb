/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/isa.md, the manual of the microinstruction set, from the tables of isa/. */
#include <stdio.h>

#include "contract/exact.h"
#include "contract/opclass.h"
#include "isa/bus.h"
#include "isa/image.h"
#include "isa/isa.h"
#include "isa/sample.h"

static void isa_manual_print_word(void)
{
    puts(
        "## The word\n\n"
        "A word has 48 bits: a control signal for each unit and a selector for each port of a register file. One word\n"
        "executes in each cycle.\n\n"
        "| bits | field | selects |\n|---|---|---|");
#define WORD_FIELD(member, low, width, what)                                      \
    if ((width) > 1)                                                              \
        printf("| %d:%d | `%s` | %s |\n", (low) + (width)-1, low, #member, what); \
    else                                                                          \
        printf("| %d | `%s` | %s |\n", low, #member, what);
#include "isa/isa.def"
    puts(
        "\nAll units read the state that the previous word has left; all writes take place at the end of the cycle. A\n"
        "branch condition tests the operations of its own word: there is no flag register. The address in both arrays\n"
        "is `base OR index`. A selector that no operation uses is 0, so that every word has one encoding; any other "
        "is\n"
        "illegal and stops the co-processor.\n\n"
        "With a selector per port instead of operand fields per unit, port conflicts cannot be encoded, and 48 bits\n"
        "suffice for a branch, an ALU, an index, a data and an associative operation in every word.");
}

static void print_branches(void)
{
    puts("\n## Branch slot\n\n"
         "`if CONDITION goto LABEL`, `if CONDITION done`, `if CONDITION interrupt`; without `if`, always.\n\n"
         "| code | condition | inverted | needs | holds when |\n|---|---|---|---|---|");
    static const char *const units[] = {[UNIT_NONE] = "",
                                        [UNIT_ALU] = "ALU",
                                        [UNIT_DATA] = "data array",
                                        [UNIT_IDX] = "index unit",
                                        [UNIT_CAM] = "match"};
    for (size_t i = 0; i < isa_cond_count; i++)
        printf("| %u | `%s` | `%s` | %s | %s |\n", isa_conds[i].code, isa_conds[i].name, isa_conds[i].inverse,
               units[isa_conds[i].unit], isa_conds[i].meaning);
    printf("\n| target code | goes to |\n|---|---|\n| 0 to %d | the address in target register `t0` to `t%d` |\n"
           "| %d | `done`: the head sample is finished; dispatch on the next one's class |\n"
           "| %d | `interrupt`: the head sample is finished; halt and interrupt the host |\n| %d to %d | a short "
           "offset: %d to %d words |\n"
           "| %d to %d | a short offset: +%d to +%d words |\n",
           ISA_TARGETS - 1, ISA_TARGETS - 1, TARGET_DONE, TARGET_INTERRUPT, TARGET_BACK, TARGET_FORWARD - 1, OFFSET_MIN,
           -1, TARGET_FORWARD, TARGET_CODES - 1, isa_target_offset(TARGET_FORWARD), OFFSET_MAX);
}

static void isa_manual_print_operations(void)
{
    static const struct {
        enum isa_unit unit;
        const char *title, *text;
    } groups[] = {
        {UNIT_ALU, "Main ALU",
         "A is a value register, B is bus B. `.32` behind the mnemonic selects the low 32 bits: both operands are cut "
         "to\n"
         "them, the conditions take bit 31 as the sign and test 32 bits, and bits 63:32 of the result are 0. The "
         "result\n"
         "goes to a value register, an index register or both: `add v0, c1 -> v2, i3`; or nowhere, for its condition."},
        {UNIT_IDX, "Index unit",
         "Index registers have a width of 1 to 16 bits, and wrap or saturate in it, as set when the program is "
         "loaded.\n"
         "`inc i1 -> i2` reads one and writes another."},
        {UNIT_DATA, "Data array",
         "One access in each word, to one lane of one 64-bit row: `BASE[INDEX].LANE`. `inc`, `dec`, `add` and `sub` "
         "stop at\n"
         "the lane's limits, and an operand that the lane cannot hold is clipped; `st`, `xchg` and `or` cut theirs to\n"
         "the width of the lane. The value read can go to a value register: `-> v1` the lane; except for `ld`, whose "
         "lane d is\n"
         "the row, also `-> row v1`, the whole row as the operation leaves it."},
        {UNIT_CAM, "Associative array",
         "One operation in each word: `match BASE, KEY -> INDEX`, `write BASE[INDEX], KEY`, `invalidate BASE[INDEX]`. "
         "A key\n"
         "has 64 bits. Bits 31:0 are B[31:0]. In a sub-array whose base register is wide, KEY is `A, B`, and bits "
         "63:32\n"
         "are A[31:0] of a value register; in others KEY is `B`, and they are 0. Base registers are wide or not as "
         "set\n"
         "when the program is loaded. Read port A serves both the ALU and the key of a word."},
    };
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        printf("\n## %s\n\n%s\n\n| code | operation | effect |\n|---|---|---|\n", groups[g].title, groups[g].text);
        for (size_t i = 0; i < isa_op_count; i++) {
            const struct isa_op_row *op = &isa_ops[i];
            if (op->unit == groups[g].unit && op->mnemonic[0] != '\0')
                printf("| %u | `%s` | %s |\n", op->code, op->mnemonic, op->effect);
            else if (op->unit == groups[g].unit)
                printf("| %u | | %s |\n", op->code, op->effect);
        }
    }
}

static void isa_manual_print_operands(void)
{
    puts("\n## Bus B\n\nOne operand drives it in each word, for all units that take one. The LFSR is in Galois form: "
         "with each\n"
         "word it shifts right four times, and the bit that is shifted out is added to bits 15, 13, 12 and 10.\n\n| "
         "code | "
         "operand | meaning |\n|---|---|---|");
    for (size_t i = 0; i < isa_bsrc_count; i++) {
        const struct isa_bsrc_row *r = &isa_bsrcs[i];
        if (r->code == BSRC_NONE)
            continue;
        if (r->count > 1)
            printf("| %d to %d | `%s0` to `%s%d` | %s |\n", r->code, r->code + r->count - 1, r->name, r->name,
                   r->count - 1, r->what);
        else
            printf("| %d | `%s` | %s |\n", r->code, r->code == BSRC_INDEX ? "i0 to i7" : r->name, r->what);
    }
    puts("\n## Inputs of the value file's write port\n\n| code | input |\n|---|---|");
#define VSRC(sym, code, what) printf("| %d | %s |\n", code, what);
#include "isa/isa.def"
    puts("\n## Lanes\n\n| code | lane | bits |\n|---|---|---|");
    for (unsigned i = 0; i < LANE_COUNT; i++)
        printf("| %u | `%s` | %d:%d |\n", i, isa_lanes[i].name, isa_lanes[i].low + isa_lanes[i].width - 1,
               isa_lanes[i].low);
}

static void print_formats(void)
{
    static const char *const merges[] = {[MERGE_ADD] = "added",
                                         [MERGE_LARGER] = "the larger",
                                         [MERGE_SMALLER] = "the smaller",
                                         [MERGE_IDENTITY] = "key"};
    puts("\n## Slot formats\n\nHow the host merges and prints a member of a `.slot` ([assembler](assembler.md#slots)). "
         "The column\n"
         "*merged* has the result for two slots of one identity. `key`: the member is part of the identity; with "
         "`last` in\n"
         "front it is not, and the value read last is kept. An address in 64 bits is the whole address, as `pc`,\n"
         "`target` and `ea` have it.\n\n"
         "| format | merged | holds |\n|---|---|---|");
    for (unsigned f = 0; f < FORMAT_KINDS; f++)
        printf("| `%s` | %s | %s |\n", slot_formats[f].name, merges[slot_formats[f].merge], slot_formats[f].text);
}

static void print_filters(void)
{
    puts("\n## PC filters\n\nBoth filters hash bits 32:1 of the address (`pc32`), here called *pc*; `rotate` rotates "
         "32 bits\n"
         "to the left. An instruction passes PC filter 1 if *hash 1* AND mask = match. PC filter 2 ignores it if the "
         "bit\n"
         "with the number *hash 2* is set in the table `masked` of the bus\n"
         "([filters of addresses](assembler.md#filters-of-addresses)).\n\n"
         "| hash | hash 1: low 16 bits of | hash 2: low bits of | instructions of one hash 1 "
         "|\n|---|---|---|---|");
#define PCHASH(number, first, second, text) printf("| %d | `%s` | `%s` | %s |\n", number, #first, #second, text);
#include "isa/pchash.def"
}

/* Opcode classes in whose samples the field is meaningful: the missing ones if these are fewer. */
static void print_classes(uint32_t classes)
{
    uint32_t missing = ((UINT32_C(1) << OPCLASS_COUNT) - 1) & ~classes;
    bool inverted = __builtin_popcount(missing) < __builtin_popcount(classes);
    uint32_t listed = inverted ? missing : classes;
    if (inverted)
        fputs(listed == 0 ? "all" : "all but ", stdout);
    const char *separator = "";
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        if (listed >> c & 1) {
            printf("%s`%s`", separator, opclass_name((enum opclass)c));
            separator = ", ";
        }
}

/* Prints the row of the fields of this width that clip. */
static void print_clipped(unsigned width_bits, const char *largest)
{
    printf("| %s | ", largest);
    const char *before = "";
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        if (sample_fields[f].clips && sample_fields[f].width_bits == width_bits) {
            printf("%s`%s`", before, sample_fields[f].name);
            before = ", ";
        }
    puts(" |");
}

static void isa_manual_print_environment(void)
{
    printf("\n## Opcode classes\n\nThe opcode filter selects by class, and the DFE dispatches on it. There are "
           "%d classes.\n\n| number | class | instructions |\n|---|---|---|\n",
           OPCLASS_COUNT);
#define OPCLASS(sym, name, what) printf("| %d | `%s` | %s |\n", OPCLASS_##sym, name, what);
#include "contract/opclass.def"
    puts("\n## Sample fields\n\nA program may name up to 16 fields. The core collects these, in this order. A "
         "sample\n"
         "is its class (8 bits) and its fields, rounded up to 4 bytes.\n\n"
         "A field is defined in the samples of its classes. In samples of other classes its value is undefined, and\n"
         "`pcasm` warns of its use. A sample has the operands and the result of its own instruction, and the stack\n"
         "pointer. No field has another register: the arguments of a call are not in the sample of the call.\n");
    puts(
        "A latency, or another number of cycles or instructions, that the field cannot hold is clipped to the field's\n"
        "largest value. The sample does not mark this; a program can compare the field with that value.\n\n"
        "| clipped to | fields |\n|---|---|");
    print_clipped(16, "65,535");
    print_clipped(32, "4,294,967,295");
    puts("\n"
         "An access that finds its line on the way, by another miss or a prefetch, merges with it and is a miss, "
         "too.\n"
         "Several instructions can therefore miss for one line; the exact counts have the same rule.\n\n"
         "| field | bits | group | classes | meaning |\n|---|---|---|---|---|");
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        printf("| `%s` | %u | %s | ", sample_fields[f].name, sample_fields[f].width_bits,
               sample_groups[sample_fields[f].group].name);
        print_classes(sample_field_classes((enum sample_field)f));
        printf(" | %s |\n", sample_fields[f].meaning);
    }
    print_filters();
    print_formats();
    puts("\n## Host access bus\n\nAll state of the co-processor, for 64-bit loads and stores of the host. W: write "
         "only, "
         "R: read only.\n\n"
         "| address | words | access | name | contents |\n|---|---|---|---|---|");
    for (const struct bus_region *r = bus_next(NULL); r != NULL; r = bus_next(r))
        printf("| 0x%04x | %u | %s | `%s` | %s |\n", r->address, r->words, r->access, r->name, r->contents);
}

static void print_references(void)
{
    puts("\n## Exact references\n\nReferences that a `.slot` can name for exact answers beside its counts "
         "([assembler](assembler.md#exact-references)).\n"
         "No reference has a data address as a key, or the maximum or minimum of a quantity. Totals by\n"
         "variable or cache line are compared with those of a run that drops nothing\n"
         "([without a reference](assembler.md#without-a-reference)).\n\n"
         "| reference | row | unit | meaning |\n|---|---|---|---|");
    for (unsigned e = 0; e < EXACT_REFERENCES; e++) {
        const struct exact_kind *kind = &exact_kinds[e];
        printf("| `%s` | | | %s |\n", kind->name, kind->meaning);
        for (unsigned k = 0; kind->key[k].name != NULL; k++)
            printf("| | key `%s` | `%s` | %s |\n", kind->key[k].name, slot_formats[kind->key[k].format].name,
                   kind->key[k].meaning);
        for (unsigned c = 0; kind->count[c].name != NULL; c++)
            printf("| | count `%s` | %s | %s |\n", kind->count[c].name, kind->count[c].unit, kind->count[c].meaning);
    }
}

int main(void)
{
    puts("<!-- Generated by `make docs` from isa/*.def. Do not edit. -->\n# The microinstruction set\n\n"
         "The machine language of the profiling co-processor, after Zilles and Sohi (HPCA 2001, sections 3.3 and 3.4,\n"
         "Table 1). The paper defines the resources but no encoding; this page defines the encoding.\n");
    printf("| resource | size | ports |\n|---|---|---|\n"
           "| microcode | %d x %d bits | |\n| value registers `v` | %d x 64 | 2R 1W |\n| index registers `i` | %d x "
           "16, width settable | 1R 1W |\n"
           "| constant registers `c` | %d x 64, read-only | 1R |\n| base registers `b` | %d x 16, read-only, a bit "
           "`wide` each | 1R |\n"
           "| target registers `t` | %d x 6, read-only | 1R |\n| associative array | %d x 64 (128 to 1024), a valid "
           "bit each | 1 |\n"
           "| data array | %d x 64 (128 to 1024), read-modify-write | 1 |\n\n",
           ISA_WORDS, ISA_WORD_BITS, ISA_VALUES, ISA_INDEXES, ISA_CONSTS, ISA_BASES, ISA_TARGETS, ISA_CAM_ENTRIES,
           ISA_DATA_ROWS);
    isa_manual_print_word();
    print_branches();
    isa_manual_print_operations();
    isa_manual_print_operands();
    isa_manual_print_environment();
    print_references();
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? 2 : 0;
}
