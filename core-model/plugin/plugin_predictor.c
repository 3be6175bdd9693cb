/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/plugin/plugin_predictor.h"

_Static_assert((int)PCEMU_KEPT_BYTES == (int)BPRED_KEPT_BYTES, "what the interface promises is kept");

static struct pcemu_branch plugin_branch(const struct bpred_branch *b)
{
    return (struct pcemu_branch){.version = PCEMU_ABI,
                                 .size = sizeof(struct pcemu_branch),
                                 .pc = b->pc,
                                 .target = b->target,
                                 .history = b->history.branches,
                                 .path = b->history.path};
}

static bool plugin_predict(void *ctx, const struct bpred_branch *b, void *kept)
{
    const struct plugin_predictor *p = ctx;
    const struct pcemu_branch branch = plugin_branch(b);
    plugin_enter(p->of.plugin, "predict");
    const int taken = p->functions->predict(p->of.state, &branch, kept);
    plugin_leave();
    return taken != 0;
}

static void plugin_train(void *ctx, const struct bpred_branch *b, const void *kept, bool taken)
{
    const struct plugin_predictor *p = ctx;
    const struct pcemu_branch branch = plugin_branch(b);
    plugin_enter(p->of.plugin, "train");
    p->functions->train(p->of.state, &branch, kept, taken);
    plugin_leave();
}

enum status plugin_predictor_init(struct plugin_predictor *p, struct plugin *plugin, const struct plugin_place *at,
                                  struct errmsg *err)
{
    p->functions = plugin->symbol->functions;
    p->external = (struct bpred_external){.predict = plugin_predict, .train = plugin_train, .ctx = p};
    return plugin_state_init(&p->of, plugin, at, err);
}
