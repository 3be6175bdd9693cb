/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger in pcemu: what it cannot reach in its room, and when it gets the word. */
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "core-model/core_inspect.h"
#include "core-model/linux/fault.h"
#include "emu/debug/debug.h"
#include "emu/pcemu/session.h"
#include "host/report/words.h"

enum { MAX_SOURCE_BYTES = 4 << 20, GUEST_LINES = 5, PIPE_LINES = 16 };

/* ---- the guest ---- */

static bool guest_register(void *ctx, const char *name, uint64_t *value)
{
    const struct hart *h = &((struct session *)ctx)->guest.hart;
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
    struct session *session = ctx;
    return session->symbols != NULL && symbols_address(session->symbols, name, address);
}

static bool guest_memory(void *ctx, uint64_t address, uint64_t *value)
{
    return session_read_guest(&((struct session *)ctx)->guest.hart.mem, address, value);
}

static void each_symbol(void *ctx, void (*see)(void *ctx, const char *name), void *see_ctx)
{
    struct session *session = ctx;
    if (session->symbols != NULL)
        symbols_each(session->symbols, see, see_ctx);
}

static char *place(void *ctx, uint64_t pc)
{
    struct session *session = ctx;
    session_find_libraries(session);
    return report_place(session->symbols, pc);
}

/* ---- views ---- */

static void print_instruction(struct session *session, uint64_t pc, FILE *out)
{
    enum rv_trap trap;
    char text[128] = "not executable";
    const struct rv_insn *in = rv_fetch(&session->guest.hart, pc, &trap);
    if (in != NULL)
        (void)rv_print_flat(text, sizeof text, in, pc);
    char *where = place(session, pc);
    fprintf(out, "  0x%llx  %-32s %s\n", (unsigned long long)pc, text, where);
    free(where);
}

static void print_guest(struct session *session, uint64_t count, FILE *out)
{
    const struct hart *h = &session->guest.hart;
    uint64_t pc = h->pc;
    fprintf(out, "the guest behind the youngest instruction fetched; %llu have retired\n", (unsigned long long)core_retired(session->core));
    guest_print_registers(&session->guest, out);
    for (uint64_t i = 0; i < (count != 0 ? count : GUEST_LINES); i++) {
        enum rv_trap trap;
        const struct rv_insn *in = rv_fetch(&session->guest.hart, pc, &trap);
        print_instruction(session, pc, out);
        if (in == NULL)
            break;
        pc += in->length_bytes;
    }
}

static enum status view(void *ctx, enum debug_view kind, uint64_t count, FILE *out, struct errmsg *err)
{
    struct session *session = ctx;
    if (session->core == NULL)
        return fail(err, ST_INPUT, "there is no core: the samples come from a file");
    switch (kind) {
    case DEBUG_VIEW_CORE: core_print_view(session->core, out); break;
    case DEBUG_VIEW_PIPE: recent_print(session->recent, out, count != 0 ? count : PIPE_LINES); break;
    case DEBUG_VIEW_GUEST: print_guest(session, count, out); break;
    }
    return ST_OK;
}

static enum status retire(void *ctx, uint64_t n, struct errmsg *err)
{
    struct session *session = ctx;
    if (session->core == NULL)
        return fail(err, ST_INPUT, "there is no core: the samples come from a file");
    session->debug_goal = n < UINT64_MAX - core_retired(session->core) ? core_retired(session->core) + n : UINT64_MAX;
    session->guest.hart.stop = 1; /* so that a core that is running comes back to be given the limit */
    return ST_OK;
}

/* ---- the assembler ---- */

/* Assembles; messages go to `said`, which is the caller's to free. */
static enum status assemble(const struct pasm_options *opts, struct image *out, char **said)
{
    struct diag diag;
    size_t size;
    FILE *stream = open_memstream(said, &size);
    if (stream == NULL)
        BUG("no memory stream");
    diag_init(&diag, stream);
    diag.color = false;
    enum status st = pasm_assemble(opts, &diag, out);
    fclose(stream);
    return st;
}

