/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/unit_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "tools/command/command_options.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/pcemu_words.h"
#include "tools/pcsweep/unit_store.h"

enum { OPTIONS_OF_UNIT = 32, MADE_OF_UNIT = 8, RESULT_BYTES = 80 };

/* A place for a process. */
struct unit_slot {
    pid_t process; /* 0: free */
    const struct unit_run *run;
    char *stats; /* file of statistics */
};

const char **unit_runs_words(const char *program, const char *const *options, char *const *words)
{
    const size_t given = command_options_count(words);
    size_t added = 0, all = 0, n = 0;
    while (options[added] != NULL)
        added++;
    while (words[all] != NULL)
        all++;
    const char **argv = xcalloc(added + all + 2, sizeof *argv);
    argv[n++] = program;
    for (size_t i = 0; i < given; i++)
        argv[n++] = words[i];
    for (size_t i = 0; i < added; i++)
        argv[n++] = options[i];
    for (size_t i = given; i < all; i++)
        argv[n++] = words[i];
    return argv;
}

/* ---- one unit ---- */

/* The options of a unit's process, up to NULL. Those that are made are freed by release_options. */
struct unit_options {
    const char *word[OPTIONS_OF_UNIT];
    size_t words;
    char *made[MADE_OF_UNIT];
    size_t makes;
};

static void add_option(struct unit_options *o, const char *name, const char *argument)
{
    o->word[o->words++] = name;
    if (argument != NULL)
        o->word[o->words++] = argument;
}

/* Adds an option with an argument that is freed with the others. */
static void add_made(struct unit_options *o, const char *name, char *argument)
{
    o->made[o->makes++] = argument;
    add_option(o, name, argument);
}

static void release_options(struct unit_options *o)
{
    for (size_t n = 0; n < o->makes; n++)
        free(o->made[n]);
}

/* The guest's random numbers have the seed, too, if the unit begins at the program's start: it stays that of the run.
 */
static void add_profile_options(const struct unit_runs *r, const struct unit_run *u, struct unit_options *o)
{
    for (size_t n = 0; r->profile[n] != NULL; n++)
        add_option(o, r->profile[n], NULL);
    add_made(o, "--collect", unit_store_place(r->store, u->first));
    add_option(o, "--output", "/dev/null"); /* the store has the report */
    if (u->checkpoint != NULL)
        add_made(o, "--seed", xasprintf("%" PRIu64, r->seed + u->first));
}

static void add_options(const struct unit_runs *r, const struct unit_slot *slot, struct unit_options *o)
{
    const struct unit_run *u = slot->run;
    add_option(o, "--no-program", NULL);
    add_option(o, "--format", "json");
    add_option(o, "--stats", slot->stats);
    add_made(o, "--max-insts", xasprintf("%" PRIu64, u->insns));
    if (u->checkpoint != NULL)
        add_option(o, "--restore", u->checkpoint);
    if (u->warming != 0) {
        add_option(o, "--warm", NULL);
        add_made(o, "--skip-insts", xasprintf("%" PRIu64, u->warming));
    }
    if (u->warmup != 0)
        add_made(o, "--warmup", xasprintf("%" PRIu64, u->warmup));
    if (r->store != NULL)
        add_profile_options(r, u, o);
}

static enum status start_unit(const struct unit_runs *r, struct unit_slot *slot, struct errmsg *err)
{
    struct unit_options o = {0};
    add_options(r, slot, &o);
    const char **argv = unit_runs_words(r->pcemu, o.word, r->words);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const struct child c = {.argv = (char *const *)argv, .input = r->input, .output = nothing, .error = r->log};
    const enum status st = child_start(&c, &slot->process, err);
    close(nothing);
    free(argv);
    release_options(&o);
    return st;
}

