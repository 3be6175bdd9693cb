/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb's remote protocol: packets, registers, breakpoints in memory. */
#include "core-model/gdb/breaks.h"
#include "core-model/gdb/history.h"
#include "core-model/gdb/packet.h"
#include "core-model/gdb/registers.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdlib.h>

#include "base/random.h"
#include "tests/unit/guest_code.h"
#include "tests/unit/small_guest.h"

/* ---- packets ---- */

/* The last result of the bytes. */
static enum gdb_input take_all(struct gdb_reader *r, const char *bytes, size_t size_bytes)
{
    enum gdb_input last = GDB_INPUT_NONE;
    for (size_t i = 0; i < size_bytes; i++)
        last = gdb_reader_take(r, (uint8_t)bytes[i]);
    return last;
}

/* Packets that gdb 13.1 has sent. */
static const struct {
    const char *packet, *data;
} sent[] = {{"$m1f7ee,4#65", "m1f7ee,4"},
            {"$z0,1066a,2#62", "z0,1066a,2"},
            {"$vCont;c:3e9#b3", "vCont;c:3e9"},
            {"$vKill;a410#33", "vKill;a410"},
            {"$Z0,10668,2#19", "Z0,10668,2"}};

START_TEST(packets_of_gdb)
{
    static struct gdb_reader r;
    size_t size_bytes;
    ck_assert_int_eq(take_all(&r, sent[_i].packet, strlen(sent[_i].packet)), GDB_INPUT_REQUEST);
    ck_assert_str_eq(r.data, sent[_i].data);
    struct gdb_reply reply = {0};
    gdb_reply_text(&reply, "%s", sent[_i].data);
    char *frame = gdb_reply_frame(&reply, &size_bytes);
    ck_assert_uint_eq(size_bytes, strlen(sent[_i].packet));
    ck_assert_mem_eq(frame, sent[_i].packet, size_bytes);
    free(frame);
    gdb_reply_free(&reply);
}
END_TEST

START_TEST(what_is_between_packets)
{
    static struct gdb_reader r;
    ck_assert_int_eq(take_all(&r, "+", 1), GDB_INPUT_NONE);
    ck_assert_int_eq(take_all(&r, "-", 1), GDB_INPUT_REPEAT);
    ck_assert_int_eq(take_all(&r, "\3", 1), GDB_INPUT_INTERRUPT);
    ck_assert_int_eq(take_all(&r, "$ab#00", 6), GDB_INPUT_DAMAGED);
    ck_assert_int_eq(take_all(&r, "$ab$g#67", 8), GDB_INPUT_REQUEST);
    ck_assert_str_eq(r.data, "g");
    ck_assert_int_eq(take_all(&r, "$a}#de", 6), GDB_INPUT_DAMAGED); /* an escape without its character */
    ck_assert_int_eq(take_all(&r, "$g#zz", 5), GDB_INPUT_DAMAGED);
}
END_TEST

/* Any bytes are the same behind the escapes and the parser; a packet of which one bit is wrong is not taken for
 * another. */
START_TEST(bytes_are_received_as_sent)
{
    static struct gdb_reader r;
    struct random random = {.state = (uint64_t)_i + 1};
    uint8_t data[64];
    size_t size_bytes;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_bits(&random);
    struct gdb_reply reply = {0};
    gdb_reply_binary(&reply, data, sizeof data);
    char *frame = gdb_reply_frame(&reply, &size_bytes);
    ck_assert_int_eq(take_all(&r, frame, size_bytes), GDB_INPUT_REQUEST);
    ck_assert_uint_eq(r.size_bytes, sizeof data);
    ck_assert_mem_eq(r.data, data, sizeof data);
    frame[1 + random_below(&random, (unsigned)size_bytes - 4)] ^= (char)(1 << random_below(&random, 3));
    ck_assert_int_ne(take_all(&r, frame, size_bytes), GDB_INPUT_REQUEST);
    free(frame);
    gdb_reply_free(&reply);
}
END_TEST

