/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases: the same loads see other values, and other loads are hot, from one phase to the next.
 *
 *     phases [PHASES]      default 36
 *
 * Stands for programs whose profile is complete early and wrong later (co-processor paper, section 5.1.4: "because of phase behavior"). In phase
 * p a kernel of its own runs if p is even, another if it is odd; and the loads of `common` have one value in the first third of the phases, others
 * in the second and in the last. Phases are of unequal length. The sum expected is computed from the lengths, without reading a cell. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 16, STEPS = 3000 };

static uint64_t cell[CELLS], even[CELLS], odd[CELLS];

static uint64_t mode(unsigned third, unsigned k) { return 100 * (third + 1) + k; }
static uint64_t steps_of(unsigned phase) { return STEPS * (1 + phase % 4); }

#define AT(a, n) sum += *(volatile uint64_t *)&a[n];
#define ALL(a) AT(a, 0) AT(a, 1) AT(a, 2) AT(a, 3) AT(a, 4) AT(a, 5) AT(a, 6) AT(a, 7) AT(a, 8) AT(a, 9) AT(a, 10) AT(a, 11) AT(a, 12) \
    AT(a, 13) AT(a, 14) AT(a, 15)

static __attribute__((noinline)) uint64_t common(uint64_t sum)
{
    ALL(cell)
    return sum;
}

static __attribute__((noinline)) uint64_t even_kernel(uint64_t sum)
{
    ALL(even)
    return sum;
}

static __attribute__((noinline)) uint64_t odd_kernel(uint64_t sum)
{
    ALL(odd)
    return sum;
}

int main(int argc, char **argv)
{
    unsigned phases = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 36;
    uint64_t found = 0, expected = 0, triangle = CELLS * (CELLS - 1) / 2;
    for (unsigned k = 0; k < CELLS; k++) {
        even[k] = 5;
        odd[k] = 6;
    }
    for (unsigned phase = 0; phase < phases; phase++) {
        for (unsigned k = 0; k < CELLS; k++)
            cell[k] = mode(3 * phase / phases, k);
        for (uint64_t i = 0; i < steps_of(phase); i++) {
            found = common(found);
            found = phase % 2 == 0 ? even_kernel(found) : odd_kernel(found);
        }
        expected += steps_of(phase) * (CELLS * mode(3 * phase / phases, 0) + triangle + CELLS * (phase % 2 == 0 ? 5 : 6));
    }
    printf("phases: %u phases, sum %llu: %s\n", phases, (unsigned long long)found, found == expected ? "ok" : "WRONG");
    return found == expected ? 0 : 1;
}
