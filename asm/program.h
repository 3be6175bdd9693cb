/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program in assembly; private to asm/. The phases in order: walk.c visits the statements of all files and passes
 * each declaration to declare.c; slot.c lays out the slots; record.c numbers the fields, and sampler.c checks them;
 * words.c checks and encodes the operations; emit.c completes the image; warn.c reports the findings of check.c. */
#ifndef ASM_PROGRAM_H
#define ASM_PROGRAM_H

#include <string.h>

#include "asm/asm.h"
#include "asm/ast.h"
#include "asm/symtab.h"

enum { REG_MOST = ISA_INDEXES }; /* maximum number of registers in a file */

/* Referent of an operand's name. Register kinds are those of enum isa_regfile. */
enum ref_kind { REF_FIELD = REG_FILES, REF_SPECIAL, REF_NONE };
struct ref {
    unsigned kind, number; /* number: register number, position of a field in the record, or code of bus B */
};

struct word {
    struct diag_loc loc;
    int last_line;
    struct operation *first, *last;
    const char *label;
};

struct program {
    struct arena *arena;
    struct diag *diag;
    const struct pasm_options *opts;
    struct image *image;
    struct symtab equs, labels;
    struct symtab mentioned;               /* names that expressions and conditions use, assembled or not */
    struct name regs[REG_FILES][REG_MOST]; /* text NULL: free */
    bool keeps[ISA_VALUES];                /* declared to keep their values between samples */
    const struct stmt *targets[ISA_TARGETS];
    struct word word[ISA_WORDS];
    unsigned words;            /* may exceed the number stored */
    const char *pending_label; /* the first label since the last word */
    struct name filtered[OPCLASS_COUNT], kept[OPCLASS_COUNT], entry[OPCLASS_COUNT], entry_label[OPCLASS_COUNT];
    struct diag_loc field_loc[FIELD_COUNT]; /* of each field of the record: where it is named first */
    struct name params[IMAGE_PARAMS];       /* parallel to the image's parameters */
    const struct stmt *slots[IMAGE_LAYOUTS];
    unsigned slot_count;
    bool layout_is_bad[IMAGE_LAYOUTS]; /* has errors: a missing member is not reported */
    bool layout_is_unknown;            /* some layout has an invalid name */
    bool exact_is_bad;                 /* the exact reference of the current .slot is invalid */
    const struct stmt *program, *geometry, *record, *sampler, *filter_pc,
        *filter_ignore;          /* directives that may occur once */
    bool sampler_is_bad;         /* has errors: a field that it does not supply is not reported */
    struct diag_source *sources; /* the main file first */
    struct diag_source *defines; /* the -D options */
    char *texts[256];            /* texts of included files; owned */
    unsigned text_count;
    size_t source_bytes; /* of the included files */
    int errors_before;   /* number of errors in the diagnostics before this program */
};

/* names.c */
enum name_use { NAME_REGISTER, NAME_LABEL, NAME_MEMBER, NAME_PARAM, NAME_PROGRAM, NAME_SYMBOL };
/* Reason why the name is not valid for this use (static text), or NULL. */
const char *name_why_not(enum name_use use, const char *name);
/* Returns whether the name is an architectural register name such as "v2", and its number, in range or not. */
bool name_is_plain(char letter, const char *name, unsigned *number);
/* A register of the file, with its article: "an index register". */
const char *name_of_file(enum isa_regfile file);
struct ref name_find_operand(const struct program *p, const char *name);
/* The index of a parameter, or -1. */
int name_find_param(const struct program *p, const char *name);
const char *name_nearest_operand(const struct program *p, const char *name);
/* Reports an unknown operand with a spelling suggestion. */
void name_report_unknown(struct program *p, const struct name *name);
/* The text of diag_hint, allocated in the arena. */
const char *name_hint(struct program *p, const char *nearest);
int name_find_format(const char *name); /* enum slot_format, or -1 */
int name_find_lane(const char *name);   /* enum isa_lane, or -1 */

/* expr.c: returns false after an error, which may have been reported at a symbol's definition. */
bool expr_eval(struct program *p, const struct expr *e, struct integer *out);
/* The value is unsigned: a negative number is out of range. */
bool expr_eval_range(struct program *p, const struct expr *e, uint64_t min, uint64_t max, const char *what,
                     uint64_t *out);

/* walk.c */
void program_walk(struct program *p, const struct diag_source *source);

/* declare.c */
void program_declare(struct program *p, const struct stmt *s);

/* sampler.c */
void sampler_declare(struct program *p, const struct stmt *s);
/* To be called after the fields were numbered: reports the first one that the sampler does not supply. */
void sampler_check_fields(struct program *p);

/* slot.c: computes the layouts and the sizes of the arrays. */
void program_lay_out(struct program *p);

/* record.c */
void program_number_fields(struct program *p);

/* words.c */
void program_judge_words(struct program *p);

/* branch.c */
enum { BRANCH_MNEMONICS = 3 };
extern const char *const branch_mnemonics[BRANCH_MNEMONICS];
bool branch_is_mnemonic(const char *mnemonic);
/* The target code of a branch from `pc`, or -1. */
int branch_target(struct program *p, const struct operation *op, unsigned pc);
/* The address of a label, or -1 and an error. */
int branch_find_label(struct program *p, const struct name *label);

/* emit.c */
void program_resolve_targets(struct program *p);
void program_emit(struct program *p);

/* warn.c; for a program without errors */
void program_warn(struct program *p);

/* listing.c */
void program_list(struct program *p, FILE *out);

#endif