START_TEST(long_packets_are_refused)
{
    static struct gdb_reader r;
    enum gdb_input last = gdb_reader_take(&r, '$');
    for (int i = 0; i <= GDB_PACKET_BYTES; i++)
        last = gdb_reader_take(&r, 0);
    ck_assert_int_eq(last, GDB_INPUT_NONE);
    ck_assert_int_eq(take_all(&r, "#00", 3), GDB_INPUT_DAMAGED);
    ck_assert_int_eq(take_all(&r, "$#00", 4), GDB_INPUT_REQUEST);
    ck_assert_uint_eq(r.size_bytes, 0);
}
END_TEST

START_TEST(numbers)
{
    struct gdb_scan s = gdb_scan_from("1f,p-1;", 7);
    uint64_t n;
    uint8_t bytes[2];
    ck_assert(gdb_scan_number(&s, &n));
    ck_assert_uint_eq(n, 0x1f);
    ck_assert(!gdb_scan_number(&s, &n));
    ck_assert(gdb_scan_word(&s, ",p") && gdb_scan_thread(&s, &n));
    ck_assert_uint_eq(n, UINT64_MAX);
    ck_assert(!gdb_scan_word(&s, ";;") && gdb_scan_word(&s, ";") && gdb_scan_is_over(&s));
    s = gdb_scan_from("0123456789abcdef0", 17);
    ck_assert(gdb_scan_number(&s, &n) && !gdb_scan_is_over(&s));
    ck_assert_uint_eq(n, UINT64_C(0x0123456789abcdef));
    s = gdb_scan_from("aB0", 3);
    ck_assert_uint_eq(gdb_scan_hex(&s, bytes, sizeof bytes), 1);
    ck_assert_uint_eq(bytes[0], 0xab);
}
END_TEST

/* ---- registers ---- */

START_TEST(registers_are_set_as_shown)
{
    uint64_t reg[64] = {0}, pc = 0;
    uint32_t fcsr = 0;
    const struct guest_registers r = {reg, &pc, &fcsr};
    const unsigned number = (unsigned)_i;
    const char *value = number < GDB_REG_FFLAGS  ? "8877665544332210"
                        : number == GDB_REG_FCSR ? "a5000000"
                        : number == GDB_REG_FRM  ? "05000000"
                                                 : "15000000";
    struct gdb_scan s = gdb_scan_from(value, strlen(value));
    struct gdb_reply reply = {0};
    ck_assert(gdb_register_take(&r, number, &s) && gdb_scan_is_over(&s));
    gdb_register_put(&r, number, &reply);
    ck_assert_uint_eq(reply.size_bytes, strlen(value));
    ck_assert_mem_eq(reply.data, number == 0 ? "0000000000000000" : value, strlen(value));
    s.at = s.end - 1;
    ck_assert(!gdb_register_take(&r, number, &s));
    gdb_reply_free(&reply);
}
END_TEST

/* ---- breakpoints ---- */

enum { POINTS = 8, CODE_BYTES = 64, STEPS = 400 };

static struct guest guest;
static struct gdb_breaks breaks;

static void load_words(const uint32_t *words, size_t count)
{
    static uint8_t elf[SMALL_OFFSET + SMALL_WORDS * 4];
    char path[] = "/tmp/pcemu-test-XXXXXX";
    const size_t size_bytes = small_elf(elf, words, count);
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, elf, size_bytes), (ssize_t)size_bytes);
    close(fd);
    small_guest_load(&guest, path);
    unlink(path);
}

static void load_guest(void)
{
    uint32_t words[CODE_BYTES / 4];
    for (uint32_t i = 0; i < CODE_BYTES / 4; i++)
        words[i] = 0x00150513 + (i << 20);
    load_words(words, CODE_BYTES / 4);
}

/* Breakpoints that are set, removed and written over at random, overlapping ones too, leave the memory that gdb sees.
 */
