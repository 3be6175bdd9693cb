/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The opcode classes of the guest's instructions, made from opclass.def. */
#ifndef CONTRACT_OPCLASS_H
#define CONTRACT_OPCLASS_H

enum opclass {
#define OPCLASS(sym, name, what) OPCLASS_##sym,
#include "contract/opclass.def"
    OPCLASS_COUNT
};

/* The class's name as .entry and .filter spell it; NULL outside the range. */
const char *opclass_name(enum opclass c);
/* The class of that name, or -1. */
int opclass_find(const char *name);

#endif
