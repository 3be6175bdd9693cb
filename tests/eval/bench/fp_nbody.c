/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating point: gravity among a few bodies, with square roots and divisions. */
#include <math.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum { BODIES = 6, STEPS = 120000 * LENGTH };

struct body {
    double x[3], v[3], mass;
};

static struct body bodies[BODIES];

static void step(double dt)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            struct body *a = &bodies[i], *b = &bodies[j];
            double d[3], square = 1e-3;
            for (int k = 0; k < 3; k++) {
                d[k] = a->x[k] - b->x[k];
                square += d[k] * d[k];
            }
            double pull = dt / (square * sqrt(square));
            for (int k = 0; k < 3; k++) {
                a->v[k] -= d[k] * b->mass * pull;
                b->v[k] += d[k] * a->mass * pull;
            }
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].x[k] += dt * bodies[i].v[k];
}

int main(void)
{
    for (int i = 0; i < BODIES; i++)
        bodies[i] = (struct body){{i, i * i * 0.5, 1.0 / (i + 1)}, {0.1 * i, 0.2, -0.1 * i}, 1.0 / (1 + i)};
    for (int s = 0; s < STEPS; s++)
        step(1e-3);
    printf("%.17g %.17g\n", bodies[0].x[0], bodies[BODIES - 1].v[2]);
    return 0;
}
