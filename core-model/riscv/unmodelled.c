/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/unmodelled.h"

#include <stdbool.h>
#include <stddef.h>

static const struct {
    uint32_t mask, match;
    const char *name;
} encodings[] = {
#define UNMODELLED(mask, match, name) {mask, match, name},
#define UNMODELLED_CSR(first, last, name)
#include "core-model/riscv/unmodelled.def"
};

static const struct {
    uint32_t first, last;
    const char *name;
} registers[] = {
#define UNMODELLED(mask, match, name)
#define UNMODELLED_CSR(first, last, name) {first, last, name},
#include "core-model/riscv/unmodelled.def"
};

static bool is_compressed(uint32_t word) { return (word & 3) != 3; }

static bool is_csr(uint32_t word) { return (word & 0x7f) == 0x73 && (word & 0x3000) != 0; }

const char *rv_unmodelled(uint32_t word)
{
    const uint32_t bits = is_compressed(word) ? word & 0xffff : word;
    if ((word & 0x1f) == 0x1f)
        return "an extension with instructions of more than 32 bits";
    for (size_t i = 0; i < sizeof registers / sizeof registers[0] && is_csr(word); i++)
        if (word >> 20 >= registers[i].first && word >> 20 <= registers[i].last)
            return registers[i].name;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
        if (is_compressed(encodings[i].match) == is_compressed(word) &&
            (bits & encodings[i].mask) == encodings[i].match)
            return encodings[i].name;
    return NULL;
}
