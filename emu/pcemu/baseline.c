/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/pcemu/baseline.h"

#include <jansson.h>
#include <string.h>

#include "emu/pcemu/fatal.h"

static _Noreturn void refuse(const struct baseline *b, const char *expected, const char *found)
{
    die("--baseline: %s: expected %s, found %s", b->path, expected, found);
}

static uint64_t count_of(const struct baseline *b, json_t *root, const char *key)
{
    json_t *n = json_object_get(json_object_get(root, "core"), key);
    if (!json_is_integer(n) || json_integer_value(n) <= 0)
        refuse(b, "statistics of a core, as --format json --stats FILE writes them", "none");
    return (uint64_t)json_integer_value(n);
}

void baseline_load(struct baseline *b, const char *path, const struct machine_config *machine)
{
    json_error_t err;
    b->path = path;
    if (path == NULL)
        return;
    json_t *root = json_load_file(path, 0, &err);
    if (root == NULL && err.line > 0)
        die("--baseline: %s: line %d: expected JSON: %s", path, err.line, err.text);
    if (root == NULL)
        die("--baseline: %s", err.text);
    b->cycles = count_of(b, root, "cycles");
    b->retired = count_of(b, root, "retired");
    if (json_object_get(root, "coprocessor") != NULL)
        refuse(b, "a run without a profiling program (--no-program)", "one with");
    const char *name = json_string_value(json_object_get(root, "configuration"));
    if (name == NULL || strcmp(name, machine->name) != 0)
        die("--baseline: %s: expected a run of the configuration '%s', found '%s'", path, machine->name,
            name != NULL ? name : "");
    json_decref(root);
}

/* Another part of the program would have another speed. */
uint64_t baseline_cycles(const struct baseline *b, uint64_t retired)
{
    uint64_t other = b->retired, apart = retired > other ? retired - other : other - retired;
    if (other == 0 || apart <= other / 1000)
        return b->cycles;
    fprintf(stderr,
            "pcemu: --baseline: %s: of %llu instructions, this run of %llu: not the same, so the report does not say "
            "what profiling cost\n",
            b->path, (unsigned long long)other, (unsigned long long)retired);
    return 0;
}
