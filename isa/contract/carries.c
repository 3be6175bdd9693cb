/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/contract/carries.h"

enum {
#define OPCLASS(sym, name, what) sym = 1 << OPCLASS_##sym,
#include "isa/opclass.def"
#undef OPCLASS
#define CLASS_SET(name, classes) name = (classes),
#include "isa/contract/carries.def"
    ALL_CLASSES = (1 << OPCLASS_COUNT) - 1,
};

uint32_t sample_field_classes(enum sample_field f)
{
    switch (f) {
#define CARRIES(field, classes) case FIELD_##field: return (classes);
#include "isa/contract/carries.def"
    default:
        return ALL_CLASSES;
    }
}
