/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/debugging.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"
#include "base/file.h"
#include "core-model/core_inspect.h"
#include "core-model/gdb/gdb.h"
#include "core-model/linux/fault.h"
#include "host/report/words.h"
#include "host/symbols/meant.h"
#include "host/symbols/source_lines.h"
#include "tools/pcemu/debug_places.h"
#include "tools/pcemu/debug_source.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/shell.h"
#include "tools/pcemu/start_folder.h"

enum { MAX_SOURCE_BYTES = 4 << 20, GUEST_LINES = 5, PIPE_LINES = 16 };

/* ---- the guest ---- */

static bool debugging_guest_register(void *ctx, const char *name, uint64_t *value)
{
    const struct hart *h = &((struct debugging *)ctx)->target->guest.hart;
    if (strcmp(name, "pc") == 0) {
        *value = h->pc;
        return true;
    }
    for (unsigned r = 0; r < 64; r++)
        if (strcmp(rv_reg_name(r), name) == 0) {
            *value = h->reg[r];
            return true;
        }
    return false;
}

static bool guest_symbol(void *ctx, const char *name, uint64_t *address)
{
    struct debugging *d = ctx;
    return d->target->symbols != NULL && symbols_address(d->target->symbols, name, address);
}

static bool guest_variable(void *ctx, const char *name, uint64_t *address)
{
    struct debugging *d = ctx;
    return d->target->symbols != NULL && symbols_variable(d->target->symbols, name, address);
}

static char *why_no_instruction(void *ctx, uint64_t address, bool *is_certain)
{
    return debug_places_objection(((struct debugging *)ctx)->target, address, is_certain);
}

static char *meant_symbol(void *ctx, const char *name)
{
    return meant_symbols(((struct debugging *)ctx)->target->symbols, name);
}

static bool guest_memory(void *ctx, uint64_t address, uint64_t *value)
{
    return target_read_memory(&((struct debugging *)ctx)->target->guest.hart.mem, address, value);
}

static void each_symbol(void *ctx, void (*see)(void *ctx, const char *name), void *see_ctx)
{
    struct debugging *d = ctx;
    if (d->target->symbols != NULL)
        symbols_each(d->target->symbols, see, see_ctx);
}

static char *debugging_place(void *ctx, uint64_t address, bool is_data)
{
    struct debugging *d = ctx;
    target_find_libraries(d->target);
    return report_place(d->target->symbols, address, is_data);
}

/* ---- views ---- */

static void print_code(void *ctx, uint64_t pc, uint64_t count, FILE *out)
{
    struct debugging *d = ctx;
    for (uint64_t i = 0; i < count; i++) {
        enum rv_trap trap;
        const struct rv_insn *in = rv_fetch(&d->target->guest.hart, pc, &trap);
        debug_source_instruction(d->target, pc, out);
        if (in == NULL)
            break;
        pc += in->length_bytes;
    }
}

static enum status find_guest_lines(void *ctx, const char *file, unsigned line, uint64_t **pc, size_t *count,
                                    struct errmsg *err)
{
    const struct debugging *d = ctx;
    struct source_place *place = NULL;
    if (d->target->symbols == NULL)
        return fail(err, ST_INPUT, "the guest has no symbols");
    target_find_libraries(d->target);
    const enum status st = source_lines_find(d->target->symbols, file, (int)line, &place, count, err);
    if (st != ST_OK)
        return st;
    *pc = xcalloc(*count, sizeof **pc);
    for (size_t i = 0; i < *count; i++)
        (*pc)[i] = place[i].pc;
    free(place);
    return ST_OK;
}

static enum status show_guest(void *ctx, const struct debug_guest_request *request, FILE *out, struct errmsg *err)
{
    return debug_source_show(((struct debugging *)ctx)->target, request, out, err);
}

static void print_guest(struct debugging *d, uint64_t count, FILE *out)
{
    fprintf(out, "the guest after the youngest instruction fetched; %llu have retired\n",
            (unsigned long long)core_retired(d->target->core));
    guest_print_registers(&d->target->guest, out);
    print_code(d, d->target->guest.hart.pc, count != 0 ? count : GUEST_LINES, out);
}

