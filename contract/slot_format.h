/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of the members and keys of slots: how the host merges and prints them, and how they hold a value. */
#ifndef CONTRACT_SLOT_FORMAT_H
#define CONTRACT_SLOT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* How a member of a slot is printed and merged: the rows of format.def. A member's format has FORMAT_LAST added if it
 * is no part of the slot's identity and the value read last is kept. */
enum slot_format {
#define FORMAT(sym, name, merge, print, shift, text) FORMAT_##sym,
#include "contract/slot_format.def"
    FORMAT_KINDS,
    FORMAT_LAST = 0x80,
    FORMAT_NONE = 0xff,
};
enum slot_merge { MERGE_ADD, MERGE_LARGER, MERGE_SMALLER, MERGE_IDENTITY, MERGE_LAST };
enum slot_print { PRINT_NUMBER, PRINT_SIGNED, PRINT_HEX, PRINT_CODE_ADDRESS, PRINT_DATA_ADDRESS };
struct slot_format_row {
    const char *name, *text;
    enum slot_merge merge;
    enum slot_print print;
    unsigned shift; /* of an address in up to 32 bits */
};
extern const struct slot_format_row slot_formats[FORMAT_KINDS];
/* The row of a format, without FORMAT_LAST. */
static inline unsigned slot_format_row_of(unsigned f) { return f & (FORMAT_LAST - 1u); }
/* Returns whether f is a format of a member, with or without FORMAT_LAST. */
bool slot_format_is_sound(unsigned f);
enum slot_merge slot_format_merge(unsigned f);
static inline bool slot_format_is_identity(unsigned f) { return slot_format_merge(f) == MERGE_IDENTITY; }
static inline bool slot_format_is_counter(unsigned f) { return slot_format_merge(f) == MERGE_ADD; }
static inline enum slot_print slot_format_print(unsigned f) { return slot_formats[slot_format_row_of(f)].print; }
static inline bool slot_print_is_address(enum slot_print p)
{
    return p == PRINT_CODE_ADDRESS || p == PRINT_DATA_ADDRESS;
}
/* Decodes the low `bits` bits of a member: an address, a sign-extended number; else the bits themselves. */
uint64_t slot_format_value(unsigned f, uint64_t held, unsigned bits);
/* Encodes a value in `bits` bits; the inverse of slot_format_value. */
uint64_t slot_format_held(unsigned f, uint64_t value, unsigned bits);
/* Lists the formats that are part of a slot's identity, or all, as "pc, hex or dec". */
enum { SLOT_FORMAT_LIST = 128 };
const char *slot_format_list(bool all, char text[SLOT_FORMAT_LIST]);
/* Recovers the pc32 from a key of format pcx. The first member has `width_bits` bits, up to 32; its top bit was aligned
 * with bit 31. */
static inline uint32_t slot_pcx_apart(uint32_t key, uint64_t first, unsigned width_bits)
{
    return key ^ (uint32_t)(first << (32 - width_bits));
}
/* Format of the decoded key. */
static inline unsigned slot_format_of_key(unsigned f) { return f == FORMAT_PCX ? FORMAT_PC : f; }

#endif
