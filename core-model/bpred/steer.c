/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/bpred/steer.h"

#include "contract/opclass.h"

static uint64_t predict_indirect(struct bpred *b, const struct rv_insn *in, uint64_t pc, struct bpred_history *history,
                                 struct bpred_info *info, bool *ras)
{
    uint64_t target, after = pc + in->length_bytes;
    *ras = true;
    switch (in->opclass) {
    case OPCLASS_RET:
        target = bpred_ras_pop(b, info);
        break;
    case OPCLASS_SWAP:
        target = bpred_ras_swap(b, after, info);
        break;
    case OPCLASS_ICALL:
        target = bpred_indirect(b, pc, history->path, info);
        bpred_ras_push(b, after, info);
        break;
    default:
        target = bpred_indirect(b, pc, history->path, info);
        *ras = false;
    }
    if (target == 0)
        target = after;
    steer_note(b, in, true, target, history);
    return target;
}

/* Direction of the conditional branch at pc. */
static inline bool predict_branch(struct bpred *b, uint64_t pc, uint64_t target, const struct bpred_history *history,
                                  struct bpred_info *info)
{
    const struct bpred_external *e = b->external;
    if (__builtin_expect(e == NULL, 1))
        return bpred_direction(b, pc, history->branches, info);
    return e->predict(e->ctx, &(struct bpred_branch){.pc = pc, .target = target, .history = *history}, info->kept);
}

uint64_t steer_predict(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o,
                       struct bpred_history *history, struct bpred_info *info, bool *ras)
{
    uint64_t target = pc + (uint64_t)(int64_t)in->imm;
    *ras = false;
    if (b->perfect) {
        steer_note(b, in, o->taken, o->next_pc, history);
        return o->next_pc;
    }
    if (in->flags & RV_BRANCH) {
        bool taken = predict_branch(b, pc, target, history, info);
        bpred_history_branch(history, taken);
        return taken ? target : pc + in->length_bytes;
    }
    if (in->flags & RV_INDIRECT)
        return predict_indirect(b, in, pc, history, info, ras);
    if (in->opclass == OPCLASS_CALL) {
        *ras = true;
        bpred_ras_push(b, pc + in->length_bytes, info);
    }
    return target;
}

static inline void train_branch(struct bpred *b, const struct rv_insn *in, uint64_t pc,
                                const struct bpred_history *history, const struct bpred_info *info, bool taken)
{
    const struct bpred_external *e = b->external;
    if (__builtin_expect(e == NULL, 1)) {
        bpred_train_direction(b, pc, history->branches, info, taken);
        return;
    }
    const uint64_t target = pc + (uint64_t)(int64_t)in->imm;
    e->train(e->ctx, &(struct bpred_branch){.pc = pc, .target = target, .history = *history}, info->kept, taken);
}

void steer_train(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct bpred_history *history,
                 const struct bpred_info *info, const struct rv_outcome *o)
{
    if (b->perfect)
        return;
    if (in->flags & RV_BRANCH)
        train_branch(b, in, pc, history, info, o->taken);
    else if (rv_is_plain_indirect(in))
        bpred_train_indirect(b, info, o->next_pc);
    if (o->taken)
        bpred_train_target(b, pc, o->next_pc);
}
