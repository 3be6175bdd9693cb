/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damaged recordings whose checksums are valid: the replay refuses each with a message. */
#include "core-model/core_inspect.h"
#include "core-model/record/replay.h"
#include "core-model/record/stream.h"

#include <errno.h>
#include <sys/resource.h>

#include "tests/unit/guest_core.h"
#include "tests/unit/recording.h"
#include "tests/unit/suite.h"

/* Record of a replay by an observer. */
enum seen { ALL, TOKENS, OUTLINES, LATE_TOKENS, RESULTS, TAGS, WRONG_PATHS, EVENTS };

static uint64_t calls;
static const uint64_t late = 5; /* cycle up to which LATE_TOKENS sees none */

static void saw_insn(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)ctx, (void)in, (void)cycle;
    calls++;
}

static void saw_event(void *ctx, uint64_t cycle)
{
    (void)ctx, (void)cycle;
    calls++;
}

static void saw_token(void *ctx, const struct probe_token *t)
{
    (void)ctx, (void)t;
    calls++;
}

static void saw_result(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value)
{
    (void)ctx, (void)opclass, (void)pc, (void)value;
    calls++;
}

static void tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    (void)tag;
    saw_insn(ctx, in, cycle);
}

static struct probe_listener observer_of(enum seen seen)
{
    struct probe_listener o = {0};
    if (seen == ALL) {
        o.cycles = PROBE_ALL_CYCLES;
        for (int s = 0; s < PROBE_STAGE_COUNT; s++)
            o.stage[s] = saw_insn;
    }
    if (seen <= LATE_TOKENS)
        o.token = saw_token;
    o.token_outline = seen == OUTLINES;
    if (seen == LATE_TOKENS)
        o.token_from = &late;
    if (seen == ALL || seen == RESULTS) {
        o.result = saw_result;
        o.result_classes = UINT32_MAX;
    }
    if (seen == ALL || seen == TAGS)
        o.tagger = (struct probe_tagger){.at = PROBE_FETCHED, .bits = 1, .tagged = tagged, .complete = seen == ALL};
    if (seen == WRONG_PATHS)
        o.event[PROBE_BIT_WRONG_PATH] = saw_event;
    if (seen == ALL || seen == EVENTS)
        o.event[PROBE_BIT_DCACHE_MISS] = saw_event;
    return o;
}

/* The guest of the replays: only its stop flag is read. */
static struct guest guest;

static enum status replay_stream(FILE *in, enum seen seen, struct errmsg *err)
{
    struct core_replay *r;
    enum status st = replay_open(&r, in, "x.rec", err);
    if (st != ST_OK)
        return st;
    const struct probe_listener o = observer_of(seen);
    struct core *core = replay_core(r, &guest);
    core_subscribe(core, &o);
    ck_assert_int_eq(core_run(core, UINT64_MAX), RV_TRAP_NONE);
    core_check(core);
    FILE *nothing = fopen("/dev/null", "w");
    core_print_view(core, nothing);
    fclose(nothing);
    st = replay_error(r, err);
    core_free(core);
    replay_close(r);
    return st;
}

static enum status replay(const struct recording *d, enum seen seen, struct errmsg *err)
{
    FILE *in = fmemopen(d->text, d->bytes, "r");
    *err = (struct errmsg){{0}};
    calls = 0;
    enum status st = replay_stream(in, seen, err);
    fclose(in);
    return st;
}

static void expect_refused(const struct recording *d, enum seen seen, const char *message)
{
    struct errmsg err;
    ck_assert_msg(replay(d, seen, &err) == ST_FORMAT, "not refused, but: %s", message);
    expect_message(&err, message);
}

static void put_head(struct recording *d, const struct record_head *head)
{
    facts_put_head(&d->facts, head);
    facts_put_number(&d->facts, "clock", 0);
}

/* Begins a recording; its part HEAD is written. */
static void begin(struct recording *d, int core, bool values)
{
    struct record_head head = recording_head();
    recording_begin(d);
    head.config.core = (uint32_t)core;
    head.values = values;
    put_head(d, &head);
    part_write(d->parts, RECORD_PART_HEAD, &d->facts);
}