START_TEST(memory_is_seen_without_breakpoints)
{
    struct random random = {.state = (uint64_t)_i + 1};
    uint8_t expected[CODE_BYTES], seen[CODE_BYTES];
    load_guest();
    gdb_breaks_forget(&breaks);
    ck_assert_uint_eq(guest_read_bytes(&guest, SMALL_CODE, expected, CODE_BYTES), CODE_BYTES);
    for (int n = 0; n < STEPS; n++) {
        const unsigned at = random_below(&random, POINTS) * 2;
        const bool now = random_below(&random, 4) != 0;
        const struct gdb_point p = {.address = SMALL_CODE + at,
                                    .size_bytes = random_below(&random, 2) == 0 ? 2 : 4,
                                    .kind = (enum gdb_break)random_below(&random, 2)};
        const uint8_t byte = (uint8_t)random_bits(&random);
        switch (random_below(&random, 4)) {
        case 0:
            ck_assert_int_eq(gdb_breaks_remove(&breaks, &guest, &p, now), 0);
            break;
        case 1:
            ck_assert_uint_eq(gdb_breaks_write(&breaks, &guest, SMALL_CODE + at, &byte, 1), 1);
            expected[at] = byte;
            break;
        default:
            ck_assert_int_eq(gdb_breaks_insert(&breaks, &guest, &p, now), 0);
            if (now)
                ck_assert_ptr_nonnull(gdb_breaks_at(&breaks, p.address));
        }
        if (random_below(&random, 8) == 0)
            gdb_breaks_apply(&breaks, &guest);
        ck_assert_uint_eq(gdb_breaks_read(&breaks, &guest, SMALL_CODE, seen, CODE_BYTES), CODE_BYTES);
        ck_assert_mem_eq(seen, expected, CODE_BYTES);
    }
    gdb_breaks_remove_all(&breaks, &guest);
    ck_assert_uint_eq(guest_read_bytes(&guest, SMALL_CODE, seen, CODE_BYTES), CODE_BYTES);
    ck_assert_mem_eq(seen, expected, CODE_BYTES);
    guest_fini(&guest);
}
END_TEST

START_TEST(a_breakpoint_is_an_ebreak)
{
    static const uint8_t ebreaks[] = {0x02, 0x90, 0x73, 0x00, 0x10, 0x00};
    uint8_t seen[6];
    load_guest();
    gdb_breaks_forget(&breaks);
    const struct gdb_point two = {.address = SMALL_CODE, .size_bytes = 2},
                           four = {.address = SMALL_CODE + 2, .size_bytes = 4},
                           nowhere = {.address = 0x5000, .size_bytes = 2}, odd = {.address = 0x10001, .size_bytes = 2};
    ck_assert_int_eq(gdb_breaks_insert(&breaks, &guest, &two, true), 0);
    ck_assert_int_eq(gdb_breaks_insert(&breaks, &guest, &four, true), 0);
    ck_assert_int_ne(gdb_breaks_insert(&breaks, &guest, &nowhere, true), 0);
    ck_assert_int_ne(gdb_breaks_insert(&breaks, &guest, &odd, true), 0);
    ck_assert_uint_eq(guest_read_bytes(&guest, SMALL_CODE, seen, sizeof seen), sizeof seen);
    ck_assert_mem_eq(seen, ebreaks, sizeof seen);
    guest_fini(&guest);
}
END_TEST

