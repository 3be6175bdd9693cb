/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integer: insertions and look-ups in an open-addressing hash table of strings, with calls and byte loops. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum { SLOTS = 1 << 15, KEYS = 20000, ROUNDS = 40 * LENGTH, KEY_BYTES = 16 };

struct entry {
    char key[KEY_BYTES];
    uint64_t count;
};

static struct entry entries[SLOTS];

static uint64_t hash(const char *s)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *s != '\0'; s++)
        h = (h ^ (uint8_t)*s) * UINT64_C(1099511628211);
    return h;
}

static struct entry *find(const char *key)
{
    uint64_t i = hash(key);
    for (;; i++) {
        struct entry *e = &entries[i & (SLOTS - 1)];
        if (e->key[0] == '\0' || strcmp(e->key, key) == 0)
            return e;
    }
}

static void make_key(char *key, unsigned n)
{
    static const char digits[] = "abcdefghijklmnop";
    *key++ = 'k';
    for (; n != 0; n >>= 4)
        *key++ = digits[n & 15];
    *key = '\0';
}

int main(void)
{
    uint64_t sum = 0;
    for (unsigned r = 0; r < ROUNDS; r++)
        for (unsigned k = 0; k < KEYS; k++) {
            char key[KEY_BYTES];
            make_key(key, k * 7 + (r & 3));
            struct entry *e = find(key);
            if (e->count == 0 && sum % 4 != 3)
                strcpy(e->key, key);
            if (e->key[0] != '\0')
                sum += ++e->count;
        }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
