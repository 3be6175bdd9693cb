/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/storing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell_word.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"

static const char default_epoch[] = "default";

char *storing_command(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    fputs("pcemu", out);
    for (int i = 1; i < argc; i++) {
        fputc(' ', out);
        shell_word_print(argv[i], out);
    }
    xclose_text(out);
    return text;
}

char *storing_guest(char **words)
{
    char *text = NULL;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    for (int i = 0; words[i] != NULL; i++) {
        if (i > 0)
            fputc(' ', out);
        shell_word_print(words[i], out);
    }
    xclose_text(out);
    return text;
}

void storing_open(struct storing *c, const char *to)
{
    struct errmsg err;
    struct profile_store *s;
    if (to == NULL)
        return;
    must(store_select(&c->to, to, &err), &err);
    if (c->to.ranges > 0)
        die("--collect %s: expected STORE:EPOCH, where the epoch's name begins with a letter", to);
    if (strcmp(c->to.path, "-") == 0)
        die("--collect -: expected a file, because a store cannot be written to standard output");
    if (c->to.epoch == NULL)
        c->to.epoch = xstrdup(default_epoch);
    /* Closed again, because a guest that forks would share the locks. */
    must(store_open(&s, c->to.path, STORE_CREATE, STORE_WAIT_MS, &err), &err);
    store_close(s);
}

void storing_release(struct storing *c)
{
    store_selection_release(&c->to);
    free(c->command);
}

static enum status add_to(const char *path, const struct store_run *run, int64_t *number, struct errmsg *err)
{
    struct profile_store *s;
    enum status st = store_open(&s, path, STORE_CREATE, STORE_WAIT_MS, err);
    if (st != ST_OK)
        return st;
    st = store_add_run(s, run, number, err);
    store_close(s);
    return st;
}

/* Adds the run to a store beside the one that refused it with `refusal`. That store stays even if it is empty: another
 * process may be adding a run to it. */
static void rescue(const char *path, const struct store_run *run, const struct errmsg *refusal)
{
    struct errmsg err;
    int64_t number;
    char *beside = xasprintf("%s.rescued", path);
    print_message("--collect: %s", refusal->text);
    if (add_to(beside, run, &number, &err) == ST_OK)
        print_message("--collect: the run is in %s instead: pcprof merge %s %s adds it", beside, path, beside);
    else
        print_message("--collect: the run is lost, because %s cannot have it either: %s", beside, err.text);
    free(beside);
}

bool storing_add(const struct storing *c, struct store_run *run)
{
    struct errmsg err;
    int64_t number;
    run->epoch = c->to.epoch;
    run->command = c->command;
    run->time = store_now();
    if (add_to(c->to.path, run, &number, &err) == ST_OK)
        return true;
    rescue(c->to.path, run, &err);
    return false;
}
