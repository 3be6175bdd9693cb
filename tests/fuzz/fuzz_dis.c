/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the disassembler: words, tables and names come from the input; what is a sound image must survive the round
 * trip. */
#include "tests/fuzz/roundtrip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at, *end;
};

static uint64_t take(struct input *in, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes && in->at < in->end; i++)
        v |= (uint64_t)*in->at++ << (8 * i);
    return v;
}

/* A name, more often than not an unfortunate one. */
static void take_name(struct input *in, char name[IMAGE_NAME])
{
    static const char *const unfortunate[] = {"v0",  "i7", "if", "done", "t0",  "f3", "pc32",  "zero",
                                              "row", "w0", "d",  "key",  "L1",  "m0", "goto",  "L2",
                                              "x",   "b0", "c",  "pc",   "hex", "32", "count", "done"};
    unsigned choice = (unsigned)take(in, 1);
    name[0] = '\0';
    if (choice & 0x80)
        return;
    snprintf(name, IMAGE_NAME, "%s", unfortunate[choice % (sizeof unfortunate / sizeof unfortunate[0])]);
}

/* Clears the selectors that nothing uses, so that most words of a random input are legal. */
static uint64_t take_word(struct input *in, unsigned wide)
{
    struct uop u;
    isa_decode(take(in, 6), &u);
    struct isa_use use = isa_uses(&u, wide);
    u.b = use.b ? u.b : 0;
    u.base = use.base ? u.base : 0;
    use = isa_uses(&u, wide);
    u.a = use.a ? u.a : 0;
    u.ir = use.index_read ? u.ir : 0;
    u.iw = use.index_write ? u.iw : 0;
    u.lane = use.lane ? u.lane : 0;
    u.target = use.branch ? u.target : 0;
    u.vdst = u.vsrc != VSRC_NONE ? u.vdst : 0;
    u.narrow = u.alu != ALU_NONE && u.narrow;
    if (isa_check(&u, wide) != NULL)
        u = (struct uop){.cond = COND_NEVER, .invert = 1, .target = TARGET_DONE};
    return isa_encode(&u);
}

/* An index register, or none. */
static uint64_t take_index(struct input *in)
{
    uint64_t n = take(in, 1);
    return n < ISA_INDEXES ? n : IMAGE_NO_INDEX;
}

static void take_registers(struct input *in, struct image *im)
{
    for (unsigned i = 0; i < ISA_VALUES; i++)
        take_name(in, im->value_name[i]);
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        take_name(in, im->index_name[i]);
        im->index_width[i] = (uint8_t)(1 + take(in, 1) % 16);
        im->index_saturates[i] = take(in, 1) & 1;
    }
    im->gate = (uint8_t)take_index(in);
    im->window = (uint8_t)take_index(in);
    for (unsigned i = 0; i < ISA_CONSTS; i++) {
        take_name(in, im->const_name[i]);
        im->constant[i] = take(in, 8);
    }
    for (unsigned i = 0; i < ISA_BASES; i++) {
        take_name(in, im->base_name[i]);
        im->base[i] = (uint16_t)(take(in, 1) * 8);
    }
    im->wide = (uint8_t)take(in, 1);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        im->target[i] = take(in, 1) & 63;
}

/* An exact reference, and members that go with it. */
static void take_reference(struct input *in, struct image_layout *l)
{
    const struct exact_kind *kind = &exact_kinds[take(in, 1) % EXACT_REFERENCES];
    unsigned keys = exact_key_count((enum exact_reference)(kind - exact_kinds)), count = 0;
    l->exact = (uint8_t)(kind - exact_kinds);
    l->parts = 1 + (uint32_t)take(in, 4) % 1000;
    l->key = kind->key[0].format;
    l->key_exact = 0;
    for (unsigned m = 0; m < l->members; m++) {
        bool is_key = m + 1 < keys;
        l->member[m].format = is_key ? kind->key[m + 1].format : FORMAT_COUNT;
        l->member[m].exact = is_key                            ? (uint8_t)(m + 1)
                             : kind->count[count].name != NULL ? (uint8_t)count++
                                                               : EXACT_NONE;
    }
}

