/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An interpreter of bytecode: dispatch by indirect jumps, operands on a stack, one associative array.
 *
 *     interp [ROUNDS]      default 7
 *
 * Stands for the perl of the co-processor paper: each operation's loads serve every program interpreted, so the values of a hot load
 * mix many places of the program, and slots are fought over. The program interpreted does three things in turn: primes by the sieve,
 * Fibonacci numbers by recursion, and counting words in an associative array.
 * Results expected: the 168 primes below 1000; fib(5) = 5, 998 times; 97 words in the array, each counted 10 or 11 times. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS \
    OP(PUSH) OP(LOAD) OP(STORE) OP(ADD) OP(SUB) OP(MUL) OP(MOD) OP(LESS) OP(EQUAL) OP(JUMP) OP(UNLESS) OP(GET) OP(SET) OP(CALL) OP(RETURN) \
    OP(ARGUMENT) OP(BUMP) OP(HALT)

enum operation {
#define OP(name) name,
    OPERATIONS
#undef OP
};

enum { STACK = 256, ARRAY = 1000, HASH = 256 };

struct entry {
    int64_t key, count;
};

struct machine {
    int64_t stack[STACK], variable[8];
    int64_t array[ARRAY];
    struct entry hash[HASH];
};

/* Code is a list of operations, each with an operand that some ignore. */
struct code {
    int32_t operation, operand;
};

enum { I, J, N, COUNT, TOTAL };
enum { LOOP = 6, STRIKE = 34, NEXT_I = 46, END = 51, FIBONACCI = 53 };

/* For each i from 2 to 999: counts the word n i mod 97, adds the 5th Fibonacci number to a total, and does a step of the sieve. */
static const struct code program[] = {
    /*  0 */ {PUSH, 0}, {STORE, COUNT}, {PUSH, 0}, {STORE, TOTAL}, {PUSH, 2}, {STORE, I},
    /*  6 */ {LOAD, I}, {PUSH, ARRAY}, {LESS, 0}, {UNLESS, END},
    /* 10 */ {LOAD, I}, {LOAD, N}, {MUL, 0}, {PUSH, 97}, {MOD, 0}, {BUMP, 0},
    /* 16 */ {LOAD, TOTAL}, {PUSH, 5}, {CALL, FIBONACCI}, {ADD, 0}, {STORE, TOTAL},
    /* 21 */ {LOAD, I}, {GET, 0}, {PUSH, 0}, {EQUAL, 0}, {UNLESS, NEXT_I},
    /* 26 */ {LOAD, COUNT}, {PUSH, 1}, {ADD, 0}, {STORE, COUNT}, {LOAD, I}, {LOAD, I}, {ADD, 0}, {STORE, J},
    /* 34 */ {LOAD, J}, {PUSH, ARRAY}, {LESS, 0}, {UNLESS, NEXT_I},
    /* 38 */ {LOAD, J}, {PUSH, 1}, {SET, 0}, {LOAD, J}, {LOAD, I}, {ADD, 0}, {STORE, J}, {JUMP, STRIKE},
    /* 46 */ {LOAD, I}, {PUSH, 1}, {ADD, 0}, {STORE, I}, {JUMP, LOOP},
    /* 51 */ {LOAD, COUNT}, {HALT, 0},
    /* 53 */ {ARGUMENT, 0}, {PUSH, 2}, {LESS, 0}, {UNLESS, FIBONACCI + 6}, {ARGUMENT, 0}, {RETURN, 0},
    /* 59 */ {ARGUMENT, 0}, {PUSH, 1}, {SUB, 0}, {CALL, FIBONACCI},
    /* 63 */ {ARGUMENT, 0}, {PUSH, 2}, {SUB, 0}, {CALL, FIBONACCI}, {ADD, 0}, {RETURN, 0},
};

static struct entry *look_up(struct machine *m, int64_t key)
{
    uint64_t at = (uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 56;
    while (m->hash[at].count != 0 && m->hash[at].key != key)
        at = (at + 1) % HASH;
    m->hash[at].key = key;
    return &m->hash[at];
}

/* A call pushes the place to return to and the frame: the argument is below them. */
static __attribute__((noinline)) int64_t run(struct machine *m, const struct code *code)
{
    static const void *const handler[] = {
#define OP(name) &&do_##name,
        OPERATIONS
#undef OP
    };
    const struct code *pc = code;
    int64_t *sp = m->stack, *frame = m->stack, operand, result;
#define NEXT \
    do { \
        operand = pc->operand; \
        goto *handler[pc++->operation]; \
    } while (0)
    NEXT;
do_PUSH:     *sp++ = operand; NEXT;
do_LOAD:     *sp++ = m->variable[operand]; NEXT;
do_STORE:    m->variable[operand] = *--sp; NEXT;
do_ADD:      sp--; sp[-1] += *sp; NEXT;
do_SUB:      sp--; sp[-1] -= *sp; NEXT;
do_MUL:      sp--; sp[-1] *= *sp; NEXT;
do_MOD:      sp--; sp[-1] %= *sp; NEXT;
do_LESS:     sp--; sp[-1] = sp[-1] < *sp; NEXT;
do_EQUAL:    sp--; sp[-1] = sp[-1] == *sp; NEXT;
do_JUMP:     pc = code + operand; NEXT;
do_UNLESS:   if (*--sp == 0) pc = code + operand; NEXT;
do_GET:      sp[-1] = m->array[sp[-1]]; NEXT;
do_SET:      sp -= 2; m->array[sp[0]] = sp[1]; NEXT;
do_CALL:     sp[0] = pc - code; sp[1] = frame - m->stack; frame = sp; sp += 2; pc = code + operand; NEXT;
do_ARGUMENT: *sp++ = frame[-1]; NEXT;
do_RETURN:
    result = sp[-1];
    sp = frame;
    pc = code + frame[0];
    frame = m->stack + frame[1];
    sp[-1] = result;
    NEXT;
do_BUMP:     look_up(m, *--sp)->count++; NEXT;
do_HALT:     return sp[-1];
#undef NEXT
}

/* The words that the program has counted: 998 of 97, as evenly as can be. 97 is a prime, so they turn up in turn. */
static int words_are_right(const struct machine *m)
{
    unsigned entries = 0, total = 0, even = 1;
    for (unsigned i = 0; i < HASH; i++)
        if (m->hash[i].count != 0) {
            entries++;
            total += (unsigned)m->hash[i].count;
            even &= m->hash[i].count == 10 || m->hash[i].count == 11;
        }
    return entries == 97 && total == ARRAY - 2 && even;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 7, wrong = 0;
    static struct machine m;
    for (unsigned round = 0; round < rounds; round++) {
        memset(&m, 0, sizeof m);
        m.variable[N] = round % 96 + 1;
        wrong += run(&m, program) != 168;
        wrong += m.variable[TOTAL] != 5 * (ARRAY - 2);
        wrong += !words_are_right(&m);
    }
    printf("interp: %u rounds, %u results wrong: %s\n", rounds, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