/* Writes the part TAIL of a run of this length, and ends the file. */
static void end(struct recording *d, uint64_t cycles, uint64_t instructions)
{
    const struct record_tail tail = {.cycles = cycles, .instructions = instructions};
    facts_put_tail(&d->facts, &tail);
    part_write(d->parts, RECORD_PART_TAIL, &d->facts);
    recording_end(d);
}

/* ---- facts ---- */

/* A fact with another value, or without one; `says` stands behind the offset of the part. */
static const struct wrong_fact {
    const char *name, *value, *says;
} wrong_heads[] =
    {
        {"machine", NULL, "expected a fact 'machine', found none"},
        {"guest.bytes", "", "expected a fact 'guest.bytes' of at most 18446744073709551615, found another value"},
        {"guest.bytes", "-1", "expected a fact 'guest.bytes' of at most 18446744073709551615, found another value"},
        {"guest.hash", "x", "expected a fact 'guest.hash' of at most 18446744073709551615, found another value"},
        {"guest.hash", "1x", "expected a fact 'guest.hash' of at most 18446744073709551615, found another value"},
        {"guest.bias", "18446744073709551616",
         "expected a fact 'guest.bias' of at most 18446744073709551615, found another value"},
        {"values", "2", "expected a fact 'values' of at most 1, found another value"},
        {"values", NULL, "expected a fact 'values' of at most 1, found none"},
        {"config.rob_entries", NULL, "expected a fact 'config.rob_entries' of at most 4294967295, found none"},
        {"clock", NULL, "expected a fact 'clock' of at most 2^60"},
        {"clock", "1152921504606846977", "expected a fact 'clock' of at most 2^60"},
},
  wrong_tails[] = {
      {"cycles", NULL, "expected a fact 'cycles' of at most 18446744073709551615, found none"},
      {"partial", "2", "expected a fact 'partial' of at most 1, found another value"},
      {"cycles", "1152921504606846977", "it is longer than 2^60 cycles"},
      {"image.0.end", NULL, "expected a fact 'image.0.end' of at most 18446744073709551615, found none"},
};
enum {
    WRONG_HEADS = sizeof wrong_heads / sizeof wrong_heads[0],
    WRONG_TAILS = sizeof wrong_tails / sizeof wrong_tails[0]
};

START_TEST(facts_of_the_head_are_checked)
{
    struct recording d;
    char message[256];
    const struct record_head head = recording_head();
    recording_begin(&d);
    put_head(&d, &head);
    recording_set(&d, wrong_heads[_i].name, wrong_heads[_i].value);
    part_write(d.parts, RECORD_PART_HEAD, &d.facts);
    end(&d, 0, 0);
    snprintf(message, sizeof message, "x.rec: offset %d: %s", RECORDING_HEAD, wrong_heads[_i].says);
    expect_refused(&d, ALL, message);
    free(d.text);
}
END_TEST

START_TEST(facts_of_the_tail_are_checked)
{
    struct recording d;
    char message[256];
    struct guest_image image = {.path = (char[]){"a library"}};
    const struct record_tail tail = {.image = &image, .images = 1};
    begin(&d, OOO, false);
    fflush(d.out);
    snprintf(message, sizeof message, "x.rec: offset %zu: the recording is damaged: %s", d.bytes, wrong_tails[_i].says);
    facts_put_tail(&d.facts, &tail);
    recording_set(&d, wrong_tails[_i].name, wrong_tails[_i].value);
    part_write(d.parts, RECORD_PART_TAIL, &d.facts);
    recording_end(&d);
    expect_refused(&d, ALL, message);
    free(d.text);
}
END_TEST

/* Facts that may stand in another order are found all the same. */
START_TEST(facts_stand_in_any_order)
{
    struct recording d;
    struct errmsg err;
    const struct record_head head = recording_head();
    recording_begin(&d);
    facts_put_number(&d.facts, "clock", 5);
    facts_put_number(&d.facts, "values", 0);
    facts_put_head(&d.facts, &head);
    part_write(d.parts, RECORD_PART_HEAD, &d.facts);
    end(&d, 0, 0);
    ck_assert_msg(replay(&d, ALL, &err) == ST_OK, "%s", err.text);
    free(d.text);
}
END_TEST

/* Texts that are no pairs. */
static const struct {
    const char *text;
    size_t bytes;
} unpaired[] = {{"name", 5}, {"name", 4}, {"a\0b\0c", 5}};
enum { UNPAIRED = sizeof unpaired / sizeof unpaired[0] };

