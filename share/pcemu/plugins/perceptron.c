/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Example of a predictor: perceptrons (D. Jimenez and C. Lin, "Dynamic Branch Prediction with Perceptrons", HPCA 2001,
 * section 3). A branch selects a perceptron by its address. The output is the bias weight plus each weight times its
 * bit of the global history, which is 1 or -1; the branch is predicted taken if the output is not negative. Options:
 * LENGTH[,PERCEPTRONS]: bits of history, 1 to 62 (default 28), and a power of two up to 65536 (default 256).
 *
 * What differs from the paper: the history is speculative, as fetch has it, and training happens at retirement with the
 * output of the prediction, so several instances of a branch in flight train by outputs of the same weights. */
#include <pcemu/plugin.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH_MOST = 62, COUNT_MOST = 1 << 16, WEIGHT_MOST = 127 };

struct perceptrons {
    unsigned length, count;
    int threshold;                     /* section 3.3: 1.93 * length + 14 */
    int8_t (*weight)[LENGTH_MOST + 1]; /* the bias, then those of the history, youngest first */
};

/* Kept with a branch from its prediction to its training. */
struct perceptron_kept {
    int output;
};

static void *perceptron_create(const struct pcemu_setup *setup, char *error, size_t error_bytes)
{
    char *end;
    const char *text = setup->options;
    unsigned long length = 28, count = 256;
    if (*text != '\0') {
        length = strtoul(text, &end, 10);
        if (*end == ',')
            count = strtoul(end + 1, &end, 10);
        if (*end != '\0')
            length = 0;
    }
    if (length < 1 || length > LENGTH_MOST || count < 1 || count > COUNT_MOST || (count & (count - 1)) != 0) {
        snprintf(error, error_bytes,
                 "expected LENGTH[,PERCEPTRONS], 1 to %d bits of history and a power of two up to %d, found '%s'",
                 LENGTH_MOST, COUNT_MOST, text);
        return NULL;
    }
    struct perceptrons *p = calloc(1, sizeof *p);
    if (p != NULL)
        p->weight = calloc(count, sizeof *p->weight);
    if (p == NULL || p->weight == NULL) {
        snprintf(error, error_bytes, "there is no memory for %lu perceptrons", count);
        free(p);
        return NULL;
    }
    p->length = (unsigned)length;
    p->count = (unsigned)count;
    p->threshold = (int)(1.93 * (double)length + 14);
    return p;
}

static void perceptron_destroy(void *state)
{
    struct perceptrons *p = state;
    free(p->weight);
    free(p);
}

static int8_t *perceptron_of(const struct perceptrons *p, const struct pcemu_branch *b)
{
    return p->weight[(b->pc >> 1) & (p->count - 1)];
}

static int perceptron_predict(void *state, const struct pcemu_branch *b, void *kept)
{
    const struct perceptrons *p = state;
    struct perceptron_kept *k = kept;
    const int8_t *weight = perceptron_of(p, b);
    k->output = weight[0];
    for (unsigned i = 0; i < p->length; i++)
        k->output += (b->history >> i & 1) != 0 ? weight[i + 1] : -weight[i + 1];
    return k->output >= 0;
}

static void weight_train(int8_t *weight, int agrees)
{
    if (agrees && *weight < WEIGHT_MOST)
        ++*weight;
    else if (!agrees && *weight > -WEIGHT_MOST - 1)
        --*weight;
}

static void perceptron_train(void *state, const struct pcemu_branch *b, const void *kept, int taken)
{
    const struct perceptrons *p = state;
    const struct perceptron_kept *k = kept;
    int8_t *weight = perceptron_of(p, b);
    if ((k->output >= 0) == (taken != 0) && abs(k->output) > p->threshold)
        return;
    weight_train(&weight[0], taken != 0);
    for (unsigned i = 0; i < p->length; i++)
        weight_train(&weight[i + 1], (b->history >> i & 1) == (taken != 0));
}

static const struct pcemu_predictor perceptron = {
    PCEMU_VERSION(struct pcemu_predictor),
    .kept_bytes = sizeof(struct perceptron_kept),
    .predict = perceptron_predict,
    .train = perceptron_train,
};

const struct pcemu_plugin pcemu_plugin = {
    PCEMU_VERSION(struct pcemu_plugin),
    .kind = PCEMU_KIND_PREDICTOR,
    .name = "perceptron",
    .description = "perceptrons over the global history",
    .create = perceptron_create,
    .destroy = perceptron_destroy,
    .functions = &perceptron,
};