START_TEST(watchpoints_are_met)
{
    const struct gdb_point p = {.address = 0x1004, .size_bytes = 4, .kind = GDB_WATCH_WRITE};
    const struct {
        struct gdb_access access;
        bool meets;
    } cases[] = {{{0x1000, 4, false, true}, false}, {{0x1000, 8, false, true}, true},  {{0x1007, 1, false, true}, true},
                 {{0x1008, 8, false, true}, false}, {{0x1004, 4, true, false}, false}, {{0x1004, 4, true, true}, true}};
    gdb_breaks_forget(&breaks);
    ck_assert_int_eq(gdb_breaks_insert(&breaks, &guest, &p, true), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_int_eq(gdb_breaks_met(&breaks, &cases[i].access) != NULL, cases[i].meets);
    ck_assert_int_eq(gdb_breaks_remove(&breaks, &guest, &p, true), 0);
    ck_assert_ptr_null(gdb_breaks_met(&breaks, &cases[1].access));
}
END_TEST

/* ---- reverse execution ---- */

enum { HISTORY_INSNS = 3000 };

/* Loads, stores of each width, an atomic instruction, flags, branches; on registers and memory that it changes. */
static size_t make_loop(uint32_t *words)
{
    struct program *p = program_begin();
    lui(p, S0, SMALL_DATA);
    const uint32_t top = p->count;
    addi(p, A0, A0, 37);
    mul(p, A1, A0, A0);
    andi(p, A2, A1, 0x7f8);
    add(p, A2, A2, S0);
    ld(p, A3, A2, 0);
    xor_(p, A1, A1, A3);
    sd(p, A1, A2, 0);
    sb(p, A0, A2, 3);
    lbu(p, A4, A2, 5);
    amoadd(p, A5, A4, S0);
    fsflags(p, A4);
    branch(p, 1, A4, A0, top);
    branch(p, 0, ZERO, ZERO, top);
    memcpy(words, p->word, p->count * sizeof *words);
    return p->count;
}

struct machine_image {
    uint64_t reg[64], pc, instret;
    uint32_t fcsr;
    uint8_t data[0x1000];
};

static struct machine_image image_now(void)
{
    struct machine_image image = {.pc = guest.hart.pc, .instret = guest.hart.instret, .fcsr = guest.hart.fcsr};
    memcpy(image.reg, guest.hart.reg, sizeof image.reg);
    ck_assert_uint_eq(guest_read_bytes(&guest, SMALL_DATA, image.data, sizeof image.data), sizeof image.data);
    return image;
}

/* Each moment is as it was, on the way back and when the guest runs on from there. */
START_TEST(history_is_taken_back)
{
    static struct machine_image before[4], now;
    static struct gdb_history history;
    uint32_t words[SMALL_WORDS];
    load_words(words, make_loop(words));
    gdb_history_begin(&history);
    ck_assert_ptr_null(gdb_history_undo(&history, &guest));
    for (int n = 0; n < 4; n++) {
        before[n] = image_now();
        ck_assert_int_eq(gdb_history_run(&history, &guest, HISTORY_INSNS, UINT64_MAX), RV_TRAP_LIMIT);
    }
    const struct machine_image end = image_now();
    ck_assert_uint_eq(history.count, 4 * HISTORY_INSNS);
    for (int n = 3; n >= 0; n--) {
        for (int i = 0; i < HISTORY_INSNS; i++)
            ck_assert_ptr_nonnull(gdb_history_undo(&history, &guest));
        now = image_now();
        ck_assert_mem_eq(&now, &before[n], sizeof now);
    }
    ck_assert_ptr_null(gdb_history_undo(&history, &guest));
    ck_assert_int_eq(gdb_history_run(&history, &guest, 4 * HISTORY_INSNS, UINT64_MAX), RV_TRAP_LIMIT);
    now = image_now();
    ck_assert_mem_eq(&now, &end, sizeof now);
    const struct gdb_moment *last = gdb_history_undo(&history, &guest);
    ck_assert_ptr_nonnull(last);
    ck_assert_int_eq(gdb_history_run(&history, &guest, HISTORY_INSNS, last->pc), RV_TRAP_LIMIT);
    ck_assert_uint_eq(history.count, 4 * HISTORY_INSNS - 1); /* it is there already */
    gdb_history_free(&history);
    guest_fini(&guest);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gdb");
    TCase *packets = tcase_create("packets");
    tcase_add_loop_test(packets, packets_of_gdb, 0, sizeof sent / sizeof sent[0]);
    tcase_add_test(packets, what_is_between_packets);
    tcase_add_loop_test(packets, bytes_are_received_as_sent, 0, 50);
    tcase_add_test(packets, long_packets_are_refused);
    tcase_add_test(packets, numbers);
    tcase_add_loop_test(packets, registers_are_set_as_shown, 0, GDB_REGISTERS);
    suite_add_tcase(s, packets);
    TCase *memory = tcase_create("memory");
    tcase_add_loop_test(memory, memory_is_seen_without_breakpoints, 0, 10);
    tcase_add_test(memory, a_breakpoint_is_an_ebreak);
    tcase_add_test(memory, watchpoints_are_met);
    tcase_add_test(memory, history_is_taken_back);
    suite_add_tcase(s, memory);
    return run_suite(s);
}
