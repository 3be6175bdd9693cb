/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe stream with places for addresses (contract/call_tree.h): an observer that treats addresses as keys then
 * makes its profile by calling context, and needs no change. */
#ifndef CORE_MODEL_PROF_CALL_VIEW_H
#define CORE_MODEL_PROF_CALL_VIEW_H

#include "core-model/prof/stack/call_tracker.h"

struct call_view;

/* Attaches the observer to the core behind a view of the probe stream. All are borrowed, and must outlive the core's
 * runs; the caller frees the view. The calls of `tag`, `result`, and of interrupt handlers have addresses. */
struct call_view *call_view_attach(struct observer *o, const struct call_tracker *calls, struct core *core);
void call_view_free(struct call_view *v); /* NULL is allowed */

#endif
