/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and checks plug-ins. Entry point: plugin_open. */
#include "core-model/plugin/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ending.h"

enum { PLUGIN_NAME_MOST = 32, PLUGIN_ERROR_BYTES = 256 };

/* The kinds, by number: the name, and the least size of the structure of its functions. */
static const struct {
    const char *name;
    uint32_t least;
} kinds[] = {
    [PCEMU_KIND_OBSERVER] = {"observer", sizeof(struct pcemu_observer)},
    [PCEMU_KIND_PREDICTOR] = {"predictor", sizeof(struct pcemu_predictor)},
    [PCEMU_KIND_PREFETCHER] = {"prefetcher", sizeof(struct pcemu_prefetcher)},
};
enum { KINDS_END = sizeof kinds / sizeof kinds[0] };

const char *plugin_kind_name(const struct plugin *p) { return kinds[p->symbol->kind].name; }

void plugin_enter(const struct plugin *p, const char *function)
{
    ending_function = function;
    ending_module = p->file;
}

void plugin_leave(void) { ending_module = NULL; }

void plugin_complain(struct plugin *p, const char *fmt, ...)
{
    if (p->complaint.text[0] != '\0')
        return;
    va_list args;
    va_start(args, fmt);
    char *words = xvasprintf(fmt, args);
    va_end(args);
    (void)fail(&p->complaint, ST_INPUT, "--plugin %s: plug-in %s: %s", p->file, p->symbol->name, words);
    free(words);
}

/* ---- checks ---- */

/* The version and size of a structure of the plug-in. */
struct plugin_part {
    const char *name;
    uint32_t version, size, least;
};

static enum status plugin_check_part(const struct plugin_part *part, const char *file, struct errmsg *err)
{
    if (part->version != PCEMU_ABI)
        return fail(err, ST_VERSION,
                    "--plugin %s: %s: expected version %u of the plug-in interface, found %" PRIu32
                    ": build it with the header pcemu/plugin.h of this pcemu",
                    file, part->name, PCEMU_ABI, part->version);
    if (part->size < part->least)
        return fail(err, ST_FORMAT, "--plugin %s: %s: expected a size of at least %" PRIu32 " bytes, found %" PRIu32,
                    file, part->name, part->least, part->size);
    return ST_OK;
}

static bool plugin_is_name(const char *name)
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    return name != NULL && name[0] >= 'a' && name[0] <= 'z' && strlen(name) <= PLUGIN_NAME_MOST &&
           name[strspn(name, all)] == '\0';
}

/* The functions that the kind requires, and the limits of its numbers. */
static enum status plugin_check_functions(const struct pcemu_plugin *symbol, const char *file, struct errmsg *err)
{
    const char *missing = NULL;
    if (symbol->kind == PCEMU_KIND_PREDICTOR) {
        const struct pcemu_predictor *f = symbol->functions;
        missing = f->predict == NULL ? "predict" : f->train == NULL ? "train" : NULL;
        if (f->kept_bytes > PCEMU_KEPT_BYTES)
            return fail(err, ST_RANGE,
                        "--plugin %s: pcemu_predictor: kept_bytes: expected at most %d bytes kept with a branch, found "
                        "%" PRIu32,
                        file, PCEMU_KEPT_BYTES, f->kept_bytes);
    } else if (symbol->kind == PCEMU_KIND_PREFETCHER) {
        const struct pcemu_prefetcher *f = symbol->functions;
        missing = f->access == NULL ? "access" : NULL;
    } else {
        const struct pcemu_observer *f = symbol->functions;
        missing = f->retired == NULL && f->squashed == NULL && f->cycles == NULL ? "retired, squashed or cycles" : NULL;
        if (f->stages >> PCEMU_STAGES != 0)
            return fail(err, ST_RANGE,
                        "--plugin %s: pcemu_observer: stages: expected a set of stages below %d, found 0x%" PRIx32,
                        file, PCEMU_STAGES, f->stages);
    }
    return missing == NULL ? ST_OK
                           : fail(err, ST_FORMAT, "--plugin %s: pcemu_%s: expected the function %s, found NULL", file,
                                  kinds[symbol->kind].name, missing);
}

enum status plugin_check(const struct pcemu_plugin *symbol, const char *file, struct errmsg *err)
{
    const struct plugin_part whole = {"pcemu_plugin", symbol->version, symbol->size, sizeof *symbol};
    enum status st = plugin_check_part(&whole, file, err);
    if (st != ST_OK)
        return st;
    if (symbol->kind >= KINDS_END || kinds[symbol->kind].name == NULL)
        return fail(err, ST_RANGE,
                    "--plugin %s: expected the kind %d (observer), %d (predictor) or %d (prefetcher), found %" PRIu32,
                    file, PCEMU_KIND_OBSERVER, PCEMU_KIND_PREDICTOR, PCEMU_KIND_PREFETCHER, symbol->kind);
    if (!plugin_is_name(symbol->name))
        return fail(err, ST_FORMAT,
                    "--plugin %s: expected a name of 1 to %d lower-case letters, digits, '-' and '_', beginning with a "
                    "letter, found '%s'",
                    file, PLUGIN_NAME_MOST, symbol->name != NULL ? symbol->name : "NULL");
    if (symbol->description == NULL || symbol->create == NULL || symbol->functions == NULL)
        return fail(err, ST_FORMAT, "--plugin %s: expected %s in pcemu_plugin, found NULL", file,
                    symbol->description == NULL ? "a description"
                    : symbol->create == NULL    ? "the function create"
                                                : "the functions of its kind");
    uint32_t found[2]; /* what each structure of functions begins with */
    memcpy(found, symbol->functions, sizeof found);
    char *name = xasprintf("pcemu_%s", kinds[symbol->kind].name);
    const struct plugin_part functions = {name, found[0], found[1], kinds[symbol->kind].least};
    st = plugin_check_part(&functions, file, err);
    free(name);
    return st == ST_OK ? plugin_check_functions(symbol, file, err) : st;
}

