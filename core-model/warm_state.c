/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/warm_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* A structure that is warmed. */
struct warmed_structure {
    const char *name;
    const char *key[6]; /* of the configuration, on which its contents depend, up to a NULL */
    bool (*is_used)(const struct engine_parts *p);
    void (*move)(const struct engine_parts *p, struct checkpoint_stream *s);
};

static bool uses_caches(const struct engine_parts *p) { return !p->mem->l1d.perfect; }
static bool uses_llc(const struct engine_parts *p) { return uses_caches(p) && p->mem->has_llc; }
static bool uses_rows(const struct engine_parts *p) { return uses_caches(p) && p->mem->dram.row_bits != 0; }
static bool uses_predictors(const struct engine_parts *p) { return !p->bpred->perfect; }
static bool uses_tage(const struct engine_parts *p) { return uses_predictors(p) && !p->bpred->tournament; }
static bool uses_tournament(const struct engine_parts *p) { return p->bpred->tournament; }
static bool uses_ittage(const struct engine_parts *p)
{
    return uses_predictors(p) && p->bpred->ittage.table[0] != NULL;
}

static void move_l1i(const struct engine_parts *p, struct checkpoint_stream *s) { cache_move(&p->mem->l1i, s); }
static void move_l1d(const struct engine_parts *p, struct checkpoint_stream *s) { cache_move(&p->mem->l1d, s); }
static void move_l2(const struct engine_parts *p, struct checkpoint_stream *s) { cache_move(&p->mem->l2, s); }
static void move_llc(const struct engine_parts *p, struct checkpoint_stream *s) { cache_move(&p->mem->llc, s); }
static void move_rows(const struct engine_parts *p, struct checkpoint_stream *s) { dram_move(&p->mem->dram, s); }
static void move_itlb(const struct engine_parts *p, struct checkpoint_stream *s) { tlb_move(&p->mem->itlb, s); }
static void move_dtlb(const struct engine_parts *p, struct checkpoint_stream *s) { tlb_move(&p->mem->dtlb, s); }
static void move_l2tlb(const struct engine_parts *p, struct checkpoint_stream *s)
{
    tlb_shared_move(&p->mem->l2tlb, s);
}
static void move_tage(const struct engine_parts *p, struct checkpoint_stream *s) { tage_move(&p->bpred->tage, s); }
static void move_tournament(const struct engine_parts *p, struct checkpoint_stream *s)
{
    tournament_move(&p->bpred->tour, s);
}
static void move_btb(const struct engine_parts *p, struct checkpoint_stream *s) { bpred_move_btb(p->bpred, s); }
static void move_ittage(const struct engine_parts *p, struct checkpoint_stream *s)
{
    ittage_move(&p->bpred->ittage, s);
}
static void move_ras(const struct engine_parts *p, struct checkpoint_stream *s) { bpred_move_ras(p->bpred, s); }
static void move_history(const struct engine_parts *p, struct checkpoint_stream *s)
{
    bpred_history_move(p->history, s);
}

#define OF_CACHES "perfect_caches", "line_bytes"

static const struct warmed_structure structures[] = {
    {"L1I", {OF_CACHES, "l1i_bytes", "l1i_ways", "l1i_next_line"}, uses_caches, move_l1i},
    {"L1D", {OF_CACHES, "l1d_bytes", "l1d_ways", "l1d_next_line"}, uses_caches, move_l1d},
    {"L2", {OF_CACHES, "l2_bytes", "l2_ways", "page_placement"}, uses_caches, move_l2},
    {"LLC", {OF_CACHES, "llc_bytes", "llc_ways", "page_placement"}, uses_llc, move_llc},
    {"DRAM rows", {OF_CACHES, "dram_banks", "dram_row_bytes", "page_placement"}, uses_rows, move_rows},
    {"ITLB", {"perfect_caches", "itlb_entries"}, uses_caches, move_itlb},
    {"DTLB", {"perfect_caches", "dtlb_entries"}, uses_caches, move_dtlb},
    {"L2 TLB", {"perfect_caches", "l2tlb_entries", "walk_levels"}, uses_caches, move_l2tlb},
    {"TAGE", {"predictor", "tage_base_entries", "tage_entries"}, uses_tage, move_tage},
    {"tournament", {"predictor", "local_histories", "global_entries"}, uses_tournament, move_tournament},
    {"BTB", {"btb_entries", "btb_ways"}, uses_predictors, move_btb},
    {"ITTAGE", {"indirect_entries", "indirect_target_bits"}, uses_ittage, move_ittage},
    {"RAS", {"ras_entries"}, uses_predictors, move_ras},
    {"branch history", {"indirect_target_bits"}, uses_predictors, move_history},
};
enum { STRUCTURES = sizeof structures / sizeof structures[0] };

