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

enum { OPTIONS_OF_UNIT = 16, RESULT_BYTES = 80 };

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

static enum status start_unit(const struct unit_runs *r, struct unit_slot *slot, struct errmsg *err)
{
    const struct unit_run *u = slot->run;
    const char *options[OPTIONS_OF_UNIT] = {"--no-program", "--format", "json", "--stats", slot->stats};
    char *warming = xasprintf("%" PRIu64, u->warming), *warmup = xasprintf("%" PRIu64, u->warmup),
         *insns = xasprintf("%" PRIu64, u->insns);
    size_t n = 5;
    options[n++] = "--max-insts";
    options[n++] = insns;
    if (u->checkpoint != NULL) {
        options[n++] = "--restore";
        options[n++] = u->checkpoint;
    }
    if (u->warming != 0) {
        options[n++] = "--warm";
        options[n++] = "--skip-insts";
        options[n++] = warming;
    }
    if (u->warmup != 0) {
        options[n++] = "--warmup";
        options[n++] = warmup;
    }
    const char **argv = unit_runs_words(r->pcemu, options, r->words);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const struct child c = {.argv = (char *const *)argv, .input = r->input, .output = nothing, .error = r->log};
    const enum status st = child_start(&c, &slot->process, err);
    close(nothing);
    free(argv);
    free(warming);
    free(warmup);
    free(insns);
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

/* Reads the statistics of a process that has ended. Its exit status is that of the program. */
static enum status finish_unit(const struct unit_runs *r, struct unit_slot *slot, int status, struct errmsg *err)
{
    json_error_t error;
    json_t *root = json_load_file(slot->stats, 0, &error);
    const json_t *core = json_object_get(root, "core"), *cycles = json_object_get(core, "cycles"),
                 *insns = json_object_get(core, "retired");
    enum status st;
    if (WIFSIGNALED(status))
        st = fail(err, ST_INPUT, "the unit at instruction %" PRIu64 " was ended by signal %d: see %s/log for the cause",
                  slot->run->first, WTERMSIG(status), r->folder);
    else if (!json_is_integer(cycles) || !json_is_integer(insns) || json_integer_value(insns) == 0)
        st = fail(err, ST_INPUT, "the unit at instruction %" PRIu64 " has no statistics: see %s/log for the cause",
                  slot->run->first, r->folder);
    else
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
