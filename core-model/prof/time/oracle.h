/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of the Oracle (oracle.c), for observers that divide its time further. */
#ifndef CORE_MODEL_PROF_ORACLE_H
#define CORE_MODEL_PROF_ORACLE_H

#include "core-model/prof/time/profiler.h"

/* Sets the subscriptions and the state of a profiler whose map is initialised. */
void oracle_start(struct profiler *p);

#endif
