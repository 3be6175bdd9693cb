/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A compressor: LZ77 with a hash table, then a Huffman code of the tokens; and its way back.
 *
 *     compress [KILOBYTES]      default 96, at most 4096
 *
 * Stands for the small kernels of the co-processor paper (gzip, bzip2): few hot loads, known early, so the profile stops early.
 * The text is made of 512 words, the common ones often. Checked by the round trip: what comes back must be the text, from less than half
 * its size. AFTER: a change that the value profile suggests. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A token is a byte, or 256 + length - MATCH_MIN of a match; the distance follows in DISTANCE_BITS plain bits. */
enum { MATCH_MIN = 4, MATCH_MAX = 67, DISTANCE_BITS = 15, SYMBOLS = 256 + MATCH_MAX - MATCH_MIN + 1, HASH_BITS = 13, TRIES = 8 };

struct token {
    uint16_t symbol, distance;
};

struct code {
    uint32_t bits[SYMBOLS];
    uint8_t length[SYMBOLS];
};

/* The tree: node n's sons; what is below SYMBOLS is a leaf. */
struct tree {
    uint16_t son[2 * SYMBOLS][2];
    uint16_t root;
};

struct stream {
    uint8_t *at;
    uint64_t held;
    unsigned count;
};

static uint32_t random_state = 2463534242u;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void write_text(uint8_t *text, size_t size)
{
    static uint8_t word[512][12];
    static uint8_t length[512];
    for (unsigned w = 0; w < 512; w++) {
        length[w] = (uint8_t)(2 + next_random() % 9);
        for (unsigned i = 0; i < length[w]; i++)
            word[w][i] = (uint8_t)('a' + (next_random() % 26) * (next_random() % 26) / 26);
        word[w][length[w]++] = ' ';
    }
    for (size_t at = 0; at < size;) {
        uint32_t r = next_random(), w = (r & 511) & (r >> 9) & (r >> 18 | 0x1c7);
        for (unsigned i = 0; i < length[w] && at < size; i++)
            text[at++] = word[w][i];
    }
}

static unsigned match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    unsigned n = 0;
    while (n < MATCH_MAX && b + n < end && a[n] == b[n])
        n++;
    return n;
}

static uint32_t hash_of(const uint8_t *p)
{
    uint32_t four = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return four * 2654435761u >> (32 - HASH_BITS);
}

/* The longest of the last few strings with the same hash. last and before hold places + 1. */
static unsigned find_match(const uint8_t *text, size_t at, size_t size, uint32_t last, const uint32_t *before, unsigned *distance)
{
    unsigned best = 0;
    for (unsigned tries = 0; last != 0 && at - (last - 1) < 1 << DISTANCE_BITS && tries < TRIES; tries++) {
        unsigned n = match_length(text + last - 1, text + at, text + size);
        if (n > best) {
            best = n;
            *distance = (unsigned)(at - (last - 1));
        }
        last = before[last - 1];
    }
    return best;
}

static size_t tokenise(const uint8_t *text, size_t size, struct token *tokens, uint32_t *before)
{
    static uint32_t newest[1 << HASH_BITS];
    size_t count = 0;
    for (size_t at = 0; at < size;) {
        unsigned length = 0, distance = 0;
        if (at + MATCH_MIN <= size)
            length = find_match(text, at, size, newest[hash_of(text + at)], before, &distance);
        if (length < MATCH_MIN) {
            length = 1;
            tokens[count++] = (struct token){text[at], 0};
        } else {
            tokens[count++] = (struct token){(uint16_t)(256 + length - MATCH_MIN), (uint16_t)distance};
        }
        for (unsigned i = 0; i < length; i++, at++)
            if (at + MATCH_MIN <= size) {
                before[at] = newest[hash_of(text + at)];
                newest[hash_of(text + at)] = (uint32_t)at + 1;
            }
    }
    return count;
}

/* The rarest of those without a father is taken: its weight goes to the sum. */
#ifdef AFTER
/* The nodes without a father, in the order of their numbers. */
static struct {
    uint16_t node[2 * SYMBOLS];
    unsigned count;
} roots;

static void add_root(unsigned node)
{
    roots.node[roots.count++] = (uint16_t)node;
}

