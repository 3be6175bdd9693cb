/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/target.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/place_text.h"
#include "core-model/linux/elf_kind.h"
#include "core-model/linux/fault.h"
#include "core-model/prof/stack/call_tracker.h"
#include "host/report/words.h"
#include "host/symbols/meant.h"
#include "host/symbols/unwind.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/restoring.h"
#include "tools/pcemu/shipped.h"
#include "tools/pcemu/start_folder.h"

enum { MAX_FRAMES = 32 }; /* frames of a call chain shown */

void target_check(const struct target *t)
{
    struct errmsg err;
    if (t->path != NULL)
        must(elf_check_program(t->path, &err), &err);
}

static struct guest_config names_config(const struct target *t, const struct options *o)
{
    return (struct guest_config){.path = t->given != NULL ? t->given : o->guest[0],
                                 .argv = o->guest,
                                 .sysroot = o->sysroot,
                                 .names = o->host_files     ? GUEST_NAMES_HOST
                                          : o->sysroot_only ? GUEST_NAMES_SYSROOT
                                                            : GUEST_NAMES_USER};
}

void target_name(struct target *t, const struct options *o)
{
    if (t->checkpoint != NULL)
        t->given = restoring_path(t->checkpoint);
    const struct guest_config config = names_config(t, o);
    t->path = config.path;
    struct errmsg err;
    char *program;
    must(guest_find_program(&config, &program, &err), &err);
    if (program != NULL)
        t->path = t->program = program;
}

void target_start(struct target *t, const struct options *o, const struct machine_config *m, bool keeps_interrupt,
                  const struct guest_follower *follower)
{
    struct guest_config config = names_config(t, o);
    config.checkpoint = t->checkpoint;
    config.envp = (char *const *)o->environment.text; /* the strings are not modified */
    config.seed = o->seed;
    config.clock_hz = (uint64_t)m->config.clock_mhz * 1000000;
    config.quantum = m->config.turn_cycles;
    config.processors = (unsigned)o->harts;
    config.strace = o->strace;
    config.translation_bytes = o->translate << 20;
    config.translates_apart = o->confine;
    config.keeps_interrupt = keeps_interrupt;
    config.follower = follower;
    struct errmsg err;
    if (t->checkpoint != NULL)
        restoring_enter(t->checkpoint, o->restore);
    t->config = config;
    must(guest_init(&t->guest, &config, &err), &err);
    t->started = true;
    if (t->symbols != NULL)
        symbols_set_bias(t->symbols, t->guest.process->bias);
}

void target_release(struct target *t)
{
    symbols_free(t->symbols);
    free(t->debug_path);
    free(t->given);
    free(t->program);
    free(t->cold);
    harts_free(t->harts);
    core_free(t->core);
    if (t->started)
        guest_fini(&t->guest);
    guest_checkpoint_close(t->checkpoint);
}

void target_make_core(struct target *t, const struct options *o, const struct machine_config *m)
{
    if (t->core != NULL)
        return;
    t->core = core_new(&m->config, &t->guest);
    core_memoise(t->core, o->memo << 20, o->check);
}

void target_take_warmed(struct target *t, const char *name)
{
    struct errmsg err;
    struct checkpoint_stream s;
    uint64_t offset;
    if (t->checkpoint == NULL)
        return;
    must(guest_checkpoint_warmed(t->checkpoint, &s, &offset, &err), &err);
    if (s.size == 0)
        return;
    core_move_warmed(t->core, &s, &t->cold);
    if (s.failed)
        die("%s: offset %" PRIu64 ": the part WARM is damaged: %s", name, offset, s.why.text);
    if (t->cold != NULL)
        print_message("%s: configured otherwise, and cold at the start: %s", name, t->cold);
}

void target_make_harts(struct target *t, unsigned harts)
{
    struct errmsg err;
    if (harts > 1)
        must(harts_new(&t->harts, t->core, harts, &err), &err);
}

enum rv_trap target_run(struct target *t, uint64_t max_insts)
{
    return t->harts != NULL ? harts_run(t->harts, max_insts) : core_run(t->core, max_insts);
}

void target_begin(struct target *t)
{
    if (t->harts != NULL)
        harts_begin(t->harts);
    else
        core_begin(t->core);
}

void target_end(struct target *t)
{
    if (t->harts != NULL)
        harts_end(t->harts);
    else if (t->core != NULL)
        core_end(t->core);
}

uint64_t target_retired(const struct target *t)
{
    return t->harts != NULL ? harts_retired(t->harts) : core_retired(t->core);
}

