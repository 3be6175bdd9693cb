/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skeleton of a predictor: gshare (S. McFarling, "Combining Branch Predictors", WRL TN-36, 1993). A table of 2-bit
 * counters is indexed by the address XORed with as many bits of the global history. Options: the number of index bits,
 * 1 to 24 (default 14). */
#include <pcemu/plugin.h>
#include <stdio.h>
#include <stdlib.h>

struct gshare {
    uint64_t mask;
    uint8_t *counter; /* 0 to 3; taken from 2 on */
};

/* Kept with a branch from its prediction to its training. */
struct gshare_kept {
    uint64_t index;
};

static void *gshare_create(const struct pcemu_setup *setup, char *error, size_t error_bytes)
{
    char *end;
    const char *text = setup->options[0] != '\0' ? setup->options : "14";
    const unsigned long bits = strtoul(text, &end, 10);
    if (*end != '\0' || bits < 1 || bits > 24) {
        snprintf(error, error_bytes, "expected a number of index bits from 1 to 24, found '%s'", text);
        return NULL;
    }
    struct gshare *g = calloc(1, sizeof *g);
    uint8_t *counter = malloc((size_t)1 << bits);
    if (g == NULL || counter == NULL) {
        snprintf(error, error_bytes, "there is no memory for 2^%lu counters", bits);
        free(g);
        free(counter);
        return NULL;
    }
    g->mask = (UINT64_C(1) << bits) - 1;
    g->counter = counter;
    for (uint64_t i = 0; i <= g->mask; i++)
        counter[i] = 1;
    return g;
}

static void gshare_destroy(void *state)
{
    struct gshare *g = state;
    free(g->counter);
    free(g);
}

static int gshare_predict(void *state, const struct pcemu_branch *b, void *kept)
{
    const struct gshare *g = state;
    struct gshare_kept *k = kept;
    k->index = (b->pc >> 1 ^ b->history) & g->mask;
    return g->counter[k->index] >= 2;
}

static void gshare_train(void *state, const struct pcemu_branch *b, const void *kept, int taken)
{
    const struct gshare *g = state;
    const struct gshare_kept *k = kept;
    uint8_t *counter = &g->counter[k->index];
    (void)b;
    if (taken && *counter < 3)
        ++*counter;
    else if (!taken && *counter > 0)
        --*counter;
}

static const struct pcemu_predictor gshare = {
    PCEMU_VERSION(struct pcemu_predictor),
    .kept_bytes = sizeof(struct gshare_kept),
    .predict = gshare_predict,
    .train = gshare_train,
};

const struct pcemu_plugin pcemu_plugin = {
    PCEMU_VERSION(struct pcemu_plugin),
    .kind = PCEMU_KIND_PREDICTOR,
    .name = "gshare",
    .description = "gshare, 2-bit counters indexed by address and global history",
    .create = gshare_create,
    .destroy = gshare_destroy,
    .functions = &gshare,
};