static void take_layouts(struct input *in, struct image *im)
{
    im->layouts = (uint8_t)(take(in, 1) % (IMAGE_LAYOUTS + 1));
    for (unsigned i = 0; i < im->layouts; i++) {
        struct image_layout *l = &im->layout[i];
        l->base = take(in, 1) % ISA_BASES;
        l->count = (uint16_t)(1u << take(in, 1) % 4);
        l->key = take(in, 1) & 1 ? FORMAT_NONE : (uint8_t)(FORMAT_PC + take(in, 1) % (FORMAT_KINDS - FORMAT_PC));
        l->members = (uint8_t)(take(in, 1) % (IMAGE_MEMBERS + 1));
        for (unsigned m = 0; m < l->members; m++) {
            take_name(in, l->member[m].name);
            l->member[m].lane = (uint8_t)(take(in, 1) % LANE_COUNT);
            uint8_t format = (uint8_t)take(in, 1);
            l->member[m].format = (uint8_t)(format % FORMAT_KINDS | (format >= 0xc0 ? FORMAT_LAST : 0));
            l->member[m].exact = EXACT_NONE;
        }
        l->exact = l->key_exact = EXACT_NONE;
        l->parts = 1;
        if ((take(in, 1) & 1) != 0)
            take_reference(in, l);
    }
}

/* Names are unique, as image_check demands; otherwise any. */
static void take_params(struct input *in, struct image *im)
{
    static const char bytes[] = "a \"\\;'%~";
    for (unsigned n = (unsigned)take(in, 1) % (IMAGE_PARAMS + 1); n > 0; n--) {
        struct image_param *p = &im->param[im->params];
        take_name(in, p->name);
        p->value = take(in, 8);
        for (unsigned i = 0, length = (unsigned)take(in, 1) % IMAGE_HELP; i < length; i++)
            p->help[i] = bytes[take(in, 1) % (sizeof bytes - 1)];
        if (p->name[0] != '\0' && image_find_param(im, p->name) < 0)
            im->params++;
    }
    memset(&im->param[im->params], 0, (IMAGE_PARAMS - im->params) * sizeof im->param[0]);
}

/* Any sampler with any options, some given by parameters; if it is one that supplies the fields. */
static void take_sampler(struct input *in, struct image *im)
{
    struct sampler_setup s = {.sampler = (uint8_t)(take(in, 1) % SAMPLER_COUNT)};
    struct image with = *im;
    struct errmsg err;
    for (unsigned i = 0; i < sampler_option_count(s.sampler); i++) {
        const struct text_option *o = &samplers[s.sampler].option[i];
        unsigned how = (unsigned)take(in, 1);
        s.given |= (how & 1u) << i;
        s.option[i] = o->unit != NULL ? o->least + take(in, 4) : 1;
        if ((how & 6) == 6 && o->unit != NULL && im->params > 0)
            with.sampler_param[i] = (uint8_t)(how / 8 % im->params);
    }
    with.sampler = s;
    if (image_check(&with, &err) == ST_OK)
        *im = with;
}

/* The n-th field, of those of the default sampler. */
static uint8_t field_of(unsigned n)
{
    const struct sampler_setup s = {.sampler = SAMPLER_RETIRE};
    struct errmsg err;
    unsigned f = n % FIELD_COUNT;
    while (sampler_check_field(&s, (enum sample_field)f, &err) != ST_OK)
        f = (f + 1) % FIELD_COUNT;
    return (uint8_t)f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    struct image im;
    struct errmsg err;
    image_init(&im);
    im.words = (uint8_t)(1 + take(&in, 1) % ISA_WORDS);
    im.cam_entries = im.data_rows = (uint16_t)(1u << take(&in, 1) % 11);
    im.fields = (uint8_t)(take(&in, 1) % (ISA_FIELDS + 1));
    for (unsigned i = 0; i < im.fields; i++)
        im.field[i] = field_of((unsigned)take(&in, 1) + 2 * i);
    im.filter1_mask = (uint16_t)take(&in, 2);
    im.filter1_match = (uint16_t)take(&in, 2);
    im.filter1_hash = take(&in, 1) & 3;
    im.filter2_hash = take(&in, 1) & 3;
    for (unsigned c = 0; c < OPCLASS_COUNT; c++) {
        unsigned at = (unsigned)take(&in, 1);
        im.entry[c] = (uint8_t)(at & 1 ? (at >> 1) % im.words : IMAGE_NO_ENTRY);
        im.filter_classes |= (uint32_t)((at & 0x81) == 0x81) << c;
        im.kept_classes |= (uint32_t)((at & 0xc1) == 0xc1) << c;
    }
    for (unsigned i = 0; i < im.words; i++)
        take_name(&in, im.label[i]);
    take_name(&in, im.name);
    take_registers(&in, &im);
    take_layouts(&in, &im);
    for (unsigned i = 0; i < im.words; i++)
        im.word[i] = i + 1u == im.words ? UINT64_C(0x810000000000) : take_word(&in, im.wide);
    take_params(&in, &im);
    take_sampler(&in, &im);
    if (image_check(&im, &err) != ST_OK)
        return 0;
    char *fault = roundtrip_fault(&im);
    if (fault != NULL)
        BUG("%s", fault);
    return 0;
}