/* Appends the result of a unit, or nothing: a part of a line would be a result, too. */
static enum status write_result(const struct unit_runs *r, const struct unit_run *u, json_int_t cycles,
                                json_int_t insns, struct errmsg *err)
{
    char line[RESULT_BYTES];
    const int fd = open(r->results, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const int length = snprintf(line, sizeof line, "%" PRIu64 " %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT "\n",
                                u->first, cycles, insns);
    const off_t before = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    const ssize_t written = before >= 0 ? write(fd, line, (size_t)length) : -1;
    enum status st = ST_OK;
    if (written != length) {
        st = fail(err, ST_IO, "%s: %s", r->results, written < 0 ? strerror(errno) : "a line was not written in full");
        if (written > 0 && ftruncate(fd, before) != 0)
            st = fail(err, ST_IO, "%s: its last line is not whole, remove it: %s", r->results, strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    return st;
}

static enum status refuse_unit(const struct unit_runs *r, const struct unit_run *u, int status, struct errmsg *err)
{
    char *log = xasprintf("%s/log", r->folder), *cause = pcemu_last_message(log);
    const char *colon = cause != NULL ? ": " : "";
    const enum status st = WIFSIGNALED(status)
                               ? fail(err, ST_INPUT, "the unit at instruction %" PRIu64 " was ended by signal %d%s%s",
                                      u->first, WTERMSIG(status), colon, cause != NULL ? cause : "")
                               : fail(err, ST_INPUT, "the unit at instruction %" PRIu64 " has no statistics%s%s",
                                      u->first, colon, cause != NULL ? cause : "");
    free(cause);
    free(log);
    return st;
}

/* Reads the statistics of a process that has ended. Its exit status is that of the program. */
static enum status finish_unit(const struct unit_runs *r, struct unit_slot *slot, int status, struct errmsg *err)
{
    json_error_t error;
    json_t *root = json_load_file(slot->stats, 0, &error);
    const json_t *core = json_object_get(root, "core"), *cycles = json_object_get(core, "cycles"),
                 *insns = json_object_get(core, "retired");
    enum status st = ST_OK;
    if (WIFSIGNALED(status) || !json_is_integer(cycles) || !json_is_integer(insns) || json_integer_value(insns) == 0)
        st = refuse_unit(r, slot->run, status, err);
    else if (!slot->run->has_result)
        st = write_result(r, slot->run, json_integer_value(cycles), json_integer_value(insns), err);
    json_decref(root);
    (void)unlink(slot->stats);
    free(slot->stats);
    *slot = (struct unit_slot){0};
    return st;
}

/* ---- all ---- */

static struct unit_slot *slot_of(struct unit_slot *slot, unsigned jobs, pid_t process)
{
    for (unsigned i = 0; i < jobs; i++)
        if (slot[i].process == process)
            return &slot[i];
    return NULL;
}

enum status unit_runs_all(const struct unit_runs *r, const struct unit_run *run, size_t count, struct errmsg *err)
{
    struct unit_slot *slot = xcalloc(r->jobs, sizeof *slot);
    enum status st = ST_OK;
    size_t next = 0;
    unsigned running = 0;
    while (running != 0 || (st == ST_OK && next < count)) {
        while (st == ST_OK && running < r->jobs && next < count) {
            struct unit_slot *s = slot_of(slot, r->jobs, 0);
            s->run = &run[next++];
            s->stats = xasprintf("%s/unit.%" PRIu64, r->folder, s->run->first);
            (void)unlink(s->stats); /* of an estimate that was ended */
            st = start_unit(r, s, err);
            running += st == ST_OK;
        }
        if (running == 0)
            break;
        int status = 0;
        const pid_t ended = waitpid(-1, &status, 0);
        struct unit_slot *s = ended > 0 ? slot_of(slot, r->jobs, ended) : NULL;
        if (s == NULL)
            continue;
        running--;
        struct errmsg later;
        const enum status finished = finish_unit(r, s, status, st == ST_OK ? err : &later);
        st = st == ST_OK ? finished : st;
    }
    for (unsigned i = 0; i < r->jobs; i++)
        free(slot[i].stats);
    free(slot);
    return st;
}
