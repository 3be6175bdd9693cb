/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/baseline.h"

#include <jansson.h>
#include <string.h>

#include "host/report/words.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"

/* Expectation that the statistics do not meet, or NULL. *found describes what was found. */
static const char *expected_of(json_t *root, const char **found)
{
    json_t *core = json_object_get(root, "core"), *cycles = json_object_get(core, "cycles");
    *found = "none";
    if (json_integer_value(cycles) <= 0 || json_integer_value(json_object_get(core, "retired")) <= 0)
        return "statistics of a core, as --format json --stats FILE writes them";
    *found = "one with";
    return json_object_get(root, "coprocessor") != NULL ? "a run without a profiling program (--no-program)" : NULL;
}

static json_t *pcemu_baseline_load(const char *path)
{
    json_error_t err;
    json_t *root = json_load_file(path, 0, &err);
    if (root == NULL && err.line > 0)
        die("--baseline: %s: line %d: expected JSON: %s", path, err.line, err.text);
    if (root == NULL)
        die("--baseline: %s", err.text);
    return root;
}

void baseline_load(struct baseline *b, const char *path, const struct machine_config *machine)
{
    b->path = path;
    if (path == NULL)
        return;
    json_t *root = pcemu_baseline_load(path), *core = json_object_get(root, "core");
    const char *found, *expected = expected_of(root, &found);
    const char *name = json_string_value(json_object_get(root, "configuration"));
    char configuration[256];
    snprintf(configuration, sizeof configuration, "%s", name != NULL ? name : "");
    b->cycles = (uint64_t)json_integer_value(json_object_get(core, "cycles"));
    b->retired = (uint64_t)json_integer_value(json_object_get(core, "retired"));
    json_decref(root);
    if (expected != NULL)
        die("--baseline: %s: expected %s, found %s", path, expected, found);
    if (strncmp(configuration, machine->name, sizeof configuration - 1) != 0)
        die("--baseline: %s: expected a run of the configuration '%s', found '%s'", path, machine->name, configuration);
}

/* Runs of different length are not comparable: another part of the guest has another IPC. */
uint64_t baseline_cycles(const struct baseline *b, uint64_t retired)
{
    uint64_t other = b->retired, apart = retired > other ? retired - other : other - retired;
    if (other == 0 || apart <= other / 1000)
        return b->cycles;
    char baseline[REPORT_NUMBER], run[REPORT_NUMBER];
    print_message(
        "--baseline: %s: expected a run of %s instructions, as this one, found one of %s: the report does not say "
        "what profiling cost; write the baseline with the same guest, arguments, --skip-insts and --max-insts",
        b->path, report_number(run, retired), report_number(baseline, other));
    return 0;
}
