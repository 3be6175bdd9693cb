/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the options of pcemu whose arguments have a grammar: each line is an argument of --param, behind "sampler " of
 * --sampler, or behind "profile " of --profile. What is accepted leaves a sound image; what is refused is refused in
 * one line. --set has its harness with the configuration, fuzz_config.c. */
#include <stdlib.h>
#include <string.h>

#include "core-model/prof/observers.h"
#include "tests/fuzz/fuzzed_input.h"
#include "tests/fuzz/fuzzed_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] =
    ".program fuzz\n.param period = 10007\n.param window = 256\n.param least = -3, \"a number\"\n"
    ".sampler profileme, pair, period=period, window=window\n.index n, width 2\n"
    ".record pc\n.filter class load\n.entry load begin\nbegin: inc n | done\n";

/* Sets a parameter. The image is saved and read again if the sampler has options that it allows. */
static void set_param(struct image *im, const char *text)
{
    struct errmsg err = {{0}};
    struct sampler_setup setup;
    struct image again;
    uint8_t *bytes;
    size_t size_bytes;
    if (image_set_param(im, text, &err) != ST_OK) {
        check_refusal(&err);
        return;
    }
    setup = image_sampler(im);
    if (sampler_check(&setup, &err) != ST_OK) {
        check_refusal(&err);
        *im = *assembled(program);
        return;
    }
    image_save(im, &bytes, &size_bytes);
    if (image_parse(&again, bytes, size_bytes, "saved", &err) != ST_OK)
        BUG("set, saved and refused: %s", err.text);
    free(bytes);
}

static void set_sampler(struct image *im, const char *text)
{
    struct errmsg err = {{0}};
    struct sampler_setup setup;
    if (sampler_parse("--sampler", text, &setup, &err) != ST_OK) {
        check_refusal(&err);
        return;
    }
    if (sampler_check(&setup, &err) != ST_OK)
        BUG("parsed and refused: %s", err.text);
    image_set_sampler(im, &setup);
}

static void create_observers(const char *text)
{
    struct errmsg err = {{0}};
    struct observers *set = observers_new();
    if (observers_create(set, text, 1, &err) != ST_OK)
        check_refusal(&err);
    observers_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char sampler[] = "sampler ", profile[] = "profile ";
    struct image im = *assembled(program);
    char *text = xmalloc(size + 1), *save = NULL;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save))
        if (strncmp(line, sampler, sizeof sampler - 1) == 0)
            set_sampler(&im, line + sizeof sampler - 1);
        else if (strncmp(line, profile, sizeof profile - 1) == 0)
            create_observers(line + sizeof profile - 1);
        else
            set_param(&im, line);
    free(text);
    return 0;
}
