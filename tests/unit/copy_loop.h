/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The copy loop of the DCPI paper's Figures 2 and 7: samples, static cycles, and what the paper computes from them. */
#ifndef TESTS_UNIT_COPY_LOOP_H
#define TESTS_UNIT_COPY_LOOP_H

#include <stdbool.h>
#include <stdint.h>

enum { COPY_INSNS = 13, COPY_START = 0x9810 };

static const struct {
    uint32_t samples, cycles;
    bool chosen;
    double cpi; /* rounded to half cycles */
} copy_loop[COPY_INSNS] = {
    {3126, 1, false, 2}, {0, 0, false, 0},      {1636, 1, false, 1}, {390, 0, false, 0.5}, {1482, 1, true, 1},
    {0, 0, false, 0},    {27766, 1, false, 18}, {0, 0, false, 0},    {1493, 1, true, 1},   {174727, 1, false, 114.5},
    {1548, 1, true, 1},  {0, 0, false, 0},      {1586, 1, true, 1},
};
/* The mean of 1482, 1493, 1548 and 1586. */
static const double copy_frequency = 1527.25;

#endif
