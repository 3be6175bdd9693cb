/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Randomised search for witnesses: draw a state with many equal and many extreme numbers, then apply random changes in
 * one or two places that do not shorten the prefix of the path taken; restart several times. Entry point:
 * witness_find. */
#include "asm/witness.h"

#include "base/random.h"

enum { STATES = 16, CHANGES = 400, POOL = 4, SMALLEST_ARRAY = 128 };

struct draw {
    struct random r;
    const struct image *im;
    uint64_t pool[POOL]; /* numbers drawn repeatedly, so that some elements are equal */
    unsigned pooled;     /* size of the pool in this state */
    unsigned rows;       /* rows used by the last trial */
    uint16_t row[ISA_WORDS];
};

static uint64_t draw_number(struct draw *d, unsigned bits)
{
    uint64_t ones = isa_ones(bits);
    switch (random_below(&d->r, 6)) {
    case 0:
        return (d->im->constant[random_below(&d->r, ISA_CONSTS)] + random_below(&d->r, 3) - 1) & ones;
    case 1:
        return ones - random_below(&d->r, 2);
    case 2:
        return random_number(&d->r) & ones;
    default:
        return d->pool[random_below(&d->r, d->pooled)] & ones;
    }
}

/* Draws a number composed of lanes of several widths, like a row. */
static uint64_t draw_lanes(struct draw *d, unsigned bits)
{
    if (bits <= 8 || random_chance(&d->r, 40))
        return draw_number(d, bits);
    uint64_t high = draw_lanes(d, bits / 2);
    return high << (bits / 2) | draw_lanes(d, bits / 2);
}

/* Replaces one lane of a number. */
static uint64_t witness_change_lane(struct draw *d, uint64_t number, unsigned bits)
{
    unsigned lane = bits;
    while (lane > 8 && random_chance(&d->r, 60))
        lane /= 2;
    unsigned low = lane * random_below(&d->r, bits / lane);
    return (number & ~(isa_ones(lane) << low)) | draw_number(d, lane) << low;
}

static unsigned field_bits(const struct draw *d, unsigned position)
{
    return sample_fields[d->im->field[position]].width_bits;
}

static uint64_t draw_key(struct draw *d, unsigned wide)
{
    uint64_t high = wide != 0 && random_chance(&d->r, 75) ? draw_number(d, 32) : 0;
    return high << 32 | draw_number(d, 32);
}

static void draw_state(struct draw *d, struct isa_machine *m)
{
    unsigned share = 50 * random_below(&d->r, 3);
    d->pooled = 1 + random_below(&d->r, POOL);
    for (unsigned i = 0; i < d->pooled; i++)
        d->pool[i] = random_chance(&d->r, 30) ? random_below(&d->r, 16) : random_bits(&d->r);
    for (unsigned i = 0; i < ISA_VALUES; i++)
        m->value[i] = draw_lanes(d, 64);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        m->index[i] = (unsigned)draw_number(d, m->width[i]);
    for (unsigned i = 0; i < d->im->fields; i++)
        m->field[i] = draw_lanes(d, field_bits(d, i));
    for (unsigned i = 0; i < m->entries; i++) {
        m->tag[i] = draw_key(d, m->wide);
        m->valid[i] = random_chance(&d->r, share);
    }
    for (unsigned i = 0; i < m->rows; i++)
        m->row[i] = draw_lanes(d, 64);
    m->lfsr = 1 + random_below(&d->r, 0xffff);
}

static void change_state(struct draw *d, struct isa_machine *m)
{
    unsigned n, fields = d->im->fields;
    switch (random_below(&d->r, fields > 0 ? 6 : 5)) {
    case 0:
        n = random_below(&d->r, ISA_VALUES);
        m->value[n] = witness_change_lane(d, m->value[n], 64);
        break;
    case 1:
        n = random_below(&d->r, ISA_INDEXES);
        m->index[n] = (unsigned)draw_number(d, m->width[n]);
        break;
    case 2:
        m->lfsr = 1 + random_below(&d->r, 0xffff);
        break;
    case 3:
        n = random_below(&d->r, m->entries);
        m->tag[n] = draw_key(d, m->wide);
        m->valid[n] = random_chance(&d->r, 50);
        break;
    case 4:
        n = d->rows > 0 ? d->row[random_below(&d->r, d->rows)] : 0;
        m->row[n] = witness_change_lane(d, m->row[n], 64);
        break;
    default:
        n = random_below(&d->r, fields);
        m->field[n] = witness_change_lane(d, m->field[n], field_bits(d, n));
    }
}

/* Length of the prefix of the path that the state takes, in words; `count` if it completes the sample at its end. */
static unsigned witness_follow(struct draw *d, const struct flow *f, const uint8_t *word, unsigned count,
                               const struct isa_machine *start, word_set *taken)
{
    struct isa_machine m = *start;
    *taken = 0;
    d->rows = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct uop *u = &f->u[word[i]];
        if (u->data != DATA_NONE)
            d->row[d->rows++] = (uint16_t)((m.base[u->base] | m.index[u->ir]) % m.rows);
        bool holds = isa_machine_execute(&m, u);
        int next = holds ? f->to[word[i]] : f->fall[word[i]];
        if (holds)
            *taken |= word_bit(word[i]);
        if (i + 1 < count ? next != word[i + 1] : !holds)
            return i;
    }
    return count;
}

static unsigned smallest_array(unsigned asked) { return asked > SMALLEST_ARRAY ? asked : SMALLEST_ARRAY; }

bool witness_find(const struct flow *f, const uint8_t *word, unsigned count, struct witness *out)
{
    struct draw d = {.r = {1}, .im = f->im};
    for (unsigned s = 0; s < STATES; s++) {
        isa_machine_init(&out->start, f->im, smallest_array(f->im->cam_entries), smallest_array(f->im->data_rows));
        draw_state(&d, &out->start);
        unsigned far = witness_follow(&d, f, word, count, &out->start, &out->taken);
        for (unsigned n = 0; n < CHANGES && far < count; n++) {
            struct isa_machine changed = out->start;
            word_set taken;
            for (unsigned k = random_below(&d.r, 2); k < 2; k++)
                change_state(&d, &changed);
            unsigned farther = witness_follow(&d, f, word, count, &changed, &taken);
            if (farther < far)
                continue;
            far = farther;
            out->start = changed;
            out->taken = taken;
        }
        if (far == count)
            return true;
    }
    return false;
}
