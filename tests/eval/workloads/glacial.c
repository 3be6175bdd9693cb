/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Glacial values: loads that see one value for thousands of instances, then another, and never the first again.
 *
 *     glacial [STEPS [STRETCH]]      default 40000 1
 *
 * Stands for the programs of the co-processor paper (section 6) whose values change so slowly that a few hundred samples taken one
 * after another all agree: the profile then calls a load invariant that has dozens of values. 64 static loads each read a cell of
 * their own in every step; cell k changes after (2000 + 250 k) x STRETCH steps.
 * The sum expected is computed from the lengths of the intervals, without reading a cell. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 64 };

static uint64_t cell[CELLS], stretch;

static uint64_t interval(unsigned k) { return (2000 + 250 * (uint64_t)k) * stretch; }

static uint64_t value(unsigned k, uint64_t age) { return 1000 * (k + 1) + 17 * age; }

#define AT(n) sum += *(volatile uint64_t *)&cell[n];
#define AT8(n) AT(n) AT(n + 1) AT(n + 2) AT(n + 3) AT(n + 4) AT(n + 5) AT(n + 6) AT(n + 7)

/* 64 static loads. */
static __attribute__((noinline)) uint64_t read_cells(uint64_t steps)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < steps; i++) {
        AT8(0) AT8(8) AT8(16) AT8(24) AT8(32) AT8(40) AT8(48) AT8(56)
    }
    return sum;
}

/* Sets the cells whose time has come. Returns how many steps all of them then stay as they are. */
static uint64_t renew(uint64_t step, uint64_t steps)
{
    uint64_t quiet = steps - step;
    for (unsigned k = 0; k < CELLS; k++) {
        uint64_t age = step / interval(k), left = (age + 1) * interval(k) - step;
        cell[k] = value(k, age);
        quiet = left < quiet ? left : quiet;
    }
    return quiet;
}

int main(int argc, char **argv)
{
    uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : 40000, expected = 0, found = 0;
    stretch = argc > 2 && atoi(argv[2]) > 0 ? strtoull(argv[2], NULL, 10) : 1;
    for (unsigned k = 0; k < CELLS; k++) {
        uint64_t whole = steps / interval(k), rest = steps % interval(k);
        expected += interval(k) * (whole * value(k, 0) + 17 * (whole * (whole - 1) / 2)) + rest * value(k, whole);
    }
    for (uint64_t step = 0; step < steps;) {
        uint64_t quiet = renew(step, steps);
        found += read_cells(quiet);
        step += quiet;
    }
    printf("glacial: %llu steps, sum %llu: %s\n", (unsigned long long)steps, (unsigned long long)found, found == expected ? "ok" : "WRONG");
    return found == expected ? 0 : 1;
}
