/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes manifests of studies and footers of results. What is accepted has all its members, and an error is one line
 * that names the file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/json_value.h"
#include "host/study/manifest.h"
#include "host/study/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const struct errmsg *err)
{
    if (strncmp(err->text, "fuzzed.json", 11) != 0 || strchr(err->text, '\n') != NULL)
        BUG("a poor error: %s", err->text);
}

static void check_jobs(const struct manifest *m)
{
    if (m->pcemu == NULL)
        BUG("a manifest without a build was accepted");
    for (size_t i = 0; i < m->jobs; i++) {
        const struct job *j = &m->job[i];
        struct errmsg err;
        if (j->name_count == 0 || j->names[0].program == NULL || !json_is_array(j->command))
            BUG("a job without a name or a command was accepted");
        if (manifest_find(m, j->id, &err) == NULL && strstr(err.text, "found") == NULL)
            BUG("a job is not found by its id");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xasprintf("%.*s", (int)size, (const char *)data);
    struct manifest m = {0};
    struct result_footer f;
    struct errmsg err;
    json_start();
    if (manifest_parse("fuzzed.json", text, &m, &err) == ST_OK)
        check_jobs(&m);
    else
        check_error(&err);
    manifest_release(&m);
    if (result_parse("fuzzed.json", text, strlen(text), &f, &err) != ST_OK)
        check_error(&err);
    else if (f.id == NULL || f.pcemu == NULL)
        BUG("a footer without an id or a build was accepted");
    result_release(&f);
    free(text);
    return 0;
}