/* The folder as an element of libdwfl's list, the caller's to free: ":/its/absolute/name/below"; "" where there is
 * none, or where its name has the list's separator. */
static char *debug_folder(const char *folder, const char *below)
{
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    char *element = real != NULL && strchr(real, ':') == NULL ? xasprintf(":%s%s", real, below) : xstrdup("");
    free(real);
    return element;
}

/* The cache of the clients of debuginfod, as they find it (debuginfod-client-config(7)), the caller's to free; NULL:
 * none. */
static char *debuginfod_cache(void)
{
    const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    return cache != NULL && cache[0] != '\0' ? xstrdup(cache)
           : xdg != NULL && xdg[0] != '\0'   ? xasprintf("%s/debuginfod_client", xdg)
           : home != NULL && home[0] != '\0' ? xasprintf("%s/.cache/debuginfod_client", home)
                                             : NULL;
}

void target_set_debug_folders(struct target *t, const struct options *o)
{
    char *guests = debug_folder(o->sysroot, "/usr/lib/debug"), *own = debug_folder(o->debug_dir, "");
    /* A confined guest may not read the folders of the machine, and they would be opened with its rights. */
    const bool with_hosts = !o->confine && !o->no_host_debug;
    char *cache = with_hosts ? debuginfod_cache() : NULL, *cached = debug_folder(cache, "");
    t->debug_path = xasprintf(":.debug%s%s%s%s", own, guests, with_hosts ? ":/usr/lib/debug" : "", cached);
    free(own);
    free(guests);
    free(cache);
    free(cached);
}

void target_warn_of_files(struct target *t)
{
    const char *path, *remark;
    while (t->symbols != NULL && symbols_next_remark(t->symbols, &path, &remark))
        print_message("warning: %s: %s", path, remark);
}

struct symbols *target_symbols(struct target *t)
{
    struct errmsg err;
    if (t->symbols != NULL || t->path == NULL)
        return t->symbols;
    struct guest_folder guest = start_folder_enter();
    enum status st = symbols_new(&t->symbols, t->path, t->debug_path, &err);
    start_folder_leave(guest);
    if (st == ST_OK)
        return t->symbols;
    if (t->program == NULL)
        must(st, &err);
    print_message("%s", err.text);
    t->path = NULL;
    return t->symbols = NULL;
}

bool target_is_replaced(const struct target *t) { return t->started && t->programs != t->guest.process->programs; }

bool target_find_program(struct target *t)
{
    if (!target_is_replaced(t))
        return false;
    symbols_free(t->symbols);
    free(t->program);
    t->symbols = NULL;
    t->libraries = 0;
    t->programs = t->guest.process->programs;
    t->path = t->program = xstrdup(guest_program(&t->guest));
    return true;
}

bool target_renew_symbols(struct target *t)
{
    const bool has_symbols = t->symbols != NULL;
    if (!target_find_program(t))
        return false;
    if (has_symbols && target_symbols(t) != NULL)
        symbols_set_bias(t->symbols, t->guest.process->bias);
    return true;
}

/* Addresses at which two files were mapped, one after the other, belong to both: a profile by address cannot tell which
 * of them a count is of. */
static void add_shared_range(struct target *t, const struct guest_image *old, const struct guest_image *new)
{
    uint64_t start = old->start > new->start ? old->start : new->start, end = old->end < new->end ? old->end : new->end;
    if (start >= end || strcmp(old->path, new->path) == 0)
        return;
    char *both = xasprintf("%s or %s", basename(old->path), basename(new->path));
    print_message("the guest mapped code of %s and later of %s at the addresses 0x%" PRIx64 " to 0x%" PRIx64
                  ": what was counted there is reported as of [%s]",
                  old->path, new->path, start, end - 1, both);
    symbols_add_library(t->symbols, both, start, end, 0);
    free(both);
}

void target_find_libraries(struct target *t)
{
    if (t->symbols == NULL)
        return;
    const struct guest_image *image = t->guest.process->image;
    for (; t->libraries < t->guest.process->images; t->libraries++) {
        const struct guest_image *i = &image[t->libraries];
        symbols_add_library(t->symbols, i->path, i->start, i->end, i->offset);
        for (const struct guest_image *old = image; old < i; old++)
            add_shared_range(t, old, i);
    }
}

bool target_read_memory(void *ctx, uint64_t address, uint64_t *value)
{
    const struct memory *m = ctx;
    return memory_allows(m, address, sizeof *value, MEM_R) && memory_read(m, address, value, sizeof *value);
}

