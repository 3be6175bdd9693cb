/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the vocabulary of the assembly language from the assembler's tables, for the editor support in share/editors/.
 * A line is a kind, a tab and a word; a word with several kinds is printed once, with the first kind. */
#include <stdio.h>
#include <string.h>

#include "asm/ast.h"
#include "contract/opclass.h"
#include "isa/image.h"
#include "isa/isa.h"
#include "isa/sample.h"

/* Keywords that are not in a table: the grammar and the declarations compare names with them. */
static const char *const keywords[] = {
    "if",   "goto",   "done", "interrupt", "row",   "width", "saturate", "wrap", "keep", "class", "pc",     "mask",
    "hash", "ignore", "cam",  "data",      "exact", "parts", "key",      "last", "log2", "gate",  "window",
};

enum { MAX_WORDS = 1024 };
static const char *printed[MAX_WORDS];
static unsigned count;

static void pasm_words_print_word(const char *kind, const char *word)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(printed[i], word) == 0)
            return;
    if (word[0] == '\0')
        return;
    if (count == MAX_WORDS)
        BUG("more than %d words", MAX_WORDS);
    printed[count++] = word;
    printf("%s\t%s\n", kind, word);
}

static void pasm_words_print_operations(void)
{
    pasm_words_print_word("mnemonic", "nop");
    for (size_t i = 0; i < isa_op_count; i++)
        pasm_words_print_word("mnemonic", isa_ops[i].mnemonic);
    for (size_t i = 0; i < isa_cond_count; i++) {
        pasm_words_print_word("condition", isa_conds[i].name);
        pasm_words_print_word("condition", isa_conds[i].inverse);
    }
}

static void pasm_words_print_operands(void)
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        pasm_words_print_word("class", opclass_name((enum opclass)c));
    for (int f = 0; f < FIELD_COUNT; f++)
        pasm_words_print_word("field", sample_fields[f].name);
    for (size_t i = 0; i < isa_bsrc_count; i++)
        if (isa_bsrcs[i].count == 1 && isa_bsrcs[i].code != BSRC_INDEX)
            pasm_words_print_word("operand", isa_bsrcs[i].name);
    for (int i = 0; i < FORMAT_KINDS; i++)
        pasm_words_print_word("format", slot_formats[i].name);
    for (int i = 0; i < LANE_COUNT; i++)
        pasm_words_print_word("lane", isa_lanes[i].name);
}

/* Prints the architectural register names; `f` numbers the fields of the record. */
static void pasm_words_print_registers(void)
{
    for (int f = 0; f < REG_FILES; f++)
        printf("register\t%c\n", isa_regfiles[f].letter);
    puts("register\tf");
}

int main(void)
{
    for (size_t i = 0; pasm_directive(i) != NULL; i++)
        pasm_words_print_word("directive", pasm_directive(i));
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        pasm_words_print_word("keyword", keywords[i]);
    pasm_words_print_operations();
    pasm_words_print_operands();
    pasm_words_print_registers();
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? EXIT_BAD_INPUT : 0;
}