static unsigned take_rarest(const uint64_t *weight, uint64_t *sum)
{
    unsigned at = 0;
    for (unsigned i = 1; i < roots.count; i++)
        if (weight[roots.node[i]] < weight[roots.node[at]])
            at = i;
    unsigned rarest = roots.node[at];
    roots.count--;
    memmove(roots.node + at, roots.node + at + 1, (roots.count - at) * sizeof *roots.node);
    *sum += weight[rarest];
    return rarest;
}
#else
static unsigned take_rarest(uint64_t *weight, unsigned nodes, uint64_t *sum)
{
    unsigned rarest = nodes;
    for (unsigned n = 0; n < nodes; n++)
        if (weight[n] != 0 && (rarest == nodes || weight[n] < weight[rarest]))
            rarest = n;
    *sum += weight[rarest];
    weight[rarest] = 0;
    return rarest;
}
#endif

static void assign(const struct tree *t, unsigned node, uint32_t bits, unsigned length, struct code *c)
{
    if (node < SYMBOLS) {
        c->bits[node] = bits;
        c->length[node] = (uint8_t)length;
        return;
    }
    assign(t, t->son[node][0], bits, length + 1, c);
    assign(t, t->son[node][1], bits | 1u << length, length + 1, c);
}

/* Every symbol gets a code, so there are always SYMBOLS - 1 fathers. */
static void build_code(const struct token *tokens, size_t count, struct tree *t, struct code *c)
{
    static uint64_t weight[2 * SYMBOLS];
    for (unsigned s = 0; s < SYMBOLS; s++)
        weight[s] = 1 + count / 4096;
    for (size_t i = 0; i < count; i++)
        weight[tokens[i].symbol]++;
#ifdef AFTER
    for (unsigned s = 0; s < SYMBOLS; s++)
        add_root(s);
#endif
    for (unsigned node = SYMBOLS; node < 2 * SYMBOLS - 1; node++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < 2; i++)
#ifdef AFTER
            t->son[node][i] = (uint16_t)take_rarest(weight, &sum);
        add_root(node);
#else
            t->son[node][i] = (uint16_t)take_rarest(weight, node, &sum);
#endif
        weight[node] = sum;
        t->root = (uint16_t)node;
    }
    assign(t, t->root, 0, 0, c);
}

static void put(struct stream *s, uint32_t bits, unsigned length)
{
    s->held |= (uint64_t)bits << s->count;
    for (s->count += length; s->count >= 8; s->count -= 8) {
        *s->at++ = (uint8_t)s->held;
        s->held >>= 8;
    }
}

static unsigned get(struct stream *s)
{
    if (s->count == 0) {
        s->held = *s->at++;
        s->count = 8;
    }
    unsigned bit = s->held & 1;
    s->held >>= 1;
    s->count--;
    return bit;
}

static size_t encode(const struct token *tokens, size_t count, const struct code *c, uint8_t *packed)
{
    struct stream s = {packed, 0, 0};
    for (size_t i = 0; i < count; i++) {
        put(&s, c->bits[tokens[i].symbol], c->length[tokens[i].symbol]);
        if (tokens[i].symbol >= 256)
            put(&s, tokens[i].distance, DISTANCE_BITS);
    }
    put(&s, 0, 7);
    return (size_t)(s.at - packed);
}

static void decode(uint8_t *packed, const struct tree *t, uint8_t *text, size_t size)
{
    struct stream s = {packed, 0, 0};
    for (size_t at = 0; at < size;) {
        unsigned node = t->root, distance = 0;
        while (node >= SYMBOLS)
            node = t->son[node][get(&s)];
        if (node < 256) {
            text[at++] = (uint8_t)node;
            continue;
        }
        for (unsigned i = 0; i < DISTANCE_BITS; i++)
            distance |= get(&s) << i;
        for (unsigned n = node - 256 + MATCH_MIN; n > 0 && at < size && distance <= at; n--, at++)
            text[at] = text[at - distance];
    }
}

int main(int argc, char **argv)
{
    size_t kilobytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 96;
    size_t size = (kilobytes < 1 ? 1 : kilobytes > 4096 ? 4096 : kilobytes) * 1024;
    uint8_t *text = malloc(size), *packed = malloc(4 * size + 16), *back = malloc(size);
    struct token *tokens = malloc(size * sizeof *tokens);
    uint32_t *before = malloc(size * sizeof *before);
    static struct tree t;
    static struct code c;
    if (text == NULL || packed == NULL || back == NULL || tokens == NULL || before == NULL)
        return 1;
    write_text(text, size);
    size_t count = tokenise(text, size, tokens, before);
    build_code(tokens, count, &t, &c);
    size_t small = encode(tokens, count, &c, packed);
    decode(packed, &t, back, size);
    int ok = memcmp(text, back, size) == 0 && small < size / 2;
    printf("compress: %zu bytes, %zu tokens, %zu bytes: %s\n", size, count, small, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
