/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction words and this project's disassembly of them, for comparison with objdump's.
 *
 *   rvwords emit           prints assembly: for every row of rv.def, variants with corner-case operands; then every
 *                          16-bit word that decodes
 *   rvwords print < LIST   reads lines "address word" and prints "address word text" for each, for run_disassembly.sh
 *
 * Addresses are hexadecimal; a word has four or eight hexadecimal digits. */
#include "base/random.h"
#include "core-model/riscv/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VARIANTS = 160 };

/* Sets the register fields to registers with different names or aliases: zero, ra, sp, t0, s0, a0, t6. */
static uint32_t with_registers(uint32_t word, struct random *state)
{
    static const uint8_t special[] = {0, 0, 1, 2, 5, 8, 10, 31};
    static const uint8_t lowest_bit[] = {7, 15, 20, 27};
    for (int i = 0; i < 4; i++) {
        uint64_t r = random_bits(state);
        if (r & 1)
            word = (word & ~(31u << lowest_bit[i])) | (uint32_t)special[r >> 1 & 7] << lowest_bit[i];
    }
    return word;
}

static uint32_t with_immediate(uint32_t word, struct random *state)
{
    static const uint16_t special[] = {0,     1,     0x7ff, 0x800, 0xfff, 255, 2,     3,
                                       0xc00, 0xc01, 0xc02, 63,    31,    32,  0x0ff, 0x833};
    uint64_t r = random_bits(state);
    return r & 1 ? (word & 0xfffff) | (uint32_t)special[r >> 1 & 15] << 20 : word;
}

static uint32_t with_same_sources(uint32_t word, struct random *state)
{
    return random_bits(state) & 3 ? word : (word & ~(31u << 20)) | (word >> 15 & 31) << 20;
}

/* Sets the CSR field to a user-mode register: the disassembler has no names for the CSRs of other modes and extensions,
 * whose use is illegal here. */
static uint32_t with_csr(uint32_t word, struct random *state)
{
    uint32_t r = (uint32_t)random_bits(state);
    uint32_t number = r & 1 ? 0xc00 + (r >> 1 & 31) : r & 2 ? 1 + (r >> 2) % 3 : 0x800 + (r >> 2 & 0xff);
    return (word & 0xfffff) | number << 20;
}

static int emit(void)
{
    struct random state = {.state = 1};
    struct rv_insn in;
    puts("\t.text");
    for (int op = 0; op < RV_OP_COUNT; op++)
        for (int i = 0; i < VARIANTS; i++) {
            const struct rv_row *row = &rv_rows[op];
            uint32_t word = i == 0 ? 0 : i == 1 ? UINT32_MAX : (uint32_t)random_bits(&state);
            if (i > 1)
                word = with_same_sources(with_immediate(with_registers(word, &state), &state), &state);
            word = row->match | (word & ~row->mask);
            if (row->kind == RV_KIND_CSR)
                word = with_csr(word, &state);
            if (rv_decode(word, &in))
                printf("\t.insn 0x%08" PRIx32 "\n", word);
        }
    for (uint32_t word = 0; word < 0x10000; word++)
        if ((word & 3) != 3 && rv_decode(word, &in))
            printf("\t.insn 0x%04" PRIx32 "\n", word);
    return 0;
}

static int print(void)
{
    char digits[17], text[96];
    uint64_t addr;
    while (scanf("%" SCNx64 " %16s", &addr, digits) == 2) {
        struct rv_insn in;
        uint32_t word = 0;
        if (strcmp(digits, "0000") == 0)
            snprintf(text, sizeof text, "unimp"); /* objdump's name of an invalid word */
        else if (sscanf(digits, "%" SCNx32, &word) != 1 || !rv_decode(word, &in) ||
                 in.length_bytes * 2u != strlen(digits))
            snprintf(text, sizeof text, "not an instruction");
        else
            rv_print(text, sizeof text, &in, addr);
        printf("%" PRIx64 " %s %s\n", addr, digits, text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "emit") == 0)
        return emit();
    if (argc == 2 && strcmp(argv[1], "print") == 0)
        return print();
    fputs("usage: rvwords emit | rvwords print < LIST\n", stderr);
    return 2;
}