static void put_text(struct recording *d, const char *text, size_t bytes)
{
    for (size_t n = 0; n < bytes; n++)
        column_put(&d->facts, (uint8_t)text[n]);
}

START_TEST(facts_are_pairs)
{
    struct recording d;
    char message[256];
    recording_begin(&d);
    put_text(&d, unpaired[_i].text, unpaired[_i].bytes);
    part_write(d.parts, RECORD_PART_HEAD, &d.facts);
    recording_end(&d);
    expect_refused(&d, ALL, "x.rec: offset 12: expected the facts of a recorded run, found something else");
    free(d.text);
    begin(&d, OOO, false);
    fflush(d.out);
    snprintf(message, sizeof message, "x.rec: offset %zu: the recording is damaged: its facts are no pairs of texts",
             d.bytes);
    put_text(&d, unpaired[_i].text, unpaired[_i].bytes);
    part_write(d.parts, RECORD_PART_TAIL, &d.facts);
    recording_end(&d);
    expect_refused(&d, ALL, message);
    free(d.text);
}
END_TEST

/* The first error is reported. */
START_TEST(no_facts)
{
    struct recording d;
    recording_begin(&d);
    part_write(d.parts, RECORD_PART_HEAD, &d.facts);
    recording_end(&d);
    expect_refused(&d, ALL, "x.rec: offset 12: expected a fact 'machine', found none");
    free(d.text);
    recording_begin(&d);
    part_write(d.parts, RECORD_PART_TAIL, &d.facts);
    recording_end(&d);
    expect_refused(&d, ALL, "x.rec: offset 12: expected the facts of a recorded run, found something else");
    free(d.text);
}
END_TEST