/* Whether a text that is read may be printed as a value: a number or a word. */
static bool is_value(const char *text)
{
    enum { MOST = 20 };
    return text != NULL && strlen(text) <= MOST && text[strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz")] == '\0';
}

/* Moves the values of the keys. Of a state that is read, returns how they differ from those of the run, to be freed;
 * NULL: they do not. */
static char *move_keys(const struct warmed_structure *w, const struct core_config *cfg, struct checkpoint_stream *s)
{
    char *differences = NULL;
    for (const char *const *key = w->key; *key != NULL && !s->failed; key++) {
        char *own = core_config_value(cfg, *key), *value = own;
        checkpoint_move_text(s, &value);
        if (s->reads && !s->failed && !is_value(value))
            checkpoint_refuse(s, "expected the value of %s", *key);
        if (s->reads && !s->failed && strcmp(own, value) != 0) {
            char *longer = xasprintf("%s%s%s=%s, warmed with %s", differences != NULL ? differences : "",
                                     differences != NULL ? "; " : "", *key, own, value);
            free(differences);
            differences = longer;
        }
        if (value != own)
            free(value);
        free(own);
    }
    return differences;
}

static void write_structure(const struct warmed_structure *w, const struct engine_parts *p, struct checkpoint_stream *s)
{
    struct checkpoint_stream body = {0};
    if (w->is_used(p))
        w->move(p, &body);
    checkpoint_move(s, body.size, 0, SIZE_MAX);
    checkpoint_move_bytes(s, body.byte, body.size);
    checkpoint_stream_free(&body);
}

/* Returns whether the structure was warmed. One that was perfect then has no bytes, and stays cold. */
static bool read_structure(const struct warmed_structure *w, const struct engine_parts *p, bool is_same,
                           struct checkpoint_stream *s)
{
    const size_t size_bytes = (size_t)checkpoint_move(s, 0, 0, s->size - s->at), begin = s->at;
    if (!is_same || !w->is_used(p) || size_bytes == 0)
        checkpoint_skip(s, size_bytes);
    else
        w->move(p, s);
    if (!s->failed && s->at - begin != size_bytes)
        checkpoint_refuse(s, "expected %zu bytes, found %zu", s->at - begin, size_bytes);
    return size_bytes != 0;
}

/* Adds the structure to the text *cold, with the differences. */
static void add_cold(char **cold, const struct warmed_structure *w, const char *differences)
{
    char *longer = xasprintf("%s%s%s (%s)", *cold != NULL ? *cold : "", *cold != NULL ? ", " : "", w->name,
                             differences);
    free(*cold);
    *cold = longer;
}

void warm_state_move(const struct engine_parts *parts, struct checkpoint_stream *s, char **cold)
{
    *cold = NULL;
    for (const struct warmed_structure *w = structures; w < structures + STRUCTURES && !s->failed; w++) {
        checkpoint_section(s, w->name);
        char *differences = move_keys(w, parts->config, s);
        bool was_warmed = true;
        if (!s->reads)
            write_structure(w, parts, s);
        else if (!s->failed)
            was_warmed = read_structure(w, parts, differences == NULL, s);
        if (!s->failed && (differences != NULL || !was_warmed) && w->is_used(parts))
            add_cold(cold, w, differences != NULL ? differences : "perfect when it was warmed");
        free(differences);
    }
    if (s->reads && !s->failed && s->at != s->size)
        checkpoint_refuse(s, "found more than the warmed state");
}