static enum status view(void *ctx, enum debug_view kind, uint64_t count, FILE *out, struct errmsg *err)
{
    struct debugging *d = ctx;
    if (d->target->core == NULL)
        return fail(err, ST_INPUT, "there is no core: the samples come from a file");
    switch (kind) {
    case DEBUG_VIEW_CORE:
        core_print_view(d->target->core, out);
        break;
    case DEBUG_VIEW_PIPE:
        recent_print(d->recent, out, count != 0 ? count : PIPE_LINES);
        break;
    case DEBUG_VIEW_GUEST:
        print_guest(d, count, out);
        break;
    }
    return ST_OK;
}

static enum status debugging_retire(void *ctx, uint64_t n, struct errmsg *err)
{
    struct debugging *d = ctx;
    if (d->target->core == NULL)
        return fail(err, ST_INPUT, "there is no core: the samples come from a file");
    d->goal = n < UINT64_MAX - core_retired(d->target->core) ? core_retired(d->target->core) + n : UINT64_MAX;
    d->target->guest.hart.stop = 1; /* makes a running core return, so that the limit is set */
    return ST_OK;
}

/* ---- the assembler ---- */

/* Assembles; *said receives the messages, which the caller frees. */
static enum status debugging_assemble(const struct pasm_options *opts, struct image *out, char **said)
{
    struct diag diag;
    size_t size;
    FILE *stream = xopen_text(said, &size);
    diag_init(&diag, stream);
    diag.color = false;
    enum status st = pasm_assemble(opts, &diag, out);
    xclose_text(stream);
    return st;
}

/* Disassembles the program with the text of word `at` replaced. The disassembler appends address and encoding to each
 * word. */
static char *program_with(const struct image *im, unsigned at, const char *text)
{
    char *program, *changed, mark[64];
    size_t size;
    FILE *stream = xopen_text(&program, &size);
    pasm_disassemble(stream, im);
    xclose_text(stream);
    snprintf(mark, sizeof mark, " ; %2u %012llx", at, (unsigned long long)im->word[at]);
    char *found = strstr(program, mark);
    if (found == NULL)
        BUG("word %u is not in its own disassembly", at);
    char *line = found;
    while (line > program && line[-1] != '\n')
        line--;
    changed = xasprintf("%.*s%s\n%s", (int)(line - program), program, text, strchr(found, '\n') + 1);
    free(program);
    return changed;
}

/* Returns whether the images differ at most in word `at`: no constant, no field, no other word. */
static bool is_same_but(const struct image *x, const struct image *y, unsigned at)
{
    for (unsigned i = 0; i < x->words; i++)
        if (i != at && x->word[i] != y->word[i])
            return false;
    return x->words == y->words && x->fields == y->fields && memcmp(x->field, y->field, x->fields) == 0 &&
           memcmp(x->constant, y->constant, sizeof x->constant) == 0 && memcmp(x->base, y->base, sizeof x->base) == 0 &&
           memcmp(x->target, y->target, sizeof x->target) == 0 &&
           memcmp(x->index_width, y->index_width, sizeof x->index_width) == 0;
}

static enum status assemble_word(void *ctx, unsigned at, const char *text, uint64_t *word, struct errmsg *err)
{
    struct debugging *d = ctx;
    struct image im;
    char *said, *program = program_with(&d->profiling->image, at, text);
    struct pasm_options opts = {.name = "patch", .text = program, .size_bytes = strlen(program)};
    enum status st = debugging_assemble(&opts, &im, &said);
    if (st != ST_OK)
        st = diag_fail(said, "patch", err);
    else if (!is_same_but(&d->profiling->image, &im, at))
        st = fail(err, ST_INPUT,
                  "patch: expected one word that needs no constants, fields and targets but the program's");
    else
        *word = im.word[at];
    free(said);
    free(program);
    return st;
}

static enum status debugging_read_source(void *ctx, const char *path, char **data, size_t *size_bytes,
                                         struct errmsg *err)
{
    (void)ctx;
    return file_read(path, MAX_SOURCE_BYTES, data, size_bytes, err);
}

static enum status assemble_file(const char *path, const char *const *defines, size_t count, struct image *out,
                                 struct errmsg *err)
{
    struct pasm_options opts = {
        .name = path, .defines = defines, .define_count = count, .read_file = debugging_read_source};
    char *text, *said;
    enum status st = file_read(path, MAX_SOURCE_BYTES, &text, &opts.size_bytes, err);
    if (st != ST_OK)
        return st;
    opts.text = text;
    st = debugging_assemble(&opts, out, &said);
    if (st != ST_OK)
        st = fail(err, ST_INPUT, "%.*s", (int)strcspn(said, "\n"), said);
    free(said);
    free(text);
    return st;
}

