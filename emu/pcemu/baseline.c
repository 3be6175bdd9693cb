/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --baseline: the statistics of the same run without the profiling program, beside which the report says what profiling cost. */
#include "emu/pcemu/session.h"

#include <jansson.h>
#include <string.h>

static _Noreturn void refuse(const struct session *session, const char *expected, const char *found)
{
    fprintf(stderr, "pcemu: --baseline: %s: expected %s, found %s\n", session->options.baseline, expected, found);
    exit(EXIT_BAD_INPUT);
}

static uint64_t count_of(const struct session *session, json_t *root, const char *key)
{
    json_t *n = json_object_get(json_object_get(root, "core"), key);
    if (!json_is_integer(n) || json_integer_value(n) <= 0)
        refuse(session, "statistics of a core, as --format json --stats FILE writes them", "none");
    return (uint64_t)json_integer_value(n);
}

void session_load_baseline(struct session *session)
{
    json_error_t err;
    if (session->options.baseline == NULL)
        return;
    json_t *root = json_load_file(session->options.baseline, 0, &err);
    if (root == NULL) {
        if (err.line > 0)
            fprintf(stderr, "pcemu: --baseline: %s: line %d: expected JSON: %s\n", session->options.baseline, err.line, err.text);
        else
            fprintf(stderr, "pcemu: --baseline: %s\n", err.text);
        exit(EXIT_BAD_INPUT);
    }
    session->baseline_cycles = count_of(session, root, "cycles");
    session->baseline_retired = count_of(session, root, "retired");
    if (json_object_get(root, "coprocessor") != NULL)
        refuse(session, "a run without a profiling program (--no-program)", "one with");
    const char *machine = json_string_value(json_object_get(root, "configuration"));
    if (machine == NULL || strcmp(machine, session->machine) != 0) {
        fprintf(stderr, "pcemu: --baseline: %s: expected a run of the configuration '%s', found '%s'\n", session->options.baseline, session->machine,
                machine != NULL ? machine : "");
        exit(EXIT_BAD_INPUT);
    }
    json_decref(root);
}

/* Another part of the program would have another speed. */
uint64_t session_baseline_cycles(const struct session *session)
{
    uint64_t retired = session->core != NULL ? core_retired(session->core) : 0, other = session->baseline_retired;
    uint64_t apart = retired > other ? retired - other : other - retired;
    if (other == 0 || apart <= other / 1000)
        return session->baseline_cycles;
    fprintf(stderr, "pcemu: --baseline: %s: of %llu instructions, this run of %llu: not the same, so the report does not say what profiling cost\n",
            session->options.baseline, (unsigned long long)other, (unsigned long long)retired);
    return 0;
}
