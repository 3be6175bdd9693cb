/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/debug_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "core-model/linux/tracing.h"
#include "host/report/words.h"
#include "host/symbols/source_lines.h"
#include "host/symbols/unwind.h"
#include "host/symbols/variables.h"

enum { LISTED_LINES = 10, MOST_FRAMES = 256, MOST_INLINED = 16, MOST_SOURCE = 16 << 20, MOST_INSNS = 1 << 14 };

/* ---- lines ---- */

/* Prints lines of a text around one of them, which => marks if the guest is there. */
static void debug_source_lines(const char *text, int line, bool is_here, FILE *out)
{
    const int first = line > LISTED_LINES / 2 ? line - LISTED_LINES / 2 : 1;
    int n = 1;
    for (const char *at = text; *at != '\0' && n < first + LISTED_LINES; n++) {
        const size_t length = strcspn(at, "\n");
        char *printable = text_printable_line(at, length);
        if (n >= first)
            fprintf(out, "%s %6d  %s\n", is_here && n == line ? "=>" : "  ", n, printable);
        free(printable);
        at += length + (at[length] == '\n');
    }
}

/* The source, by its path when the program was compiled, then in the present folder, as gdb searches it. */
static enum status read_source(const char *path, char **text, struct errmsg *err)
{
    size_t size_bytes;
    struct errmsg ignored;
    const enum status st = file_read(path, MOST_SOURCE, text, &size_bytes, err);
    if (st == ST_OK || file_read(basename(path), MOST_SOURCE, text, &size_bytes, &ignored) == ST_OK)
        return ST_OK;
    return st;
}

static enum status show_lines(struct target *t, const struct debug_guest_request *r, FILE *out, struct errmsg *err)
{
    const uint64_t here = t->guest.hart.pc, pc = r->has_place ? r->pc : here;
    char *path, *text, *place;
    int line;
    enum status st;
    if (!source_lines_at(t->symbols, pc, &path, &line)) {
        place = report_place(t->symbols, pc, false);
        st = fail(err, ST_INPUT, "there is no line information of 0x%llx %s: disas guest shows the code",
                  (unsigned long long)pc, place);
        free(place);
        return st;
    }
    st = read_source(path, &text, err);
    if (st == ST_OK) {
        debug_source_lines(text, line, pc == here, out);
        free(text);
    }
    free(path);
    return st;
}

/* ---- the call stack ---- */

static void print_frame(FILE *out, unsigned number, uint64_t pc, const char *function, const char *file, int line,
                        bool is_inlined)
{
    fprintf(out, "#%-3u 0x%llx in %s", number, (unsigned long long)pc, function != NULL ? function : "??");
    if (file != NULL)
        fprintf(out, " at %s:%d", file, line);
    fputs(is_inlined ? " (inlined)\n" : "\n", out);
}

/* Prints the frames of one address: those of the calls inlined there, and the function's own. `at` is the instruction
 * that is executed: of a caller, its call. */
static unsigned print_frames_at(struct target *t, unsigned number, uint64_t pc, uint64_t at, FILE *out)
{
    struct source_inlined call[MOST_INLINED];
    const struct symbols_place place = symbols_find(t->symbols, at);
    const size_t count = source_lines_inlined(t->symbols, at, call, MOST_INLINED);
    const char *file = place.file;
    int line = place.line;
    for (size_t i = 0; i < count; i++) {
        print_frame(out, number++, pc, call[i].name, file, line, true);
        file = call[i].file;
        line = call[i].line;
    }
    print_frame(out, number++, pc, place.function, file, line, false);
    return number;
}

static enum status show_stack(struct target *t, FILE *out)
{
    struct hart *h = &t->guest.hart;
    struct unwind_source source = {.symbols = t->symbols, .read = target_read_memory, .ctx = &h->mem};
    struct unwind_place chain[MOST_FRAMES];
    const unsigned frames = unwind_chain(&source, h->pc, h->reg, chain, MOST_FRAMES);
    unsigned number = 0;
    for (unsigned i = 0; i < frames; i++)
        number = print_frames_at(t, number, chain[i].pc, chain[i].pc - (i > 0), out);
    return ST_OK;
}

/* ---- code ---- */

static const char *trap_words(enum rv_trap trap, uint64_t pc)
{
    return trap == RV_TRAP_ILLEGAL ? "not an instruction" : pc % 2 != 0 ? "odd address" : "not executable";
}

void debug_source_instruction(struct target *t, uint64_t pc, FILE *out)
{
    enum rv_trap trap;
    char text[128];
    const struct rv_insn *in = rv_fetch(&t->guest.hart, pc, &trap);
    if (in != NULL)
        (void)rv_print_flat(text, sizeof text, in, pc);
    else
        snprintf(text, sizeof text, "%s", trap_words(trap, pc));
    target_find_libraries(t);
    char *where = report_place(t->symbols, pc, false);
    fprintf(out, "  0x%llx  %-32s %s\n", (unsigned long long)pc, text, where);
    free(where);
}

static enum status show_code(struct target *t, const struct debug_guest_request *r, FILE *out, struct errmsg *err)
{
    const uint64_t here = t->guest.hart.pc, pc = r->has_place ? r->pc : here;
    const struct symbols_place p = symbols_find(t->symbols, pc);
    enum rv_trap trap;
    if (p.function == NULL)
        return fail(err, ST_INPUT, "no function is known at 0x%llx: x/8i shows the instructions there",
                    (unsigned long long)pc);
    uint64_t at = p.start;
    for (unsigned n = 0; n < MOST_INSNS && symbols_find(t->symbols, at).start == p.start; n++) {
        const struct rv_insn *in = rv_fetch(&t->guest.hart, at, &trap);
        fputs(at == here ? "=>" : "  ", out);
        debug_source_instruction(t, at, out);
        if (in == NULL)
            break;
        at += in->length_bytes;
    }
    return ST_OK;
}

/* ---- variables ---- */

static bool debug_source_read(void *ctx, uint64_t address, void *to, size_t size_bytes)
{
    return guest_read_bytes(ctx, address, to, size_bytes) == size_bytes;
}

enum status debug_source_show(struct target *t, const struct debug_guest_request *request, FILE *out,
                              struct errmsg *err)
{
    const struct variables_memory memory = {debug_source_read, &t->guest};
    if (t->symbols == NULL)
        return fail(err, ST_INPUT, "the guest has no symbols");
    target_find_libraries(t);
    switch (request->what) {
    case DEBUG_GUEST_LIST:
        return show_lines(t, request, out, err);
    case DEBUG_GUEST_BACKTRACE:
        return show_stack(t, out);
    case DEBUG_GUEST_CODE:
        return show_code(t, request, out, err);
    case DEBUG_GUEST_VALUE:
        break;
    }
    return variables_print(t->symbols, request->text, &memory, out, err);
}
