/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline as a picture: a log in the Kanata format, version 0004, which the viewer Konata draws.
 * Format: https://github.com/shioyadan/Konata/blob/master/docs/kanata-log-format.md
 *
 * Stages: F fetch and decode, Rn rename, Iq waits for operands, Is waits for a function unit, X executes, Xm is with the memory, Cm
 * waits to retire. Konata draws the arrows of dependences between stages whose name has an X. The instructions logged are those
 * fetched while the window is open, each to its end. */
#ifndef CORE_MODEL_PROF_KANATA_H
#define CORE_MODEL_PROF_KANATA_H

#include <stdio.h>

#include "core-model/probe.h"

enum kanata_window_kind {
    KANATA_ALL,
    KANATA_CYCLES, /* from cycle `from` up to, not including, `to` */
    KANATA_INSTS,  /* while between `from` and `to` instructions have retired */
    KANATA_PC,     /* opened by the first fetch of pc `from`; closed `to` fetched instructions later */
};

struct kanata_window {
    enum kanata_window_kind kind;
    uint64_t from, to;
};

/* Reads "cycles:FROM-TO", "insts:FROM-TO", or PLACE or PLACE:COUNT for COUNT instructions (1000) from the first at PLACE on, which is an
 * address or what `resolve` (with ctx) knows the address of. */
enum status kanata_window_parse(struct kanata_window *w, const char *text, bool (*resolve)(void *ctx, const char *name, uint64_t *pc),
                                void *ctx, struct errmsg *err) MUST_USE;

struct kanata;

/* Writes to `out` (borrowed). */
struct kanata *kanata_new(FILE *out, const struct kanata_window *window);
/* Ends what is still in flight, as flushed. To be called once, when the run is over and before `out` is closed. */
void kanata_finish(struct kanata *k);
void kanata_free(struct kanata *k);
struct probe_observer kanata_observer(struct kanata *k);

#endif
