/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes study files. What is accepted has names and numbers that can be looked up, and an error is one line that names
 * the file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/study/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_numbers(const struct study_values *v)
{
    for (size_t i = 0; i < v->count; i++)
        (void)study_number(&v->item[i]);
}

static void check_accepted(const struct study *s)
{
    const struct study_list *jobs = &s->list[STUDY_JOBS];
    check_numbers(&study_root(s)->key[STUDY_ROOT_SEEDS]);
    for (size_t i = 0; i < jobs->count; i++) {
        const struct study_values *names = &jobs->item[i].key[STUDY_JOBS_PROGRAMS];
        check_numbers(&jobs->item[i].key[STUDY_JOBS_SEEDS]);
        for (size_t n = 0; n < names->count; n++)
            if (study_find(s, STUDY_PROGRAM, names->item[n].text) == NULL)
                BUG("a program that no section has was accepted");
    }
    for (size_t i = 0; i < s->list[STUDY_PROGRAM].count; i++)
        if (study_one(&s->list[STUDY_PROGRAM].item[i], STUDY_PROGRAM_COMMAND) == NULL)
            BUG("a program without a command was accepted");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xasprintf("%.*s", (int)size, (const char *)data);
    struct study *s;
    struct errmsg err;
    if (study_parse("fuzzed.conf", text, &s, &err) == ST_OK)
        check_accepted(s);
    else if (s != NULL || strncmp(err.text, "fuzzed.conf:", 12) != 0 || strchr(err.text, '\n') != NULL)
        BUG("a poor error: %s", err.text);
    study_free(s);
    free(text);
    return 0;
}