static bool is_source_name(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".pasm") == 0;
}

static enum status load_image(struct image *out, const char *path, struct errmsg *err)
{
    struct errmsg why;
    enum status st = image_load(out, path, &why);
    if (st == ST_OK)
        return st;
    return fail(err, st, "%s%s", why.text,
                st == ST_FORMAT ? "; a file whose name ends in .pasm is assembled, every other must be an image" : "");
}

static enum status reload(void *ctx, const char *path, const char *const *defines, size_t count, struct errmsg *err)
{
    struct debugging *d = ctx;
    const struct image *old = &d->profiling->image;
    struct image fresh;
    bool is_source = path == NULL || is_source_name(path); /* an image names its source, whatever the source's name */
    if (path == NULL)
        path = old->files > 0 ? old->file[0] : "";
    if (path[0] == '\0' || strcmp(path, "-") == 0)
        return fail(err, ST_INPUT, "the program does not say which file it comes from: name one");
    enum status st = is_source ? assemble_file(path, defines, count, &fresh, err) : load_image(&fresh, path, err);
    if (st == ST_OK)
        st = profiling_replace(d->profiling, &fresh, err);
    if (st != ST_OK)
        return st;
    char *loaded = xstrdup(path); /* `path` may be the previous one's */
    free(d->reloaded);
    d->reloaded = loaded;
    return ST_OK;
}

/* ---- files ---- */

static bool would_replace(const char *path, const char *input)
{
    return input != NULL && access(input, F_OK) == 0 && file_is_same(path, input);
}

/* Beside the files of the options: what the guest has loaded by execve, and the files of the present program. */
static enum status debugging_check_output(void *ctx, const char *command, const char *path, struct errmsg *err)
{
    const struct debugging *d = ctx;
    const struct image *im = &d->profiling->image;
    enum status st = options_check_output(d->profiling->options, command, path, err);
    if (st == ST_OK && would_replace(path, d->target->program))
        st = fail(err, ST_INPUT, "%s %s would replace the guest", command, path);
    if (st == ST_OK && would_replace(path, d->reloaded))
        st = fail(err, ST_INPUT, "%s %s would replace the profiling program", command, path);
    for (unsigned i = 0; st == ST_OK && i < im->files; i++)
        if (would_replace(path, im->file[i]))
            st = fail(err, ST_INPUT, "%s %s would replace a source of the profiling program", command, path);
    return st;
}

/* ---- creation and release ---- */

/* The debugger's commands name files relative to the folder in which the user started pcemu. At the end of the run that
 * is the present folder. */
static void begin_commands(void *ctx)
{
    struct debugging *d = ctx;
    if (!d->ended)
        d->guest_folder = start_folder_enter();
}

static void end_commands(void *ctx)
{
    const struct debugging *d = ctx;
    if (!d->ended)
        start_folder_leave(d->guest_folder);
}

static void debugging_leave(void *ctx) { exit(debugging_failed(ctx) ? EXIT_BAD_INPUT : 0); }

/* ---- gdb ---- */

/* A stop of the co-processor is one of the guest: gdb shows its words, and its `monitor` executes commands. */
static void debugging_show_stop(void *ctx)
{
    struct debugging *d = ctx;
    fflush(d->said);
    d->words[ftell(d->said)] = '\0'; /* what earlier stops have written may be longer */
    if (d->gdb != NULL)
        gdb_server_pause(d->gdb, d->words);
    rewind(d->said);
    if (d->gdb != NULL && gdb_server_is_over(d->gdb))
        exit(0);
}

static void debugging_stay(void *ctx) { (void)ctx; } /* gdb's quit ends the run */

enum status debugging_monitor(void *ctx, const char *command, FILE *out, struct errmsg *err)
{
    struct debugging *d = ctx;
    if (d->debugger == NULL)
        return fail(err, ST_INPUT, "there is no co-processor in this run, or none that can be debugged");
    begin_commands(d);
    debug_execute(d->debugger, command, out);
    end_commands(d);
    return ST_OK;
}

static void add_guest_services(struct debugging *d, struct debug_services *services)
{
    services->guest_register = debugging_guest_register;
    services->guest_symbol = guest_symbol;
    services->guest_variable = guest_variable;
    services->guest_memory = guest_memory;
    services->each_symbol = each_symbol;
    services->why_no_instruction = why_no_instruction;
    services->meant_symbol = meant_symbol;
    services->place = debugging_place;
    services->guest_lines = find_guest_lines;
    services->guest_show = show_guest;
    services->code = print_code;
    services->view = view;
    services->retire = debugging_retire;
    services->stop_core = &d->target->guest.hart.stop;
}

