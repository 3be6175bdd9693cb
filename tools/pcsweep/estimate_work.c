/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/estimate_work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/order.h"
#include "base/outfile.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/folders.h"
#include "tools/pcsweep/inputs.h"
#include "tools/pcsweep/locks.h"
#include "tools/pcsweep/pcemu_words.h"
#include "tools/pcsweep/region_work.h"
#include "tools/pcsweep/temporary.h"
#include "tools/pcsweep/unit_runs.h"
#include "tools/pcsweep/unit_store.h"

enum { COMMAND_BYTES = 1 << 24, FOLDER_MODE = 0777 };

/* ---- the folder ---- */

char *estimate_work_path(const struct estimate_work *w, const char *name)
{
    return xasprintf("%s/%s", w->folder, name);
}

static char *pass_folder(const struct estimate_work *w, unsigned pass)
{
    return xasprintf("%s/checkpoints.%u", w->folder, pass);
}

static bool exists(const struct estimate_work *w, const char *name)
{
    char *path = estimate_work_path(w, name);
    const bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* What cannot be removed is found again when its place is needed. */
static void remove_tree(const char *path)
{
    struct errmsg err;
    if (folder_remove(path, &err) != ST_OK)
        fprintf(stderr, "pcsweep: %s\n", err.text);
}

/* ---- the command ---- */

/* Adds the hash of a file; nothing if the path is not that of a file. */
static enum status command_add_file(FILE *out, const char *path, struct errmsg *err)
{
    struct stat s;
    char hash[SHA1_TEXT];
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return ST_OK;
    const enum status st = inputs_hash_file(path, hash, err);
    if (st == ST_OK)
        fprintf(out, "file %s %s\n", hash, path);
    return st;
}

/* Adds a word, and the file that it names: as a whole, behind = of an option, or before the options behind a colon. */
static enum status command_add_word(FILE *out, const char *word, struct errmsg *err)
{
    const char *equal = word[0] == '-' ? strchr(word, '=') : NULL, *name = equal != NULL ? equal + 1 : word,
               *slash = strrchr(name, '/'), *colon = strchr(slash != NULL ? slash : name, ':');
    fprintf(out, "word %s\n", word);
    enum status st = command_add_file(out, name, err);
    if (st == ST_OK && colon != NULL) {
        char *file = xasprintf("%.*s", (int)(colon - name), name);
        st = command_add_file(out, file, err);
        free(file);
    }
    return st;
}

static enum status command_add_all(const struct estimate_work *w, FILE *out, struct errmsg *err)
{
    char hash[SHA1_TEXT];
    enum status st = pcemu_hash(hash, err);
    if (st != ST_OK)
        return st;
    fprintf(out,
            "pcemu %s\nunit %" PRIu64 "\nunits %" PRIu64 "\nmax-k %" PRIu64 "\nwarmup %" PRIu64 "\nseed %" PRIu64
            "\ninput %s\n",
            hash, w->unit, w->first_units, w->most_strata, w->warmup, w->seed,
            w->input != NULL ? w->input : "/dev/null");
    if (w->input != NULL)
        st = command_add_file(out, w->input, err);
    for (size_t i = 0; st == ST_OK && w->words[i] != NULL; i++)
        st = command_add_word(out, w->words[i], err);
    return st;
}

/* The text of the file `command`; the caller frees it. */
static enum status command_text(const struct estimate_work *w, char **text, struct errmsg *err)
{
    size_t size_bytes;
    FILE *out = xopen_text(text, &size_bytes);
    const enum status st = command_add_all(w, out, err);
    xclose_text(out);
    return st;
}

static enum status write_command(const struct estimate_work *w, const char *path, const char *text, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    fputs(text, f.stream);
    st = outfile_commit(&f, err);
    return st == ST_OK && !exists(w, "command") ? fail(err, ST_IO, "%s: not written", path) : st;
}

static enum status check_same_command(const struct estimate_work *w, struct errmsg *err)
{
    char *path = estimate_work_path(w, "command"), *text, *kept = NULL;
    size_t size_bytes;
    enum status st = command_text(w, &text, err);
    if (st == ST_OK && !exists(w, "command")) {
        st = write_command(w, path, text, err);
    } else if (st == ST_OK) {
        st = file_read(path, COMMAND_BYTES, &kept, &size_bytes, err);
        if (st == ST_OK && strcmp(kept, text) != 0)
            st = fail(err, ST_INPUT,
                      "%s: expected a folder of the same command, pcemu and contents of files, found that of another "
                      "estimate, which its file 'command' describes: name another folder with -o",
                      w->given);
        free(kept);
    }
    free(path);
    free(text);
    return st;
}

/* Locks the folder, as two estimates at once would simulate and append the same units. */
static enum status lock_folder(struct estimate_work *w, struct errmsg *err)
{
    bool is_taken = false;
    enum status st = locks_open(w->folder, &w->locks, err);
    if (st == ST_OK)
        st = locks_take(w->locks, "0", &is_taken, err);
    if (st == ST_OK && !is_taken)
        st = fail(err, ST_INPUT, "%s: expected a folder that is not in use, found one in which another estimate runs",
                  w->given);
    return st;
}

static enum status make_folder(struct estimate_work *w, const char *folder, struct errmsg *err)
{
    w->given = folder;
    w->watched = -1;
    if (folder == NULL)
        return temporary_folder(&w->folder, &w->watched, err);
    if (mkdir(folder, FOLDER_MODE) == 0 || errno == EEXIST)
        w->folder = realpath(folder, NULL); /* the program's folder may be another one */
    return w->folder != NULL ? ST_OK : fail(err, ST_IO, "%s: cannot make the folder: %s", folder, strerror(errno));
}

/* Runs pcemu with the options before the words of the command. */
static enum status run_pcemu(struct estimate_work *w, const char *const *options, struct errmsg *err)
{
    const char **argv = unit_runs_words(w->pcemu, options, w->words);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const struct child c = {.argv = (char *const *)argv, .input = w->input, .output = nothing, .error = w->log};
    const enum status st = child_run(&c, err);
    close(nothing);
    free(argv);
    return st;
}

/* ---- profiles of units ---- */

/* Names the store by all that the profiles of units follow from, besides the command. */
static enum status name_store(struct estimate_work *w, struct errmsg *err)
{
    char hash[SHA1_TEXT] = "", *text;
    enum status st = w->questions != NULL ? inputs_hash_file(w->questions, hash, err) : ST_OK;
    if (st != ST_OK)
        return st;
    text = xasprintf("profile %s\ngain %s\n", w->profilers != NULL ? w->profilers : "", hash);
    sha1_text(text, strlen(text), hash);
    w->store = xasprintf("%s/profile.%.12s.db", w->folder, hash);
    free(text);
    return ST_OK;
}

static enum status set_profile(struct estimate_work *w, struct errmsg *err)
{
    size_t n = 0;
    if (w->profilers == NULL && w->questions == NULL)
        return ST_OK;
    if (w->profilers != NULL) {
        w->profile[n++] = "--profile";
        w->profile[n++] = w->profilers;
    }
    if (w->questions != NULL) {
        w->profile[n++] = "--gain";
        w->profile[n++] = w->questions;
    }
    return name_store(w, err);
}

/* Refuses profilers that pcemu refuses, before the passes over the whole run. */
static enum status check_profilers(struct estimate_work *w, struct errmsg *err)
{
    if (w->profilers == NULL || access(w->store, F_OK) == 0)
        return ST_OK;
    const char *const options[] = {"--no-program", "--profile", w->profilers, "--max-insts", "1",
                                   "--output",     "/dev/null", NULL};
    struct errmsg ending;
    if (run_pcemu(w, options, &ending) == ST_OK)
        return ST_OK;
    char *log = estimate_work_path(w, "log"), *cause = pcemu_last_message(log);
    const enum status st = fail(err, ST_INPUT, "%s", cause != NULL ? cause : ending.text);
    free(cause);
    free(log);
    return st;
}

/* ---- opening ---- */

static enum status open_log(struct estimate_work *w, struct errmsg *err)
{
    enum status st = ST_OK;
    char *path = estimate_work_path(w, "log");
    w->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (w->log < 0)
        st = fail(err, ST_IO, "%s: %s", path, strerror(errno));
    free(path);
    return st;
}

enum status estimate_work_open(struct estimate_work *w, const char *folder, struct errmsg *err)
{
    enum status st = make_folder(w, folder, err);
    w->pcemu = pcemu_path();
    w->log = w->locks = -1;
    if (st == ST_OK)
        st = lock_folder(w, err);
    if (st == ST_OK)
        st = check_same_command(w, err);
    if (st == ST_OK)
        st = set_profile(w, err);
    if (st == ST_OK)
        st = open_log(w, err);
    if (st == ST_OK)
        st = check_profilers(w, err);
    return st;
}

void estimate_work_close(struct estimate_work *w)
{
    region_results_release(&w->results);
    free(w->checkpoint);
    if (w->log >= 0)
        close(w->log);
    if (w->locks >= 0)
        close(w->locks);
    if (w->watched >= 0) {
        remove_tree(w->folder);
        close(w->watched);
    }
    free(w->folder);
    free(w->pcemu);
    free(w->store);
}

/* ---- functional passes ---- */

/* Runs pcemu over the whole program. Its exit status, which is the program's, says nothing of the files that it has
 * made. */
static enum status run_pass(struct estimate_work *w, const char *const *options, struct errmsg *err)
{
    struct errmsg ending;
    return run_pcemu(w, options, &ending) == ST_IO ? fail(err, ST_IO, "%s", ending.text) : ST_OK;
}

static enum status expect(const struct estimate_work *w, const char *name, const char *what, struct errmsg *err)
{
    char *path = estimate_work_path(w, name);
    enum status st = ST_OK;
    if (access(path, F_OK) != 0) {
        char *log = estimate_work_path(w, "log"), *cause = pcemu_last_message(log);
        st = fail(err, ST_INPUT, "pcemu has made no %s%s%s", what, cause != NULL ? ": " : "",
                  cause != NULL ? cause : "");
        free(cause);
        free(log);
    }
    free(path);
    return st;
}

enum status estimate_work_vectors(struct estimate_work *w, struct errmsg *err)
{
    if (exists(w, "vectors.bb"))
        return ST_OK;
    char *path = estimate_work_path(w, "vectors.bb"), *interval = xasprintf("%" PRIu64, w->unit);
    const char *const options[] = {"--bbv", path, "--interval", interval, NULL};
    enum status st = run_pass(w, options, err);
    if (st == ST_OK)
        st = expect(w, "vectors.bb", "vectors", err);
    free(path);
    free(interval);
    return st;
}

/* ---- checkpoints ---- */

/* Units that are so near to each other share a checkpoint, from which the rest is warmed: that takes about as long as
 * the writing of a checkpoint. */
static const uint64_t shared_insns = 2000000;

static int by_place(const void *a, const void *b)
{
    const struct estimate_checkpoint *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Adds the checkpoints of a folder; false: there is no such folder. */
static bool list_folder(struct estimate_work *w, unsigned pass)
{
    char *path = pass_folder(w, pass);
    DIR *folder = opendir(path);
    free(path);
    if (folder == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *end;
        const uint64_t at = strtoull(entry->d_name, &end, 10);
        if (end == entry->d_name || strcmp(end, ".ckpt") != 0)
            continue;
        w->checkpoint = xgrow(w->checkpoint, w->checkpoints, sizeof *w->checkpoint);
        w->checkpoint[w->checkpoints++] = (struct estimate_checkpoint){.at = at, .pass = pass};
    }
    closedir(folder);
    return true;
}

static void list_checkpoints(struct estimate_work *w)
{
    w->checkpoints = 0;
    for (unsigned pass = 1; list_folder(w, pass);)
        pass++;
    if (w->checkpoints != 0)
        qsort(w->checkpoint, w->checkpoints, sizeof *w->checkpoint, by_place);
}

/* The last checkpoint up to the place, if it is near enough; NULL: there is none. */
static const struct estimate_checkpoint *nearest_checkpoint(const struct estimate_work *w, uint64_t place)
{
    uint32_t low = 0, high = (uint32_t)w->checkpoints;
    SEARCH(low, high, middle, w->checkpoint[middle].at <= place);
    const bool is_near = low > 0 && place - w->checkpoint[low - 1].at < shared_insns;
    return is_near ? &w->checkpoint[low - 1] : NULL;
}

/* The place at which the simulation of a unit begins; 0: at the program's start, which needs no checkpoint. */
static uint64_t start_of_unit(const struct estimate_work *w, uint64_t first)
{
    const uint64_t at = region_place(first, w->warmup);
    return at < shared_insns ? 0 : at;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static enum status write_places(const char *path, const uint64_t *place, size_t count, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    for (size_t i = 0; i < count; i++)
        fprintf(f.stream, "%" PRIu64 "\n", place[i]);
    return outfile_commit(&f, err);
}

/* The folder of the first pass that has not been made. */
static char *next_folder(const struct estimate_work *w)
{
    for (unsigned pass = 1;; pass++) {
        char *folder = pass_folder(w, pass);
        if (access(folder, F_OK) != 0)
            return folder;
        free(folder);
    }
}

/* Writes the checkpoints at the places, ascending, into the folder of a new pass. */
static enum status make_checkpoints(struct estimate_work *w, const uint64_t *place, size_t count, struct errmsg *err)
{
    if (count == 0)
        return ST_OK;
    char *part = estimate_work_path(w, "checkpoints.part"), *folder = next_folder(w),
         *places = estimate_work_path(w, "places"), *list = xasprintf("@%s", places),
         *limit = xasprintf("%" PRIu64, place[count - 1]);
    const char *const options[] = {"--warm", "--checkpoint-at", list, "--max-insts", limit, "-o", part, NULL};
    remove_tree(part);
    enum status st = write_places(places, place, count, err);
    if (st == ST_OK)
        st = run_pass(w, options, err);
    if (st == ST_OK)
        st = expect(w, "checkpoints.part", "checkpoints", err);
    if (st == ST_OK && rename(part, folder) != 0)
        st = fail(err, ST_IO, "%s: %s", folder, strerror(errno));
    free(part);
    free(folder);
    free(places);
    free(list);
    free(limit);
    return st;
}

/* ---- units ---- */

static enum status read_results(struct estimate_work *w, struct errmsg *err)
{
    char *path = estimate_work_path(w, "results");
    region_results_release(&w->results);
    enum status st = exists(w, "results") ? region_load_results(&w->results, path, err) : ST_OK;
    free(path);
    return st;
}

/* The chosen units without a result, or without a profile. Returns their number. */
static enum status missing_units(const struct estimate_work *w, const struct region_plan *p,
                                 struct region_candidate *unit, size_t *count, struct errmsg *err)
{
    struct unit_store profiled = {0};
    enum status st = w->store != NULL ? unit_store_list(&profiled, w->store, err) : ST_OK;
    *count = 0;
    for (size_t k = 0; k < p->strata; k++)
        for (size_t i = 0; st == ST_OK && i < p->stratum[k].chosen; i++) {
            const uint64_t first = p->stratum[k].candidate[i].first;
            if (region_results_find(&w->results, first) == NULL ||
                (w->store != NULL && unit_store_run(&profiled, first) == 0))
                unit[(*count)++] = p->stratum[k].candidate[i];
        }
    unit_store_release(&profiled);
    return st;
}

/* The places of checkpoints that the units need and that are not there, ascending. */
static size_t missing_places(struct estimate_work *w, const struct region_candidate *unit, size_t count,
                             uint64_t *place)
{
    size_t n = 0, kept = 0;
    list_checkpoints(w);
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = start_of_unit(w, unit[i].first);
        if (at != 0 && nearest_checkpoint(w, at) == NULL)
            place[n++] = at;
    }
    qsort(place, n, sizeof *place, ascending);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || place[i] - place[kept - 1] >= shared_insns)
            place[kept++] = place[i];
    return kept;
}

/* Divides the instructions between the checkpoint, NULL: the program's start, and the unit. */
static void warming_from(const struct estimate_work *w, const struct estimate_checkpoint *c, struct unit_run *run)
{
    const uint64_t before = run->first - (c != NULL ? c->at : 0);
    run->warmup = before < w->warmup ? before : w->warmup;
    run->warming = before - run->warmup;
}

uint64_t estimate_work_warming(const struct estimate_work *w, uint64_t first)
{
    struct unit_run run = {.first = first};
    const uint64_t place = start_of_unit(w, first);
    warming_from(w, place != 0 ? nearest_checkpoint(w, place) : NULL, &run);
    return run.warming;
}

static enum status prepare_run(const struct estimate_work *w, const struct region_candidate *unit, struct unit_run *run,
                               struct errmsg *err)
{
    const uint64_t place = start_of_unit(w, unit->first);
    const struct estimate_checkpoint *c = place != 0 ? nearest_checkpoint(w, place) : NULL;
    if (place != 0 && c == NULL)
        return fail(err, ST_INPUT, "no checkpoint after %" PRIu64 " instructions: see %s/log for the cause", place,
                    w->folder);
    *run = (struct unit_run){.first = unit->first,
                             .insns = unit->insns,
                             .has_result = region_results_find(&w->results, unit->first) != NULL};
    warming_from(w, c, run);
    if (c != NULL)
        run->checkpoint = xasprintf("%s/checkpoints.%u/%" PRIu64 ".ckpt", w->folder, c->pass, c->at);
    return ST_OK;
}

static enum status run_units(struct estimate_work *w, const struct region_candidate *unit, size_t count,
                             struct errmsg *err)
{
    struct unit_run *run = xcalloc(count, sizeof *run);
    char *results = estimate_work_path(w, "results");
    enum status st = ST_OK;
    for (size_t i = 0; st == ST_OK && i < count; i++)
        st = prepare_run(w, &unit[i], &run[i], err);
    const struct unit_runs runs = {.pcemu = w->pcemu,
                                   .words = w->words,
                                   .input = w->input,
                                   .folder = w->folder,
                                   .results = results,
                                   .store = w->store,
                                   .profile = w->profile,
                                   .seed = w->seed,
                                   .log = w->log,
                                   .jobs = w->jobs};
    if (st == ST_OK)
        st = unit_runs_all(&runs, run, count, err);
    for (size_t i = 0; i < count; i++)
        free(run[i].checkpoint);
    free(run);
    free(results);
    return st;
}

/* Makes the checkpoints that are missing, and simulates the units. */
static enum status simulate_units(struct estimate_work *w, const struct region_candidate *unit, size_t count,
                                  struct errmsg *err)
{
    uint64_t *place = xcalloc(count + 1, sizeof *place);
    const size_t places = missing_places(w, unit, count, place);
    enum status st = make_checkpoints(w, place, places, err);
    list_checkpoints(w);
    if (st == ST_OK && count != 0)
        st = run_units(w, unit, count, err);
    free(place);
    return st;
}

enum status estimate_work_units(struct estimate_work *w, const struct region_plan *p, struct errmsg *err)
{
    struct region_candidate *unit = xcalloc(region_plan_chosen(p) + 1, sizeof *unit);
    size_t count = 0;
    enum status st = read_results(w, err);
    if (st == ST_OK)
        st = missing_units(w, p, unit, &count, err);
    if (st == ST_OK)
        st = simulate_units(w, unit, count, err);
    if (st == ST_OK)
        st = read_results(w, err);
    free(unit);
    return st;
}
