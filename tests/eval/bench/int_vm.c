/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integer: an interpreter of a small stack machine that counts primes: indirect jumps through a table. */
#include <stdint.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum op { PUSH, LOAD, STORE, ADD, MUL, MOD, LESS, JUMP_IF_NOT, JUMP, HALT };
enum { N, D, COUNT, LIMIT = 9000 };

/* for (n = 2; n < LIMIT; n++) { for (d = 2; d * d < n + 1 && n % d; d++); if (!(d * d < n + 1)) count++; } */
static const int32_t program[] = {
    /*  0 */ PUSH, 2,     STORE, N,
    /*  4 */ LOAD, N,     PUSH,  LIMIT, LESS, JUMP_IF_NOT, 61,
    /* 11 */ PUSH, 2,     STORE, D,
    /* 15 */ LOAD, D,     LOAD,  D,     MUL,  LOAD,        N,     PUSH, 1,  ADD,  LESS, JUMP_IF_NOT, 45,
    /* 28 */ LOAD, N,     LOAD,  D,     MOD,  JUMP_IF_NOT, 52,
    /* 35 */ LOAD, D,     PUSH,  1,     ADD,  STORE,       D,     JUMP, 15, HALT,
    /* 45 */ LOAD, COUNT, PUSH,  1,     ADD,  STORE,       COUNT,
    /* 52 */ LOAD, N,     PUSH,  1,     ADD,  STORE,       N,     JUMP, 4,
    /* 61 */ HALT,
};

static long run(void)
{
    long stack[16], vars[3] = {0}, *sp = stack;
    const int32_t *pc = program;
    for (;;)
        switch ((enum op) * pc++) {
        case PUSH:
            *sp++ = *pc++;
            break;
        case LOAD:
            *sp++ = vars[*pc++];
            break;
        case STORE:
            vars[*pc++] = *--sp;
            break;
        case ADD:
            sp--;
            sp[-1] += sp[0];
            break;
        case MUL:
            sp--;
            sp[-1] *= sp[0];
            break;
        case MOD:
            sp--;
            sp[-1] %= sp[0];
            break;
        case LESS:
            sp--;
            sp[-1] = sp[-1] < sp[0];
            break;
        case JUMP_IF_NOT:
            pc = *--sp ? pc + 1 : program + *pc;
            break;
        case JUMP:
            pc = program + *pc;
            break;
        case HALT:
            return vars[COUNT];
        }
}

int main(void)
{
    long sum = 0;
    for (int r = 0; r < 20 * LENGTH; r++)
        sum += run();
    printf("%ld\n", sum);
    return 0;
}