void debugging_new(struct debugging *d, const struct options *o, struct target *t, struct profiling *p)
{
    struct debug_services services = {.ctx = d,
                                      .assemble_word = assemble_word,
                                      .reload = reload,
                                      .shell = shell_run,
                                      .check_output = debugging_check_output,
                                      .begin_commands = begin_commands,
                                      .end_commands = end_commands,
                                      .quit = debugging_leave};
    struct debug_options options = {.interactive = o->debug, .script = o->debug_script};
    struct errmsg err;
    if (o->gdb != NULL) {
        if (p->cop == NULL || o->trace != NULL || o->harts > 1 || o->follow_children)
            return;
        options.out = d->said = xopen_text(&d->words, &d->words_bytes);
        options.is_remote = true;
        services.prompt = debugging_show_stop;
        services.quit = debugging_stay;
    } else if (!options.interactive && options.script == NULL) {
        return;
    }
    if (p->cop == NULL)
        die("-i and -x: there is no co-processor in this run to debug");
    if (o->trace != NULL)
        die("-i and -x are incompatible with --trace");
    d->target = t;
    d->profiling = p;
    d->goal = UINT64_MAX;
    if (o->guest != NULL)
        add_guest_services(d, &services);
    must(debug_new(&d->debugger, p->cop, &p->image, &options, &services, &err), &err);
}

/* Observer that evaluates breakpoints on the guest. */
struct breakpoints {
    struct observer base;
    struct debugging *debugging;
};

/* Names are those of the program that execve has loaded last. */
static void find_program(struct debugging *d)
{
    if (target_renew_symbols(d->target))
        debug_executed(d->debugger, d->target->program);
}

static void debugging_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct debugging *d = ((struct breakpoints *)ctx)->debugging;
    (void)cycle;
    find_program(d);
    if (debug_retired(d->debugger, in->pc))
        d->target->guest.hart.stop = 1;
}

static struct observer *breakpoints_new(struct debugging *d)
{
    static const struct observer_kind kind = {.name = "breakpoints", .help = "breakpoints on the guest"};
    struct breakpoints *b = xcalloc(1, sizeof *b);
    b->base.kind = &kind;
    b->base.probe.ctx = b;
    b->base.probe.stage[PROBE_RETIRED] = debugging_retired;
    b->debugging = d;
    return &b->base;
}

void debugging_add(struct debugging *d, struct observers *set)
{
    if (d->debugger == NULL)
        return;
    observers_add(set, breakpoints_new(d));
    d->recent = recent_new();
    observers_add(set, recent_observer(d->recent));
}

void debugging_begin(struct debugging *d, struct service *service)
{
    if (d->debugger == NULL)
        return;
    d->active = true;
    service->debugger = d->debugger;
    debug_begin(d->debugger);
}

uint64_t debugging_limit(const struct debugging *d, uint64_t insts)
{
    if (!d->active || d->goal == UINT64_MAX)
        return insts;
    uint64_t now = core_retired(d->target->core), left = d->goal > now ? d->goal - now : 0;
    return left < insts ? left : insts;
}

bool debugging_pause(struct debugging *d, bool at_limit)
{
    if (!d->active)
        return false;
    if (!at_limit && !debug_pause_requested(d->debugger))
        return d->goal != UINT64_MAX;
    d->goal = UINT64_MAX;
    debug_pause(d->debugger);
    return true;
}

void debugging_end(struct debugging *d, bool samples)
{
    char *how;
    if (!d->active)
        return;
    const struct guest *g = &d->target->guest;
    if (samples)
        how = xstrdup("the samples are used up");
    else if (g->process->fatal_signal != 0)
        how = xasprintf("the guest has been ended by a signal: %s", guest_fatal_words(g));
    else if (g->process->exited)
        how = xasprintf("the guest has exited with status %d", g->process->exit_status);
    else
        how = xasprintf("the limit of --max-insts, or the place of --stop-at, is reached");
    d->ended = true;
    debug_end(d->debugger, how);
    free(how);
}

bool debugging_failed(const struct debugging *d) { return d->active && debug_failed(d->debugger); }

void debugging_release(struct debugging *d)
{
    debug_free(d->debugger);
    if (d->said != NULL)
        xclose_text(d->said);
    free(d->words);
    free(d->reloaded);
}
