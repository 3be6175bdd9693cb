/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parsed expression; private to formula.c, which makes it, and formula_value.c, which evaluates it. */
#ifndef EMU_DEBUG_FORMULA_PARTS_H
#define EMU_DEBUG_FORMULA_PARTS_H

#include "emu/debug/formula.h"

enum { FORMULA_NODES = 96, FORMULA_NAME = 64, FORMULA_WHOLE = 64 };

enum formula_node_kind {
    NODE_NUMBER,
    NODE_PLACE,
    NODE_ELEMENT,
    NODE_WORD,
    NODE_POSITION,
    NODE_SAMPLE,
    NODE_NOW,
    NODE_CLASS,
    NODE_COUNT,
    NODE_REGISTER,
    NODE_MEMORY,
    NODE_UNARY,
    NODE_BINARY,
};

struct formula_node {
    enum formula_node_kind kind;
    enum integer_op op;     /* UNARY, BINARY */
    uint8_t x, y;           /* operands; ELEMENT, COUNT, MEMORY: x is the index */
    struct cop_place place; /* PLACE; ELEMENT: region, and base element, which is ORed with the index */
    unsigned most;          /* ELEMENT: number of elements that can be named */
    uint8_t low, width;     /* PLACE and ELEMENT: bit field */
    uint8_t format;         /* ELEMENT: enum slot_format of a key or a member of a slot; else FORMAT_NONE */
    uint8_t mixed;          /* ELEMENT of format pcx: lane of the row that is XORed with the key */
    struct integer number;
    unsigned from, to;       /* the bytes of the text that the node was parsed from */
    char name[FORMULA_NAME]; /* for messages; REGISTER: register name */
};

struct formula {
    char *text;
    unsigned count, root;
    struct formula_node node[FORMULA_NODES];
};

#endif