/* The program as text, with other text in the place of one word. The disassembler writes each word's address and bits behind it. */
static char *program_with(const struct image *im, unsigned at, const char *text)
{
    char *program, *changed, mark[64];
    size_t size;
    FILE *stream = open_memstream(&program, &size);
    if (stream == NULL)
        BUG("no memory stream");
    pasm_disassemble(stream, im);
    fclose(stream);
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

/* Nothing but the word may have changed: no constant, no field, no other word. */
static bool is_same_but(const struct image *x, const struct image *y, unsigned at)
{
    for (unsigned i = 0; i < x->words; i++)
        if (i != at && x->word[i] != y->word[i])
            return false;
    return x->words == y->words && x->fields == y->fields && memcmp(x->field, y->field, x->fields) == 0 &&
           memcmp(x->constant, y->constant, sizeof x->constant) == 0 && memcmp(x->base, y->base, sizeof x->base) == 0 &&
           memcmp(x->target, y->target, sizeof x->target) == 0 && memcmp(x->index_width, y->index_width, sizeof x->index_width) == 0;
}

static enum status assemble_word(void *ctx, unsigned at, const char *text, uint64_t *word, struct errmsg *err)
{
    struct session *session = ctx;
    struct image im;
    char *said, *program = program_with(&session->image, at, text);
    struct pasm_options opts = {.name = "patch", .text = program, .size_bytes = strlen(program)};
    enum status st = assemble(&opts, &im, &said);
    if (st != ST_OK)
        st = diag_fail(said, "patch", err);
    else if (!is_same_but(&session->image, &im, at))
        st = fail(err, ST_INPUT, "patch: expected one word that needs no constants, fields and targets but the program's");
    else
        *word = im.word[at];
    free(said);
    free(program);
    return st;
}

static enum status read_source(void *ctx, const char *path, char **data, size_t *size_bytes, struct errmsg *err)
{
    (void)ctx;
    return file_read(path, MAX_SOURCE_BYTES, data, size_bytes, err);
}

static enum status assemble_file(const char *path, const char *const *defines, size_t count, struct image *out, struct errmsg *err)
{
    struct pasm_options opts = {.name = path, .defines = defines, .define_count = count, .read_file = read_source};
    char *text, *said;
    enum status st = file_read(path, MAX_SOURCE_BYTES, &text, &opts.size_bytes, err);
    if (st != ST_OK)
        return st;
    opts.text = text;
    st = assemble(&opts, out, &said);
    if (st != ST_OK)
        st = fail(err, ST_INPUT, "%.*s", (int)strcspn(said, "\n"), said);
    free(said);
    free(text);
    return st;
}

static enum status reload(void *ctx, const char *path, const char *const *defines, size_t count, struct errmsg *err)
{
    struct session *session = ctx;
    struct image old = session->image, fresh;
    struct driver *driver;
    if (path == NULL)
        path = old.files > 0 ? old.file[0] : "";
    size_t length = strlen(path);
    if (length == 0 || strcmp(path, "-") == 0)
        return fail(err, ST_INPUT, "the program does not say which file it comes from: name one");
    enum status st = length > 5 && strcmp(path + length - 5, ".pasm") == 0 ? assemble_file(path, defines, count, &fresh, err)
                                                                           : image_load(&fresh, path, err);
    if (st != ST_OK)
        return st;
    session->image = fresh;
    st = session_new_driver(session, &driver, err);
    if (st != ST_OK) {
        session->image = old;
        return st;
    }
    driver_free(session->driver);
    session->driver = driver;
    struct sample_sink sink = cop_sink(session->cop);
    retire_sampler_init(&session->sampler, &sink);
    return ST_OK;
}

/* ---- its life ---- */

static void leave(void *ctx)
{
    (void)ctx;
    exit(0);
}

void session_new_debugger(struct session *session)
{
    bool guest = session->options.guest != NULL;
    struct debug_services services = {.ctx = session, .assemble_word = assemble_word, .reload = reload, .quit = leave};
    struct debug_options options = {.interactive = session->options.debug, .script = session->options.debug_script};
    struct errmsg err;
    if (!options.interactive && options.script == NULL)
        return;
    if (session->cop == NULL)
        die("-i and -x: there is no co-processor in this run to be debugged");
    if (session->cop_trace != NULL || session->options.trace != NULL)
        die("-i and -x do not go with --trace");
    if (guest) {
        services.guest_register = guest_register;
        services.guest_symbol = guest_symbol;
        services.guest_memory = guest_memory;
        services.each_symbol = each_symbol;
        services.place = place;
        services.view = view;
        services.retire = retire;
        services.stop_core = &session->guest.hart.stop;
    }
    session->debug_goal = UINT64_MAX;
    must(debug_new(&session->debugger, session->cop, &session->image, &options, &services, &err), &err);
}

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct session *session = ctx;
    (void)cycle;
    if (debug_retired(session->debugger, in->pc))
        session->guest.hart.stop = 1;
}

void session_begin_debugging(struct session *session)
{
    if (session->debugger == NULL)
        return;
    if (session->core != NULL) {
        struct probe_observer watcher = {.ctx = session, .stage = {[PROBE_RETIRED] = retired}};
        core_attach(session->core, &watcher);
        session->recent = recent_new();
        watcher = recent_observer(session->recent);
        core_attach(session->core, &watcher);
    }
    session->debugging = true;
    debug_begin(session->debugger);
}

uint64_t session_debug_limit(const struct session *session, uint64_t insts)
{
    if (!session->debugging || session->debug_goal == UINT64_MAX)
        return insts;
    uint64_t retired_now = core_retired(session->core), left = session->debug_goal > retired_now ? session->debug_goal - retired_now : 0;
    return left < insts ? left : insts;
}

bool session_debug_pause(struct session *session, bool at_limit)
{
    if (!session->debugging)
        return false;
    if (!at_limit && !debug_wants_pause(session->debugger))
        return session->debug_goal != UINT64_MAX;
    session->debug_goal = UINT64_MAX;
    debug_pause(session->debugger);
    return true;
}

void session_end_debugging(struct session *session)
{
    const struct guest *g = &session->guest;
    char *how;
    if (!session->debugging)
        return;
    if (session->options.core == CORE_SAMPLES)
        how = xstrdup("the samples are used up");
    else if (g->fatal_signal != 0)
        how = xasprintf("the guest has been ended by a signal: %s", guest_fatal_words(g));
    else if (g->exited)
        how = xasprintf("the guest has exited with status %d", g->exit_status);
    else
        how = xasprintf("the run ends here, by --max-insts or --stop-at");
    debug_end(session->debugger, how);
    free(how);
}

void session_release_debugger(struct session *session)
{
    debug_free(session->debugger);
    recent_free(session->recent);
}