/* ---- opening ---- */

/* Reads the file for its hash. */
static enum status plugin_hash(struct plugin *p, struct errmsg *err)
{
    struct stat found;
    const int fd = open(p->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail(err, ST_IO, "--plugin %s: cannot open: %s: expected the file of a shared object", p->file,
                    strerror(errno));
    if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0) {
        (void)close(fd);
        return fail(err, ST_FORMAT, "--plugin %s: expected a shared object, found %s", p->file,
                    S_ISDIR(found.st_mode)   ? "a folder"
                    : S_ISREG(found.st_mode) ? "an empty file"
                                             : "no file");
    }
    const size_t size = (size_t)found.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    (void)close(fd);
    if (bytes == MAP_FAILED)
        return fail(err, ST_IO, "--plugin %s: cannot read: %s", p->file, strerror(errno));
    sha1_text(bytes, size, p->hash);
    (void)munmap(bytes, size);
    return ST_OK;
}

/* The object's message without the name of the file, with which it begins. */
static const char *plugin_why(const char *path)
{
    const char *why = dlerror();
    if (why == NULL)
        return "an unknown error";
    const size_t length = strlen(path);
    return strncmp(why, path, length) == 0 && why[length] == ':' ? why + length + 1 + strspn(why + length + 1, " ")
                                                                 : why;
}

/* Loads the object, whose constructors are then called. */
static enum status plugin_load(struct plugin *p, struct errmsg *err)
{
    char *path = realpath(p->file, NULL); /* a name without a slash would be searched in the folders of libraries */
    if (path == NULL)
        return fail(err, ST_IO, "--plugin %s: %s", p->file, strerror(errno));
    plugin_enter(p, "its initialisation");
    p->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    plugin_leave();
    enum status st = ST_OK;
    if (p->object == NULL)
        st = fail(err, ST_FORMAT, "--plugin %s: expected a shared object for this machine, found: %s", p->file,
                  plugin_why(path));
    free(path);
    if (st != ST_OK)
        return st;
    p->symbol = dlsym(p->object, "pcemu_plugin");
    if (p->symbol == NULL)
        return fail(err, ST_FORMAT,
                    "--plugin %s: expected the symbol pcemu_plugin (pcemu/plugin.h), found none: is it a plug-in of "
                    "another program?",
                    p->file);
    return plugin_check(p->symbol, p->file, err);
}

enum status plugin_open(struct plugin **out, const char *text, struct errmsg *err)
{
    struct plugin *p = xcalloc(1, sizeof *p);
    const char *slash = strrchr(text, '/'), *colon = strchr(slash != NULL ? slash : text, ':');
    p->text = xstrdup(text);
    p->file = colon != NULL ? xasprintf("%.*s", (int)(colon - text), text) : xstrdup(text);
    p->options = xstrdup(colon != NULL ? colon + 1 : "");
    enum status st = plugin_hash(p, err);
    if (st == ST_OK)
        st = plugin_load(p, err);
    if (st != ST_OK) {
        plugin_close(p);
        return st;
    }
    *out = p;
    return ST_OK;
}

void plugin_close(struct plugin *p)
{
    if (p == NULL)
        return;
    if (p->object != NULL) {
        plugin_enter(p, "its end");
        (void)dlclose(p->object);
        plugin_leave();
    }
    free(p->text);
    free(p->file);
    free(p->options);
    free(p);
}

/* ---- states ---- */

static struct pcemu_machine plugin_machine(const struct plugin_place *at)
{
    const struct core_config *c = at->config;
    return (struct pcemu_machine){.version = PCEMU_ABI,
                                  .size = sizeof(struct pcemu_machine),
                                  .out_of_order = c->core == 0,
                                  .harts = at->harts,
                                  .line_bytes = c->line_bytes,
                                  .l1d_bytes = c->l1d_bytes,
                                  .l1d_ways = c->l1d_ways,
                                  .l1d_mshrs = c->l1d_mshrs,
                                  .l1d_cycles = c->l1d_cycles,
                                  .commit_width = c->commit_width,
                                  .rob_entries = c->core == 0 ? c->rob_entries : 0};
}

enum status plugin_state_init(struct plugin_state *s, struct plugin *p, const struct plugin_place *at,
                              struct errmsg *err)
{
    const struct pcemu_machine machine = plugin_machine(at);
    const struct pcemu_setup setup = {.version = PCEMU_ABI,
                                      .size = sizeof setup,
                                      .options = p->options,
                                      .seed = at->seed + at->hart,
                                      .hart = at->hart,
                                      .machine = &machine};
    char why[PLUGIN_ERROR_BYTES] = "";
    plugin_enter(p, "create");
    void *state = p->symbol->create(&setup, why, sizeof why);
    plugin_leave();
    why[sizeof why - 1] = '\0';
    if (state == NULL)
        return fail(err, ST_INPUT, "--plugin %s: %s %s: %s", p->text, plugin_kind_name(p), p->symbol->name,
                    why[0] != '\0' ? why : "create fails, without a reason");
    *s = (struct plugin_state){.plugin = p, .state = state};
    return ST_OK;
}

void plugin_state_fini(struct plugin_state *s)
{
    if (s->plugin != NULL && s->plugin->symbol->destroy != NULL) {
        plugin_enter(s->plugin, "destroy");
        s->plugin->symbol->destroy(s->state);
        plugin_leave();
    }
    s->plugin = NULL;
}