bool target_resolve(void *ctx, const char *name, uint64_t *pc)
{
    struct target *t = ctx;
    char *end;
    errno = 0;
    *pc = strtoull(name, &end, 0);
    if (errno == 0 && end != name && *end == '\0')
        return true;
    symbols_set_bias(target_symbols(t), t->guest.process->bias);
    return symbols_address(t->symbols, name, pc);
}

/* FUNCTION+BYTES; ST_INPUT: the guest has none. */
static enum status target_resolve_offset(struct target *t, const char *name, uint64_t *pc)
{
    size_t length;
    uint64_t bytes;
    enum status st = place_text_offset(name, strlen(name), &length, &bytes);
    if (st != ST_OK)
        return st;
    char *function = xasprintf("%.*s", (int)length, name);
    if (!target_resolve(t, function, pc))
        st = ST_INPUT;
    else if (bytes > UINT64_MAX - *pc)
        st = ST_RANGE;
    else
        *pc += bytes;
    free(function);
    return st;
}

uint64_t target_place_or(struct target *t, const char *option, const char *also, const char *name)
{
    uint64_t pc = 0;
    if (target_resolve(t, name, &pc))
        return pc;
    const enum status st = target_resolve_offset(t, name, &pc);
    if (st == ST_RANGE)
        die("%s: expected an address below 2^64, found '%s'", option, name);
    if (st != ST_OK)
        die("%s: expected an address, %sFUNCTION or FUNCTION+BYTES of the guest's, found '%s'%s", option, also, name,
            meant_symbols(t->symbols, name));
    return pc;
}

uint64_t target_place(struct target *t, const char *option, const char *name)
{
    return target_place_or(t, option, "", name);
}

static void print_frames(struct target *t, struct symbols *symbols)
{
    struct hart *h = &t->guest.hart;
    struct unwind_source source = {.symbols = symbols, .read = target_read_memory, .ctx = &h->mem};
    struct unwind_place chain[MAX_FRAMES];
    unsigned frames = unwind_chain(&source, h->pc, h->reg, chain, MAX_FRAMES);
    for (unsigned i = 0; i < frames; i++) {
        char *place = i == 0 ? report_place(symbols, chain[i].pc, false) : report_return_place(symbols, chain[i].pc);
        fprintf(stderr, "  #%-2u 0x%" PRIx64 " %s\n", i, chain[i].pc, place);
        free(place);
    }
}

/* Length of the call instruction before a return address. */
static unsigned call_length(struct hart *h, uint64_t return_address)
{
    enum rv_trap trap;
    const struct rv_insn *in = rv_fetch(h, return_address - 4, &trap);
    const uint32_t calls = 1u << OPCLASS_CALL | 1u << OPCLASS_ICALL | 1u << OPCLASS_SWAP;
    return in != NULL && in->length_bytes == 4 && (calls >> in->opclass & 1) != 0 ? 4 : 2;
}

void target_find_calls(struct target *t, struct call_threads *threads)
{
    struct hart *h = &t->guest.hart;
    struct symbols *symbols = target_symbols(t);
    const struct guest_thread thread = guest_running_thread(&t->guest);
    if (symbols == NULL || thread.number == 0)
        return;
    symbols_set_bias(symbols, t->guest.process->bias);
    target_find_libraries(t);
    struct unwind_source source = {.symbols = symbols, .read = target_read_memory, .ctx = &h->mem};
    struct unwind_place *chain = xcalloc(CALL_DEPTH_MOST, sizeof *chain);
    for (unsigned n = unwind_chain(&source, h->pc, h->reg, chain, CALL_DEPTH_MOST); n > 1; n--) {
        const struct unwind_place *caller = &chain[n - 1];
        const struct symbols_place callee = symbols_find(symbols, chain[n - 2].pc);
        call_threads_add(threads, thread.number, caller->pc - call_length(h, caller->pc),
                         callee.function != NULL ? callee.start : 0, caller->pc, caller->sp);
    }
    free(chain);
}

void target_print_fault(struct target *t)
{
    struct guest *g = &t->guest;
    if (g->process->fault[0] == '\0') {
        char number[REPORT_NUMBER];
        print_message("the guest ended by a signal: %s, after %s instruction%s", guest_fatal_words(g),
                      report_number(number, g->hart.instret), g->hart.instret == 1 ? "" : "s");
        return;
    }
    (void)target_find_program(t);
    struct symbols *symbols = target_symbols(t);
    fprintf(stderr, "pcemu: the guest ended by a signal: ");
    guest_print_fault(g, stderr);
    if (symbols == NULL)
        return;
    symbols_set_bias(symbols, g->process->bias);
    target_find_libraries(t);
    print_frames(t, symbols);
}
