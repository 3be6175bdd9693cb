/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what clients of pcprof serve send: the first line is the target of a request, the second one the header Host,
 * the third one the header If-None-Match. The canonical target of what is accepted means the same, and has characters
 * of addresses alone; a refusal has a reason; an entity tag that is added to the header is found. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzzed_input.h"
#include "tools/pcprof/server/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const struct serve_request *r, const char *target)
{
    struct serve_request again;
    struct errmsg err;
    if (target[strspn(target, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?=&%")] != '\0')
        BUG("the target '%s' has other characters", target);
    if (serve_request_parse(&again, target, &err) != SERVE_OK)
        BUG("the target '%s' of a request is refused: %s", target, err.text);
    for (unsigned n = 0; n < SERVE_PARAMETERS; n++)
        if (again.route != r->route || (again.value[n] == NULL) != (r->value[n] == NULL) ||
            (r->value[n] != NULL && strcmp(again.value[n], r->value[n]) != 0))
            BUG("the target '%s' means something else", target);
    serve_request_release(&again);
}

static void check_target(const char *text)
{
    struct serve_request r;
    struct errmsg err = {.text = ""};
    if (serve_request_parse(&r, text, &err) == SERVE_OK) {
        char *target = serve_request_target(&r);
        check_again(&r, target);
        free(target);
    } else {
        check_refusal(&err);
    }
    serve_request_release(&r);
}

static void check_headers(const char *host, const char *tags)
{
    if (serve_host_is_allowed(host, false, "name") && !serve_host_is_allowed(host, true, "name"))
        BUG("the host '%s' is allowed, and is refused where more are allowed", host);
    char *more = xasprintf("\"found\", %s", tags);
    if (!serve_tag_matches(more, "found"))
        BUG("the first entity tag of '%s' is not found", more);
    (void)serve_tag_matches(tags, "found");
    free(more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xmalloc(size + 1), *rest = text;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *target = strsep(&rest, "\n"), *host = rest != NULL ? strsep(&rest, "\n") : "";
    check_target(target);
    check_headers(host, rest != NULL ? rest : "");
    free(text);
    return 0;
}
