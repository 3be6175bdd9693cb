/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the debugger: each line is a command, to a machine that has some samples behind it and gets more where the
 * command lets it run, or, if the last byte of the input is odd, whose run has ended. Commands that read or write files
 * are left out. Expressions are a part of most commands. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debugger.h"
#include "tests/fuzz/fuzzed_debugger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_LINES = 16 };

struct run {
    struct cop *cop;
    struct debugger *debugger;
    uint64_t cycle;
};

static void at_prompt(void *ctx) { (void)ctx; }

static void serve(void *ctx, uint64_t cycle)
{
    struct run *r = ctx;
    struct bus bus = cop_bus(r->cop);
    (void)cycle;
    debug_interrupt(r->debugger);
    bus_put(&bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
}

static enum status no_reload(void *ctx, const char *path, const char *const *defines, size_t count, struct errmsg *err)
{
    (void)ctx, (void)path, (void)defines, (void)count;
    return fail(err, ST_IO, "no files here");
}

static enum status no_word(void *ctx, unsigned at, const char *text, uint64_t *word, struct errmsg *err)
{
    (void)ctx, (void)err;
    *word = at + strlen(text); /* legal or not */
    return ST_OK;
}

static bool uses_files(const char *line)
{
    line += strspn(line, " \t");
    return strncmp(line, "so", 2) == 0 || strncmp(line, "sa", 2) == 0;
}

static void execute(struct run *r, const char *line)
{
    if (uses_files(line))
        return;
    command_execute(r->debugger, line);
    if (!r->debugger->leave)
        return;
    r->debugger->leave = false;
    offer_loads(r->cop, 9, &r->cycle);
    debug_pause(r->debugger);
    r->debugger->leave = false;
}

static void execute_lines(struct run *r, const uint8_t *data, size_t size)
{
    char *text = xmalloc(size + 1), *save = NULL;
    unsigned lines = 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &save); line != NULL && lines < MOST_LINES;
         line = strtok_r(NULL, "\n", &save), lines++)
        if (strlen(line) < MAX_LINE)
            execute(r, line);
    free(text);
}

/* The co-processor with the program, before the first sample; the caller frees it. */
static struct cop *loaded(const struct image *image)
{
    static struct cop *cop;
    if (cop == NULL) {
        struct cop_config config = cop_default_config;
        struct errmsg err;
        config.runaway_words = 1000; /* what is set or patched may not finish */
        config.buffer_bytes = 128;   /* each pause copies the buffer */
        cop = cop_new(&config);
        struct bus bus = cop_bus(cop);
        if (bus_load_program(&bus, image, &err) != ST_OK)
            BUG("%s", err.text);
        bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    }
    return cop_clone(cop);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct debug_services services = {.quit = at_prompt,
                                      .reload = no_reload,
                                      .assemble_word = no_word,
                                      .guest_register = guest_name,
                                      .guest_symbol = guest_name,
                                      .guest_variable = guest_name,
                                      .guest_memory = guest_memory};
    struct debug_options options = {.script = "/dev/null"};
    const struct image *image = assembled(slots_program);
    struct run r = {.cop = loaded(image)};
    struct errmsg err;
    char *said;
    size_t said_bytes;
    options.out = open_memstream(&said, &said_bytes);
    if (debug_new(&r.debugger, r.cop, image, &options, &services, &err) != ST_OK)
        BUG("%s", err.text);
    cop_on_interrupt(r.cop, serve, &r);
    debug_begin(r.debugger);
    offer_loads(r.cop, 8, &r.cycle);
    debug_pause(r.debugger);
    if (size > 0 && data[size - 1] % 2 != 0) {
        cop_drain(r.cop);
        debug_end(r.debugger, "the end");
    }
    execute_lines(&r, data, size);
    debug_free(r.debugger);
    cop_free(r.cop);
    fclose(options.out);
    free(said);
    return 0;
}
