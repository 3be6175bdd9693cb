/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists, matrices, a state machine and a checksum in turn, all in the L1 cache.
 *
 *     coremix [ROUNDS]      default 60, 1 to 1000000
 *
 * Stands for the integer kernels by which embedded cores are compared (of CoreMark's kind, written anew: no figure is a CoreMark figure).
 * The list, sorted by key and then by number again, must be in order both times; a product of matrices must agree with its factors on a
 * vector (Freivalds); the state machine must find the words that the text was made of; and the sum by bits that by table. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 200, SIDE = 12, WORDS = 120, WORD_BYTES = 12 };

static uint32_t random_state = 1;

static uint32_t random_16(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 16;
}

struct node {
    struct node *next;
    uint16_t key, number;
};

typedef int compare_fn(const struct node *a, const struct node *b);
static int by_key(const struct node *a, const struct node *b) { return a->key - b->key; }
static int by_number(const struct node *a, const struct node *b) { return a->number - b->number; }

static struct node *merge(struct node *a, struct node *b, compare_fn *compare)
{
    struct node *first, **end = &first;
    while (a != NULL && b != NULL) {
        struct node **least = compare(a, b) <= 0 ? &a : &b;
        *end = *least;
        end = &(*least)->next;
        *least = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

static struct node *sort(struct node *list, compare_fn *compare)
{
    if (list == NULL || list->next == NULL)
        return list;
    struct node *middle = list;
    for (struct node *end = list->next; end != NULL && end->next != NULL; end = end->next->next)
        middle = middle->next;
    struct node *second = middle->next;
    middle->next = NULL;
    return merge(sort(list, compare), sort(second, compare), compare);
}

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static unsigned count_ordered(const struct node *list, compare_fn *compare)
{
    unsigned n = list != NULL;
    for (; list != NULL && list->next != NULL && compare(list, list->next) <= 0; list = list->next)
        n++;
    return n;
}

static bool run_list(uint16_t *sum)
{
    static struct node node[NODES];
    struct node *list = NULL;
    for (unsigned i = 0; i < NODES; i++) {
        node[i] = (struct node){list, (uint16_t)random_16(), (uint16_t)i};
        list = &node[i];
    }
    list = sort(reverse(list), by_key);
    bool ok = count_ordered(list, by_key) == NODES;
    for (const struct node *n = list; n != NULL; n = n->next)
        *sum = (uint16_t)(*sum * 31 + n->number);
    list = sort(list, by_number);
    return ok && count_ordered(list, by_number) == NODES && list == node;
}

static void multiply(int32_t c[SIDE][SIDE], int16_t a[SIDE][SIDE], int16_t b[SIDE][SIDE])
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            c[i][j] = 0;
            for (int k = 0; k < SIDE; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static bool run_matrix(uint16_t *sum)
{
    static int16_t a[SIDE][SIDE], b[SIDE][SIDE];
    static int32_t c[SIDE][SIDE];
    int32_t x[SIDE], bx[SIDE] = {0};
    for (int i = 0; i < SIDE; i++) {
        x[i] = (int32_t)(random_16() & 15);
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = (int16_t)(random_16() & 0xff);
            b[i][j] = (int16_t)((random_16() & 0xff) - 128);
        }
    }
    multiply(c, a, b);
    bool ok = true;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            bx[i] += b[i][j] * x[j];
    for (int i = 0; i < SIDE; i++) {
        int32_t cx = 0, abx = 0;
        for (int j = 0; j < SIDE; j++) {
            cx += c[i][j] * x[j];
            abx += a[i][j] * bx[j];
            *sum = (uint16_t)(*sum + (c[i][j] >> 2 & 0xf) * (c[i][j] >> 5 & 0x7f));
        }
        ok = ok && cx == abx;
    }
    return ok;
}

enum kind { INTEGER, DECIMAL, SCIENTIFIC, INVALID, KINDS };

static const char *const samples[KINDS][4] = {
    {"5012", "-1234", "+874", "122"},
    {"35.5440", "-.1234", "+0.6440", "-110.700"},
    {"5.500e+3", "-.123e-2", "-87e+832", "+0.6e-12"},
    {"T0.3e-1F", "-T.T++Tq", "1T3.4e4z", "34.0e-T^"},
};

/* Reads a word up to its comma: what kind of number is it? */
static enum kind classify(const char **text)
{
    enum { START, SIGNED, DIGITS, POINT, EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS, WRONG } state = START;
    const char *p = *text;
    for (; *p != ',' && *p != '\0'; p++) {
        bool is_digit = *p >= '0' && *p <= '9', is_sign = *p == '+' || *p == '-';
        switch (state) {
        case START: state = is_digit ? DIGITS : is_sign ? SIGNED : *p == '.' ? POINT : WRONG; break;
        case SIGNED: state = is_digit ? DIGITS : *p == '.' ? POINT : WRONG; break;
        case DIGITS: state = is_digit ? DIGITS : *p == '.' ? POINT : *p == 'e' ? EXPONENT : WRONG; break;
        case POINT: state = is_digit ? POINT : *p == 'e' ? EXPONENT : WRONG; break;
        case EXPONENT: state = is_sign ? EXPONENT_SIGN : WRONG; break;
        case EXPONENT_SIGN:
        case EXPONENT_DIGITS: state = is_digit ? EXPONENT_DIGITS : WRONG; break;
        case WRONG: break;
        }
    }
    *text = *p == ',' ? p + 1 : p;
    return state == DIGITS ? INTEGER : state == POINT ? DECIMAL : state == EXPONENT_DIGITS ? SCIENTIFIC : INVALID;
}

static bool run_states(uint16_t *sum)
{
    static char text[WORDS * WORD_BYTES + 1];
    unsigned made[KINDS] = {0}, found[KINDS] = {0};
    char *end = text;
    for (int i = 0; i < WORDS; i++) {
        uint32_t r = random_16();
        unsigned kind = r & 7;
        kind = kind < 4 ? INTEGER : kind - 4;
        made[kind]++;
        for (const char *p = samples[kind][r >> 3 & 3]; *p != '\0'; p++)
            *end++ = *p;
        *end++ = ',';
    }
    *end = '\0';
    for (const char *p = text; *p != '\0';)
        found[classify(&p)]++;
    for (int k = 0; k < KINDS; k++)
        *sum = (uint16_t)(*sum * 17 + found[k]);
    return memcmp(made, found, sizeof made) == 0;
}

/* CRC-16 (reflected 0x8005), one bit after the other. */
static uint16_t crc_bits(uint16_t crc, uint8_t byte)
{
    for (int i = 0; i < 8; i++, byte >>= 1)
        crc = (uint16_t)(crc >> 1 ^ (0xa001 & -((crc ^ byte) & 1)));
    return crc;
}

static bool run_checksum(uint16_t *sum)
{
    uint16_t by_bits = *sum, by_table = *sum, table[256];
    for (unsigned i = 0; i < 256; i++)
        table[i] = crc_bits(0, (uint8_t)i);
    for (int i = 0; i < 512; i++) {
        uint8_t byte = (uint8_t)random_16();
        by_bits = crc_bits(by_bits, byte);
        by_table = (uint16_t)(by_table >> 8 ^ table[(by_table ^ byte) & 0xff]);
    }
    *sum = by_bits;
    return by_bits == by_table;
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 60;
    rounds = rounds < 1 ? 1 : rounds > 1000000 ? 1000000 : rounds;
    uint16_t sum = 0;
    bool ok = true;
    for (unsigned long r = 0; r < rounds; r++) {
        ok &= run_list(&sum);
        ok &= run_matrix(&sum);
        ok &= run_states(&sum);
        ok &= run_checksum(&sum);
    }
    printf("coremix: %lu rounds, checksum %04x: %s\n", rounds, sum, ok ? "ok" : "WRONG");
    return !ok;
}