/* More images than a recording can have: those beyond are left out. */
START_TEST(images_are_limited)
{
    enum { IMAGES = 4097 };
    static struct guest_image image[IMAGES];
    static char path[] = "a library";
    struct record_tail tail = {.image = image, .images = IMAGES}, read;
    struct column c = {0};
    struct errmsg err;
    bool failed = false;
    for (unsigned n = 0; n < IMAGES; n++)
        image[n] = (struct guest_image){.path = path, .start = n};
    facts_put_tail(&c, &tail);
    const struct column_cursor facts = {c.byte, c.byte + c.size, &failed};
    ck_assert_msg(facts_get_tail(&facts, &read, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(read.images, IMAGES - 1);
    ck_assert_uint_eq(read.image[IMAGES - 2].start, IMAGES - 2);
    facts_free_tail(&read);
    free(c.byte);
}
END_TEST

/* ---- parts ---- */

/* A recording of a HEAD and a TAIL, of which four bytes are changed; `at` counts from the start of HEAD. */
static const struct {
    size_t at;
    uint32_t found;
    const char *says;
} wrong_bytes[] = {
    {0, 0x54414548, "expected a part of a recording, found something else"},
    {4, 2, "expected a part of a recording, found something else"},
    {8, 1, " bytes, found 1"},
    {16, 0x01000001, "column 0: expected at most 16777216 bytes, found 16777217 in "},
    {20, 0x01000000, "column 0: expected at most 16777216 bytes, found "},
    {16, 2000, "column 0 is damaged: Destination buffer is too small"},
    {16, 0x10000, "column 0: expected 65536 bytes, found "},
    {24, 0, "column 0 is damaged: Unknown frame descriptor"},
};
enum { WRONG_BYTES = sizeof wrong_bytes / sizeof wrong_bytes[0] };

static void put_little(char *to, uint32_t n)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (char)(n >> 8 * i & 0xff);
}

START_TEST(parts_are_checked)
{
    struct recording d;
    struct errmsg err;
    begin(&d, OOO, false);
    end(&d, 0, 0);
    put_little(d.text + RECORDING_HEAD + wrong_bytes[_i].at, wrong_bytes[_i].found);
    ck_assert_int_eq(replay(&d, ALL, &err), ST_FORMAT);
    ck_assert_msg(strncmp(err.text, "x.rec: offset 12: ", 18) == 0, "%s", err.text);
    ck_assert_msg(strstr(err.text, wrong_bytes[_i].says) != NULL, "%s", err.text);
    free(d.text);
}
END_TEST

/* Bytes that are missing: of the part's header, of its table, of its columns. */
START_TEST(truncated_parts)
{
    static const struct {
        size_t bytes;
        const char *message;
    } cut[] = {
        {20, "x.rec: offset 12: expected 16 bytes of a part, found 8: the recording is truncated"},
        {30, "x.rec: offset 28: expected 8 bytes of a part, found 2: the recording is truncated"},
    };
    struct recording d;
    struct errmsg err;
    begin(&d, OOO, false);
    recording_end(&d);
    for (unsigned n = 0; n < sizeof cut / sizeof cut[0]; n++) {
        d.bytes = cut[n].bytes;
        expect_refused(&d, ALL, cut[n].message);
    }
    d.bytes = 40;
    ck_assert_int_eq(replay(&d, ALL, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "bytes of a part, found 4: the recording is truncated") != NULL, "%s", err.text);
    free(d.text);
}
END_TEST

/* A file that can be read up to its second part. */
struct unreadable {
    const struct recording *d;
    size_t at;
};

static ssize_t read_some(void *ctx, char *to, size_t bytes)
{
    struct unreadable *u = ctx;
    if (u->at == RECORDING_HEAD) {
        errno = EIO;
        return -1;
    }
    size_t n = bytes < RECORDING_HEAD ? bytes : RECORDING_HEAD;
    memcpy(to, u->d->text, n);
    u->at += n;
    return (ssize_t)n;
}

START_TEST(unreadable_file)
{
    struct recording d;
    struct errmsg err;
    struct unreadable u = {.d = &d};
    begin(&d, OOO, false);
    recording_end(&d);
    FILE *in = fopencookie(&u, "r", (cookie_io_functions_t){.read = read_some});
    ck_assert_int_eq(replay_stream(in, ALL, &err), ST_IO);
    expect_message(&err, "x.rec: offset 12: cannot be read");
    fclose(in);
    free(d.text);
}
END_TEST

/* ---- parts that do not belong together ---- */

START_TEST(second_head)
{
    struct recording d;
    char message[256];
    const struct record_head head = recording_head();
    begin(&d, OOO, false);
    fflush(d.out);
    snprintf(message, sizeof message, "x.rec: offset %zu: the recording is damaged: a part that does not belong there",
             d.bytes);
    put_head(&d, &head);
    part_write(d.parts, RECORD_PART_HEAD, &d.facts);
    recording_end(&d);
    expect_refused(&d, ALL, message);
    free(d.text);
}
END_TEST

/* Other numbers in the TAIL than the stream has: 1 cycle with 0 instructions. */
START_TEST(tail_of_another_stream)
{
    static const uint64_t tails[][2] = {{1, 0}, {2, 0}, {1, 1}};
    struct recording d;
    struct errmsg err;
    begin(&d, OOO, false);
    column_put(&d.column[RECORD_OPS], OP_TOKEN);
    part_write(d.parts, RECORD_PART_BLOCK, d.column);
    end(&d, tails[_i][0], tails[_i][1]);
    ck_assert_int_eq(replay(&d, ALL, &err), _i == 0 ? ST_OK : ST_FORMAT);
    ck_assert(_i == 0 || strstr(err.text, "found other numbers of cycles or instructions than its end states") != NULL);
    free(d.text);
}
END_TEST

/* Pages of code: number, and bytes, of which there may be too few. */
static void put_page(struct recording *d, uint64_t number, size_t bytes)
{
    column_put_number(&d->column[0], number);
    recording_fill(&d->column[0], 1, bytes);
}

START_TEST(pages_of_code_are_checked)
{
    static const struct {
        uint64_t number;
        size_t bytes;
        uint8_t after; /* a byte behind the page */
    } pages[] = {{UINT64_C(1) << (MEM_ADDRESS_BITS - MEM_PAGE_BITS), MEM_PAGE_BYTES, 0},
                 {1, MEM_PAGE_BYTES - 1, 0},
                 {1, MEM_PAGE_BYTES, 0x80}};
    struct recording d;
    struct errmsg err;
    begin(&d, OOO, false);
    put_page(&d, pages[_i].number, pages[_i].bytes);
    if (pages[_i].after != 0)
        column_put(&d.column[0], pages[_i].after);
    part_write(d.parts, RECORD_PART_CODE, d.column);
    end(&d, 0, 0);
    ck_assert_int_eq(replay(&d, ALL, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "the recording is damaged: its code is no sequence of pages") != NULL, "%s",
                  err.text);
    free(d.text);
}
END_TEST

/* More pages of code than a recording can have. */
START_TEST(pages_of_code_are_limited)
{
    enum { PAGES_MOST = 1 << 16, PER_PART = 1 << 11 };
    struct recording d;
    struct errmsg err;
    begin(&d, OOO, false);
    for (unsigned n = 0; n <= PAGES_MOST / PER_PART; n++) {
        for (unsigned page = 0; page < (n < PAGES_MOST / PER_PART ? PER_PART : 1); page++)
            put_page(&d, n, MEM_PAGE_BYTES);
        part_write(d.parts, RECORD_PART_CODE, d.column);
    }
    end(&d, 0, 0);
    ck_assert_int_eq(replay(&d, ALL, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "its code is no sequence of pages") != NULL, "%s", err.text);
    free(d.text);
}
END_TEST

/* A host that gives the guest no memory for the page of code. */
START_TEST(code_without_memory)
{
    struct recording d;
    struct core_replay *r;
    struct errmsg err;
    struct guest empty;
    struct rlimit limit, none;
    begin(&d, OOO, false);
    put_page(&d, 0x12, MEM_PAGE_BYTES);
    part_write(d.parts, RECORD_PART_CODE, d.column);
    end(&d, 0, 0);
    FILE *in = fmemopen(d.text, d.bytes, "r");
    ck_assert_msg(replay_open(&r, in, "x.rec", &err) == ST_OK, "%s", err.text);
    struct core *core = replay_core(r, &guest);
    ck_assert_int_eq(core_run(core, UINT64_MAX), RV_TRAP_NONE);
    ck_assert_msg(guest_init_empty(&empty, &err) == ST_OK, "%s", err.text);
    getrlimit(RLIMIT_DATA, &limit);
    none = (struct rlimit){MEM_PAGE_BYTES, limit.rlim_max};
    setrlimit(RLIMIT_DATA, &none);
    enum status st = replay_restore_code(r, &empty.hart, &err);
    setrlimit(RLIMIT_DATA, &limit);
    ck_assert_int_eq(st, ST_RANGE);
    expect_message(&err, "x.rec: the page of code at 0x12000 cannot be mapped");
    guest_fini(&empty);
    core_free(core);
    replay_close(r);
    fclose(in);
    free(d.text);
}
END_TEST

/* ---- operations ---- */

/* A number in a column, or a byte several times. */
struct step {
    enum record_column column;
    uint64_t number;
    unsigned times; /* 0: the end */
    bool byte;
};
#define OP(op)                   \
    {                            \
        RECORD_OPS, op, 1, false \
    }
#define OPS(op, times)               \
    {                                \
        RECORD_OPS, op, times, false \
    }
#define PUT(column, number)               \
    {                                     \
        RECORD_##column, number, 1, false \
    }
#define BYTES(column, byte, times)         \
    {                                      \
        RECORD_##column, byte, times, true \
    }
/* Fetches an instruction for the first time, at 0x1000. */
#define FETCH(word) OP(OP_FETCH_NEW), PUT(CODE, 0x2000), PUT(CODE, word)
/* Fetches it again: it becomes the successor predicted. */
#define AGAIN OP(OP_FETCH_KNOWN), PUT(PATH, 0)
enum { NOP = 0x13, STORE = 0x3023, BRANCH = 0x63 };

struct block {
    const char *what;
    struct step step[12];
    bool values;
};

static void put_block(struct recording *d, const struct block *b)
{
    for (const struct step *s = b->step; s->times != 0; s++) {
        if (s->byte)
            recording_fill(&d->column[s->column], (uint8_t)s->number, s->times);
        for (unsigned n = 0; !s->byte && n < s->times; n++)
            column_put_number(&d->column[s->column], s->number);
    }
    part_write(d->parts, RECORD_PART_BLOCK, d->column);
}

static void expect_impossible(const struct block *b, int core, enum seen seen)
{
    struct recording d;
    struct errmsg err;
    char message[256];
    begin(&d, core, b->values);
    fflush(d.out);
    snprintf(message, sizeof message,
             "x.rec: offset %zu: the recording is damaged: an operation is impossible where it stands", d.bytes);
    put_block(&d, b);
    end(&d, 0, 0);
    ck_assert_msg(replay(&d, seen, &err) == ST_FORMAT, "%s: not refused, but '%s'", b->what, err.text);
    ck_assert_msg(strcmp(err.text, message) == 0, "%s: %s", b->what, err.text);
    free(d.text);
}

/* On the out-of-order core, whatever the observer sees. */
static const struct block impossible[] = {
    {"a fetch before the first instruction", {OP(OP_FETCH)}, false},
    {"fetches before the first instruction", {OP(OP_FETCH + 2)}, false},
    {"more instructions in flight than the core has", {FETCH(NOP), AGAIN, OPS(OP_FETCH + 7, 100)}, false},
    {"more of them, fetched one by one", {FETCH(NOP), OPS(OP_FETCH_KNOWN, 500), BYTES(PATH, 0, 500)}, false},
    {"a word of more than 32 bits", {FETCH(UINT64_C(0x100000013))}, false},
    {"a word that is no instruction", {FETCH(0xffffffff)}, false},
    {"a fetch of an instruction that does not exist", {OP(OP_FETCH_KNOWN), PUT(PATH, 400)}, false},
    {"a rename of two of one instruction", {FETCH(NOP), OP(OP_MAP + 1)}, false},
    {"an issue on the out-of-order core", {FETCH(NOP), OP(OP_MAP), OP(OP_ISSUE)}, false},
    {"a retirement of an instruction that is not renamed", {FETCH(NOP), OP(OP_RETIRE)}, false},
    {"a squash of two of one instruction", {FETCH(NOP), OP(OP_CAUSE), PUT(REST, 1), OP(OP_SQUASH + 1)}, false},
    {"a squash without a cause", {FETCH(NOP), OP(OP_SQUASH)}, false},
    {"a token of no cycles", {OP(OP_TOKEN_REPEAT), PUT(TOKENS, 0)}, false},
    {"a token of 2^61 cycles", {OP(OP_TOKEN_REPEAT), PUT(TOKENS, UINT64_C(1) << 61)}, false},
    {"a token with unknown flags", {OP(OP_TOKEN_FLAGS), PUT(TOKENS, 1 << 20), PUT(TOKENS, 1)}, false},
    {"more commits than banks", {FETCH(NOP), AGAIN, OP(OP_MAP + 1), OP(OP_RETIRE + 1), OP(OP_TOKEN)}, false},
    {"a token without banks", {OP(OP_TOKEN_WHOLE), BYTES(TOKENS, 0, 40)}, false},
    {"a token with 9 banks", {OP(OP_TOKEN_WHOLE), PUT(TOKENS, 0), PUT(TOKENS, 9), BYTES(TOKENS, 0, 99)}, false},
    {"a token whose head is no bank",
     {OP(OP_TOKEN_WHOLE), PUT(TOKENS, 0), PUT(TOKENS, 1), PUT(TOKENS, 1), BYTES(TOKENS, 0, 99)},
     false},
    {"a token with more commits than banks",
     {OP(OP_TOKEN_WHOLE), PUT(TOKENS, 2), PUT(TOKENS, 1), BYTES(TOKENS, 0, 99)},
     false},
    {"a whole token of no cycles", {OP(OP_TOKEN_WHOLE), PUT(TOKENS, 0), PUT(TOKENS, 1), BYTES(TOKENS, 0, 99)}, false},
    {"a whole token of 2^61 cycles",
     {OP(OP_TOKEN_WHOLE), PUT(TOKENS, 0), PUT(TOKENS, 1), BYTES(TOKENS, 0, 11), PUT(TOKENS, UINT64_C(1) << 61),
      BYTES(TOKENS, 0, 99)},
     false},
    {"events of a bank that does not exist", {OP(OP_EVENTS_BANK), PUT(EVENTS, 1), PUT(EVENTS, 0)}, false},
    {"events of an instruction that is not in flight", {OP(OP_EVENTS), PUT(EVENTS, 3), PUT(EVENTS, 1)}, false},
    {"an unknown cause", {OP(OP_CAUSE), PUT(REST, PROBE_CAUSE_COUNT)}, false},
    {"a sequence number that has been", {OP(OP_SEQ), PUT(REST, 0)}, false},
    {"a cycle that has been", {OP(OP_TOKEN), OP(OP_CLOCK), PUT(REST, 0)}, false},
    {"a cycle beyond 2^60", {OP(OP_CLOCK), PUT(REST, UINT64_C(1) << 61)}, false},
    {"values in a recording without", {FETCH(NOP), OP(OP_OUTCOME), PUT(REST, 0)}, false},
    {"values of an instruction that is not in flight", {OP(OP_OUTCOME), PUT(REST, 7)}, true},
    {"an unknown operation", {OP(127), PUT(REST, 0)}, false},
    {"a number of more than 64 bits", {OP(OP_SEQ), BYTES(REST, 0xff, 10)}, false},
    {"a column that ends early", {OP(OP_SEQ)}, false},
    {"a column that is not read to its end", {OP(OP_TOKEN), PUT(REST, 1)}, false},
};

/* Only if the observer sees the pipeline. */
static const struct block impossible_within[] = {
    {"a callback that does not exist", {OP(OP_EXEC), PUT(EXEC, 100)}, false},
    {"an instruction that is not in flight", {OP(OP_EXEC), PUT(EXEC, EXEC_READY), PUT(READY, 20)}, false},
    {"an access of a store that has not retired", {OP(OP_STORE), PUT(REST, 0), PUT(REST, 0)}, false},
};

static const struct block impossible_in_order[] = {
    {"an issue of an instruction that is not renamed", {FETCH(NOP), OP(OP_ISSUE)}, false},
    {"a retirement of an instruction that has not issued", {FETCH(NOP), OP(OP_MAP), OP(OP_RETIRE)}, false},
};
enum {
    IMPOSSIBLE = sizeof impossible / sizeof impossible[0],
    IMPOSSIBLE_WITHIN = sizeof impossible_within / sizeof impossible_within[0],
    IMPOSSIBLE_IN_ORDER = sizeof impossible_in_order / sizeof impossible_in_order[0]
};

START_TEST(impossible_operations)
{
    expect_impossible(&impossible[_i], OOO, ALL);
    expect_impossible(&impossible[_i], OOO, TOKENS);
}
END_TEST

START_TEST(impossible_operations_within) { expect_impossible(&impossible_within[_i], OOO, ALL); }
END_TEST

START_TEST(impossible_operations_in_order)
{
    expect_impossible(&impossible_in_order[_i], INORDER, ALL);
    expect_impossible(&impossible_in_order[_i], INORDER, TOKENS);
}
END_TEST

/* An access of a store behind 4,096 others that wait. */
START_TEST(too_many_stores_wait)
{
    static const struct block first = {"stores", {FETCH(STORE), AGAIN}, false},
                              last = {"access", {OP(OP_STORE), PUT(REST, 4096), PUT(REST, 0)}, false};
    struct recording d;
    struct errmsg err;
    begin(&d, OOO, false);
    put_block(&d, &first);
    for (unsigned n = 0; n < 4104; n += 8) {
        column_put(&d.column[RECORD_OPS], OP_FETCH + 7);
        column_put(&d.column[RECORD_OPS], OP_MAP + 7);
        column_put(&d.column[RECORD_OPS], OP_RETIRE + 7);
    }
    put_block(&d, &last);
    end(&d, 0, 0);
    ck_assert_int_eq(replay(&d, ALL, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "an operation is impossible where it stands") != NULL, "%s", err.text);
    free(d.text);
}
END_TEST

/* More instructions than a recording can have. */
START_TEST(code_is_limited)
{
    static const struct rv_insn insn;
    const struct core_config config = config_of(OOO);
    struct stream s;
    stream_init(&s, &config, false);
    s.codes = STREAM_CODE_CHUNK * STREAM_CODE_CHUNKS;
    ck_assert_uint_eq(stream_add_code(&s, 0x1000, &insn), 0);
    stream_fini(&s);
}
END_TEST

/* ---- sound streams ---- */

struct stream_case {
    struct block block;
    uint64_t cycles, instructions;
    int core;
};

static const struct stream_case sound[] = {
    {{"one instruction", {FETCH(NOP), OP(OP_MAP), OP(OP_RETIRE), OP(OP_TOKEN)}, false}, 1, 1, OOO},
    {{"one on the in-order core", {FETCH(NOP), OP(OP_MAP), OP(OP_ISSUE), OP(OP_RETIRE), OP(OP_TOKEN)}, false},
     1,
     1,
     INORDER},
    {{"a squash of the in-order core",
      {FETCH(NOP), OP(OP_MAP), OP(OP_ISSUE), OP(OP_CAUSE), PUT(REST, 1), OP(OP_SQUASH), OP(OP_TOKEN)},
      false},
     1,
     0,
     INORDER},
    {{"a whole token with flags",
      {OP(OP_TOKEN_WHOLE), PUT(TOKENS, 0), PUT(TOKENS, 1), BYTES(TOKENS, 0, 1), BYTES(TOKENS, 1, 11),
       BYTES(TOKENS, 0, 12), OP(OP_TOKEN)},
      false},
     2,
     0,
     OOO},
    {{"a store",
      {FETCH(STORE), OP(OP_MAP), OP(OP_RETIRE), OP(OP_STORE), PUT(REST, 0), PUT(REST, 0), OP(OP_TOKEN)},
      false},
     1,
     1,
     OOO},
    {{"events in a bank",
      {FETCH(NOP), OP(OP_MAP), OP(OP_TOKEN), OP(OP_EVENTS_BANK), PUT(EVENTS, 0), PUT(EVENTS, 1), OP(OP_TOKEN)},
      false},
     2,
     0,
     OOO},
    {{"a token of several cycles",
      {FETCH(NOP), OP(OP_MAP), OP(OP_TOKEN), OP(OP_EVENTS_BANK), PUT(EVENTS, 0), PUT(EVENTS, 1), OP(OP_TOKEN_REPEAT),
       PUT(TOKENS, 10)},
      false},
     11,
     0,
     OOO},
    {{"a change of the clock", {OP(OP_CLOCK), PUT(REST, 3), OP(OP_TOKEN)}, false}, 4, 0, OOO},
};
enum { SOUND = sizeof sound / sizeof sound[0] };

START_TEST(sound_operations)
{
    const struct stream_case *c = &sound[_i];
    for (enum seen seen = ALL; seen <= EVENTS; seen++) {
        struct recording d;
        struct errmsg err;
        begin(&d, c->core, c->block.values);
        put_block(&d, &c->block);
        end(&d, c->cycles, c->instructions);
        ck_assert_msg(replay(&d, seen, &err) == ST_OK, "%s: %s", c->block.what, err.text);
        ck_assert_msg(calls > 0 || seen > OUTLINES, "%s: no calls", c->block.what);
        free(d.text);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("record_damage");
    TCase *facts = tcase_create("facts");
    tcase_add_loop_test(facts, facts_of_the_head_are_checked, 0, WRONG_HEADS);
    tcase_add_loop_test(facts, facts_of_the_tail_are_checked, 0, WRONG_TAILS);
    tcase_add_loop_test(facts, facts_are_pairs, 0, UNPAIRED);
    tcase_add_test(facts, facts_stand_in_any_order);
    tcase_add_test(facts, no_facts);
    tcase_add_test(facts, images_are_limited);
    suite_add_tcase(s, facts);
    TCase *parts = tcase_create("parts");
    tcase_add_loop_test(parts, parts_are_checked, 0, WRONG_BYTES);
    tcase_add_test(parts, truncated_parts);
    tcase_add_test(parts, unreadable_file);
    tcase_add_test(parts, second_head);
    tcase_add_loop_test(parts, tail_of_another_stream, 0, 3);
    tcase_add_loop_test(parts, pages_of_code_are_checked, 0, 3);
    tcase_add_test(parts, pages_of_code_are_limited);
    tcase_add_test(parts, code_without_memory);
    suite_add_tcase(s, parts);
    TCase *operations = tcase_create("operations");
    tcase_add_loop_test(operations, impossible_operations, 0, IMPOSSIBLE);
    tcase_add_loop_test(operations, impossible_operations_within, 0, IMPOSSIBLE_WITHIN);
    tcase_add_loop_test(operations, impossible_operations_in_order, 0, IMPOSSIBLE_IN_ORDER);
    tcase_add_test(operations, too_many_stores_wait);
    tcase_add_test(operations, code_is_limited);
    tcase_add_loop_test(operations, sound_operations, 0, SOUND);
    suite_add_tcase(s, operations);
    return run_suite(s);
}
