/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests and the fuzzers of assembler, disassembler and image share: assembling from memory, the round trip
 * from image to source to image, and sealing bytes as an image so that a mutation gets past the checksum. */
#ifndef TESTS_FUZZ_ROUNDTRIP_H
#define TESTS_FUZZ_ROUNDTRIP_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"

/* Assembles a text; the diagnostics go to `messages`, the caller's to free, unless that is NULL. */
static inline enum status assemble_text(const char *text, size_t size_bytes, struct image *im, char **messages)
{
    char *said = NULL;
    size_t said_bytes = 0;
    FILE *out = open_memstream(&said, &said_bytes);
    struct diag d;
    struct pasm_options opts = {.name = "test.pasm", .text = text, .size_bytes = size_bytes};
    diag_init(&d, out);
    enum status st = pasm_assemble(&opts, &d, im);
    fclose(out);
    if (messages != NULL)
        *messages = said;
    else
        free(said);
    return st;
}

/* Everything but names and source lines. */
static inline bool same_machine(const struct image *a, const struct image *b)
{
    bool same = a->words == b->words && a->fields == b->fields && a->layouts == b->layouts &&
                a->cam_entries == b->cam_entries && a->data_rows == b->data_rows &&
                a->filter_classes == b->filter_classes && a->kept_classes == b->kept_classes &&
                a->filter1_mask == b->filter1_mask && a->filter1_match == b->filter1_match &&
                a->filter1_hash == b->filter1_hash && a->filter2_hash == b->filter2_hash;
    same = same && memcmp(a->word, b->word, sizeof a->word) == 0 && memcmp(a->field, b->field, a->fields) == 0 &&
           memcmp(a->entry, b->entry, sizeof a->entry) == 0 &&
           memcmp(a->constant, b->constant, sizeof a->constant) == 0 && memcmp(a->base, b->base, sizeof a->base) == 0 &&
           a->wide == b->wide && memcmp(a->target, b->target, sizeof a->target) == 0 &&
           memcmp(a->index_width, b->index_width, sizeof a->index_width) == 0 &&
           memcmp(a->index_saturates, b->index_saturates, sizeof a->index_saturates) == 0 && a->gate == b->gate &&
           a->window == b->window;
    struct sampler_setup x = image_sampler(a), y = image_sampler(b);
    same = same && x.sampler == y.sampler && x.given == y.given;
    for (unsigned i = 0; same && i < sampler_option_count(x.sampler); i++)
        same = sampler_option(&x, i, 0) == sampler_option(&y, i, 0);
    same = same && a->params == b->params;
    for (unsigned i = 0; same && i < a->params; i++)
        same = a->param[i].value == b->param[i].value && strcmp(a->param[i].help, b->param[i].help) == 0;
    for (unsigned i = 0; same && i < a->layouts; i++) {
        const struct image_layout *l = &a->layout[i], *k = &b->layout[i];
        same = l->base == k->base && l->count == k->count && l->key == k->key && l->members == k->members;
        for (unsigned m = 0; same && m < l->members; m++)
            same = l->member[m].lane == k->member[m].lane && l->member[m].format == k->member[m].format;
    }
    return same;
}

/* NULL where the image, disassembled and assembled again, is the same; else what happened, the caller's to free. */
static inline char *roundtrip_fault(const struct image *im)
{
    char *source = NULL, *messages = NULL, *fault = NULL;
    size_t size_bytes = 0;
    struct image again;
    FILE *out = open_memstream(&source, &size_bytes);
    pasm_disassemble(out, im);
    fclose(out);
    if (assemble_text(source, size_bytes, &again, &messages) != ST_OK)
        fault = xasprintf("the disassembly does not assemble:\n%s\n%s", messages, source);
    else if (!same_machine(im, &again))
        fault = xasprintf("the disassembly assembles to something else:\n%s", source);
    free(messages);
    free(source);
    return fault;
}

static inline void put_u32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

enum { IMAGE_HEADER_BYTES = 20 };

/* Makes size and checksum right. The CRC is computed by nibbles, apart from the one in isa/image.c. */
static inline void seal_image(uint8_t *bytes, size_t size_bytes)
{
    uint32_t table[16], crc = ~UINT32_C(0);
    for (uint32_t i = 0; i < 16; i++) {
        table[i] = i;
        for (int bit = 0; bit < 4; bit++)
            table[i] = (table[i] >> 1) ^ (UINT32_C(0xedb88320) & (0 - (table[i] & 1)));
    }
    if (size_bytes < IMAGE_HEADER_BYTES)
        return;
    for (size_t i = IMAGE_HEADER_BYTES; i < size_bytes; i++) {
        crc = (crc >> 4) ^ table[(crc ^ bytes[i]) & 15];
        crc = (crc >> 4) ^ table[(crc ^ (uint32_t)(bytes[i] >> 4)) & 15];
    }
    put_u32(bytes + 12, (uint32_t)size_bytes);
    put_u32(bytes + 16, ~crc);
}

#endif
