/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Move generation on 64-bit bitboards: counts the positions that three moves in a row can reach, captures included.
 *
 *     bitboard [POSITIONS]      default 24
 *
 * Stands for crafty in the co-processor paper (section 6): most pieces are on the upper half of the board, so most of the bitboards loaded
 * differ in their high 32 bits alone. A profile that keeps the low 32 bits takes them for one value.
 * Only one side moves. Every 16th position is counted again on a board of 64 cells, by files and ranks: both must agree; and a board must
 * be as before once its moves have been taken back. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNIGHT, KING, ROOK, KINDS, ENEMY = KINDS, EMPTY, DEPTH = 3, CHECK_EVERY = 16 };

struct board {
    uint64_t pieces[KINDS], own, enemy;
};

static const int direction[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int leap[2][8][2] = {
    [KNIGHT] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}},
    [KING] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}},
};
static uint64_t leap_to[2][64], ray[4][64];

static int on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

static void build_tables(void)
{
    for (int sq = 0; sq < 64; sq++) {
        for (int kind = 0; kind < 2; kind++)
            for (int i = 0; i < 8; i++) {
                int file = sq % 8 + leap[kind][i][0], rank = sq / 8 + leap[kind][i][1];
                if (on_board(file, rank))
                    leap_to[kind][sq] |= UINT64_C(1) << (rank * 8 + file);
            }
        for (int d = 0; d < 4; d++) {
            int file = sq % 8 + direction[d][0], rank = sq / 8 + direction[d][1];
            for (; on_board(file, rank); file += direction[d][0], rank += direction[d][1])
                ray[d][sq] |= UINT64_C(1) << (rank * 8 + file);
        }
    }
}

static int lowest(uint64_t set) { return __builtin_ctzll(set); }
static int highest(uint64_t set) { return 63 - __builtin_clzll(set); }

static unsigned count_bits(uint64_t set)
{
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(set * UINT64_C(0x0101010101010101) >> 56);
}

/* The first two rays go up the squares, the others down. */
static uint64_t rook_to(int sq, uint64_t occupied)
{
    uint64_t to = 0;
    for (int d = 0; d < 4; d++) {
        uint64_t reach = ray[d][sq], blockers = reach & occupied;
        if (blockers != 0)
            reach ^= ray[d][d < 2 ? lowest(blockers) : highest(blockers)];
        to |= reach;
    }
    return to;
}

static uint64_t perft(struct board *b, int depth);

/* All moves of one piece. */
static uint64_t perft_piece(struct board *b, int depth, int kind, int from, uint64_t to)
{
    uint64_t sum = 0, enemy = b->enemy;
    for (; to != 0; to &= to - 1) {
        uint64_t target = to & -to, move = target | UINT64_C(1) << from;
        b->pieces[kind] ^= move;
        b->own ^= move;
        b->enemy &= ~target;
        sum += perft(b, depth - 1);
        b->pieces[kind] ^= move;
        b->own ^= move;
        b->enemy = enemy;
    }
    return sum;
}

static __attribute__((noinline)) uint64_t perft(struct board *b, int depth)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t left = b->pieces[kind]; left != 0; left &= left - 1) {
            int from = lowest(left);
            uint64_t to = (kind == ROOK ? rook_to(from, b->own | b->enemy) : leap_to[kind][from]) & ~b->own;
            sum += depth == 1 ? count_bits(to) : perft_piece(b, depth, kind, from, to);
        }
    return sum;
}

static uint64_t cells_perft(uint8_t *cell, int depth);

/* One move on the board of cells, if it may be made; `stop` tells that it was the last in this direction. */
static uint64_t cells_move(uint8_t *cell, int depth, int from, int file, int rank, int *stop)
{
    *stop = 1;
    if (!on_board(file, rank) || cell[rank * 8 + file] < KINDS)
        return 0;
    int to = rank * 8 + file;
    uint8_t taken = cell[to], piece = cell[from];
    *stop = taken == ENEMY;
    cell[to] = piece;
    cell[from] = EMPTY;
    uint64_t sum = depth == 1 ? 1 : cells_perft(cell, depth - 1);
    cell[from] = piece;
    cell[to] = taken;
    return sum;
}

static uint64_t cells_perft(uint8_t *cell, int depth)
{
    uint64_t sum = 0;
    int stop;
    for (int from = 0; from < 64; from++) {
        int kind = cell[from];
        for (int i = 0; i < 8 && kind < ROOK; i++)
            sum += cells_move(cell, depth, from, from % 8 + leap[kind][i][0], from / 8 + leap[kind][i][1], &stop);
        for (int d = 0; d < 4 && kind == ROOK; d++) {
            int file = from % 8, rank = from / 8;
            do
                sum += cells_move(cell, depth, from, file += direction[d][0], rank += direction[d][1], &stop);
            while (!stop);
        }
    }
    return sum;
}

/* Two knights, a king, two rooks and six enemies in the upper half. */
static void set_up(struct board *b, uint8_t *cell, uint32_t *random)
{
    static const uint8_t men[] = {KNIGHT, KNIGHT, KING, ROOK, ROOK, ENEMY, ENEMY, ENEMY, ENEMY, ENEMY, ENEMY};
    memset(b, 0, sizeof *b);
    memset(cell, EMPTY, 64);
    for (unsigned i = 0; i < sizeof men;) {
        *random = *random * 1664525 + 1013904223;
        unsigned sq = 32 + (*random >> 27);
        if (cell[sq] != EMPTY)
            continue;
        cell[sq] = men[i];
        *(men[i] == ENEMY ? &b->enemy : &b->own) |= UINT64_C(1) << sq;
        if (men[i] != ENEMY)
            b->pieces[men[i]] |= UINT64_C(1) << sq;
        i++;
    }
}

int main(int argc, char **argv)
{
    unsigned positions = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 24, wrong = 0;
    uint32_t random = 1;
    uint64_t sum = 0;
    build_tables();
    for (unsigned p = 0; p < positions; p++) {
        struct board b, before;
        uint8_t cell[64];
        set_up(&b, cell, &random);
        before = b;
        uint64_t count = perft(&b, DEPTH);
        wrong += memcmp(&before, &b, sizeof b) != 0;
        wrong += p % CHECK_EVERY == 0 && cells_perft(cell, DEPTH) != count;
        sum += count;
    }
    printf("bitboard: %u positions, %llu moves, %u wrong: %s\n", positions, (unsigned long long)sum, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
