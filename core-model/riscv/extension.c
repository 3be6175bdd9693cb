/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/extension.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char *const names[] = {
#define EXTENSION(symbol, name, subject) name,
#include "core-model/riscv/extension.def"
#undef EXTENSION
};
enum { NAMES = sizeof names / sizeof names[0] };

void rv_extensions_print(FILE *out)
{
    for (int n = 0; n < NAMES; n++) {
        bool is_long = n > 0 && names[n][1] != '\0';
        if (is_long)
            fputc('_', out);
        for (const char *c = names[n]; *c != '\0'; c++)
            fputc(tolower((unsigned char)*c), out);
    }
}

uint64_t rv_extensions_hwcap(void)
{
    uint64_t bits = 0;
    for (int n = 0; n < NAMES; n++) {
        char letter = names[n][strlen(names[n]) - 1]; /* of the base: I */
        if (n == 0 || names[n][1] == '\0')
            bits |= UINT64_C(1) << (letter - 'A');
    }
    return bits;
}
