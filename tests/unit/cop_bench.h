/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A co-processor on the bench: a program of words for samples of loads, the samples, and the bus. */
#ifndef TESTS_UNIT_COP_BENCH_H
#define TESTS_UNIT_COP_BENCH_H

#include "emu/cop.h"
#include "isa/image.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static struct cop *cop;
static struct bus bus;
static struct image image;

/* Another co-processor in place of the one that is there. */
static inline void configure(const struct cop_config *config)
{
    cop_free(cop);
    cop = cop_new(config);
    bus = cop_bus(cop);
}

static inline void setup(void)
{
    configure(&cop_default_config);
    image_init(&image);
    image.cam_entries = ISA_CAM_ENTRIES;
    image.data_rows = ISA_DATA_ROWS;
    image.filter_classes = 1u << OPCLASS_LOAD;
    image.entry[OPCLASS_LOAD] = 0;
    image.fields = 2;
    image.field[0] = FIELD_PC32;
    image.field[1] = FIELD_RESULT;
}

static inline void teardown(void)
{
    cop_free(cop);
    cop = NULL;
}

static inline void add(struct uop u)
{
    ck_assert_ptr_null(isa_check(&u, image.wide));
    image.word[image.words++] = isa_encode(&u);
}

enum { F0 = BSRC_FIELD, F1 = BSRC_FIELD + 1, V0 = BSRC_VALUE, C0 = BSRC_CONST };

#define DONE .cond = COND_NEVER, .invert = 1, .target = TARGET_DONE

static inline void start(void)
{
    struct errmsg err;
    ck_assert_msg(bus_load_program(&bus, &image, &err) == ST_OK, "%s", err.text);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
}

static inline void deliver(uint64_t pc, uint64_t result, uint64_t cycle)
{
    struct sample_sink sink = cop_sink(cop);
    struct sample s = {.opclass = OPCLASS_LOAD, .cycle = cycle};
    s.field[FIELD_PC32] = sample_pc32(pc);
    s.field[FIELD_RESULT] = result;
    sink.deliver(sink.ctx, &s);
}

static inline void offer(uint64_t pc, uint64_t result, uint64_t cycle)
{
    struct sample_sink sink = cop_sink(cop);
    if (sink.accept(sink.ctx, OPCLASS_LOAD, pc, cycle))
        deliver(pc, result, cycle);
}

#endif
