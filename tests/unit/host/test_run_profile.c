/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a run as a profile: images of this very program against binutils, the memory and libdwfl's look-up; values
 * of each family. */
#include "host/run/run_profile.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/run/run_images.h"
#include "tests/unit/suite.h"

__attribute__((noinline)) int run_profile_landmark(int x);
int run_profile_landmark(int x) { return 5 * x + 2; }

static struct symbols *symbols;
static struct profile *profile;
static char self[PATH_MAX];
static uint64_t bias;

static int first_bias(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size;
    *(uint64_t *)ctx = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

static void setup(void)
{
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert_int_gt(length, 0);
    self[length] = '\0';
    ck_assert_int_eq(symbols_new(&symbols, self, "", NULL), ST_OK);
    dl_iterate_phdr(first_bias, &bias);
    symbols_set_bias(symbols, bias);
    profile = NULL;
}

static void teardown(void)
{
    symbols_free(symbols);
    profile_free(profile);
}

static uint64_t landmark(void) { return (uint64_t)(uintptr_t)run_profile_landmark; }

/* The image of this program. */
static const struct profile_image *own_image(void)
{
    uint32_t image;
    uint64_t address;
    profile = profile_new();
    struct run_images *images = run_images_new(symbols, profile, NULL);
    ck_assert(!run_images_find(images, 0, &image, &address));
    ck_assert(run_images_find(images, landmark(), &image, &address));
    ck_assert_uint_eq(address, landmark() - bias);
    ck_assert(run_images_find(images, landmark() + 1, &image, &address));
    ck_assert_uint_eq(profile_images(profile), 1);
    run_images_free(images);
    return profile_image(profile, image);
}

/* The first line that a command prints, in a static buffer; "" if it prints none. */
static const char *first_line(const char *command)
{
    static char line[256];
    FILE *in = popen(command, "r");
    ck_assert_ptr_nonnull(in);
    line[0] = '\0';
    if (fgets(line, sizeof line, in) != NULL)
        line[strcspn(line, "\n")] = '\0';
    pclose(in);
    return line;
}

/* By readelf and sha1sum. */
START_TEST(an_image_is_named_by_its_content)
{
    const struct profile_image *i = own_image();
    char *command = xasprintf("readelf -n '%s' 2> /dev/null | sed -n 's/.*Build ID: //p'", self), id[256];
    snprintf(id, sizeof id, "%s", first_line(command));
    free(command);
    if (id[0] == '\0') {
        command = xasprintf("sha1sum < '%s' | sed 's/ .*//; s/^/sha1:/'", self);
        snprintf(id, sizeof id, "%s", first_line(command));
        free(command);
    }
    ck_assert_str_eq(i->build_id, id);
    ck_assert_str_eq(i->path, self);
    ck_assert_str_eq(i->name, strrchr(self, '/') + 1);
}
END_TEST

START_TEST(functions_do_not_overlap)
{
    const struct profile_image *i = own_image();
    const struct profile_symbol *s = profile_find_symbol(i, landmark() - bias);
    ck_assert(s != NULL && s->start == landmark() - bias);
    ck_assert_str_eq(s->name, "run_profile_landmark");
    ck_assert_uint_gt(i->symbols, 100);
    for (size_t n = 1; n < i->symbols; n++)
        ck_assert_uint_le(i->symbol[n - 1].start + i->symbol[n - 1].size_bytes, i->symbol[n].start);
    /* Every function that the look-up of single addresses finds by its size starts a function here. There a name that
     * several functions of the file have is followed by "@0xADDRESS". */
    unsigned same = 0, other = 0;
    for (size_t n = 0; n < i->symbols; n++) {
        struct symbols_place p = symbols_find(symbols, i->symbol[n].start + bias);
        ck_assert_ptr_nonnull(p.function);
        size_t length = strlen(i->symbol[n].shown);
        bool equal = strncmp(p.function, i->symbol[n].shown, length) == 0 &&
                     (p.function[length] == '\0' || p.function[length] == '@');
        *(equal ? &same : &other) += 1;
    }
    ck_assert_uint_gt(same, 50 * other);
}
END_TEST

/* Address of a section to which the loader writes addresses; 0: there is none. */
static uint64_t relocated_section(void)
{
    char *command = xasprintf("readelf -SW '%s' | sed -n 's/.* \\.data\\.rel\\.ro *PROGBITS *\\([0-9a-f]*\\) .*/\\1/p'",
                              self);
    uint64_t address = strtoull(first_line(command), NULL, 16);
    free(command);
    return address;
}

/* Reads by the kernel, because a sanitizer forbids reads between variables. */
static void check_sections(const struct profile_code *section, size_t count)
{
    uint64_t relocated = relocated_section();
    size_t checked = 0;
    int memory = open("/proc/self/mem", O_RDONLY);
    ck_assert_int_ge(memory, 0);
    for (size_t n = 0; n < count; n++) {
        const struct profile_code *c = &section[n];
        if (n > 0)
            ck_assert_uint_le(section[n - 1].start + section[n - 1].size_bytes, c->start);
        if (c->start == relocated)
            continue;
        uint8_t *bytes = malloc(c->size_bytes + 1);
        ck_assert_int_eq(pread(memory, bytes, c->size_bytes, (off_t)(c->start + bias)), (ssize_t)c->size_bytes);
        ck_assert_mem_eq(c->bytes, bytes, c->size_bytes);
        checked += c->size_bytes;
        free(bytes);
    }
    close(memory);
    ck_assert_uint_gt(checked, 1000);
}

START_TEST(code_and_constants_are_those_in_memory)
{
    const struct profile_image *i = own_image();
    check_sections(i->code, i->codes);
    check_sections(i->data, i->datas);
}
END_TEST

/* Against libdwfl's own look-up, which is what reports print. */
START_TEST(lines_are_those_of_single_addresses)
{
    const struct profile_image *i = own_image();
    unsigned known = 0, unlike = 0;
    for (size_t n = 0; n < i->symbols; n++)
        for (uint64_t a = i->symbol[n].start; a < i->symbol[n].start + i->symbol[n].size_bytes; a += 3) {
            struct symbols_place p = symbols_find(symbols, a + bias);
            const struct profile_line *l = profile_find_line(i, a);
            const char *file = l != NULL ? strrchr(profile_file(profile, l->file), '/') : NULL;
            bool same = (p.file == NULL) == (l == NULL);
            if (same && l != NULL)
                same = (int)l->line == p.line &&
                       strcmp(file != NULL ? file + 1 : profile_file(profile, l->file), p.file) == 0;
            known += p.file != NULL;
            unlike += !same;
        }
    ck_assert_uint_gt(known, 100);
    ck_assert_msg(unlike * 1000 <= known, "%u of %u lines differ", unlike, known);
}
END_TEST

/* ---- values ---- */

static uint32_t event(const char *name, enum profile_source source)
{
    uint32_t e = profile_find_event(profile, name, source);
    ck_assert_msg(e != PROFILE_NO_EVENT, "%s", name);
    return e;
}

START_TEST(values_have_their_events)
{
    uint64_t pc = landmark(), at = pc - bias;
    const struct time_row time_rows[] = {{.pc = 0, .time = {TIME_PER_CYCLE}},
                                         {.pc = pc, .time = {TIME_PER_CYCLE / 2, 7 * TIME_PER_CYCLE}}};
    const struct time_profile times[] = {
        {.label = "oracle", .exact = true, .row = time_rows, .rows = 2},
        {.label = "tip:period=9", .period = 9, .samples = 4, .lost = 2, .row = time_rows, .rows = 2}};
    const struct time_result time = {.profile = times, .profiles = 2, .cycles = 100};
    struct count_row exact = {.pc = pc}, sampled = {.pc = pc, .samples = 3}, counted = {.pc = pc};
    exact.count[COUNT_RETIRED] = 40;
    sampled.count[COUNT_RETIRED] = 3;
    counted.count[COUNT_DCACHE_MISS] = 5;
    const struct count_profile counts[] = {
        {.label = "counts", .exact = true, .kinds = 1ull << COUNT_RETIRED, .row = &exact, .rows = 1},
        {.label = "profileme", .kinds = 1ull << COUNT_RETIRED, .scale = 13, .lost = 1, .row = &sampled, .rows = 1}};
    const struct count_result count = {.profile = counts, .profiles = 2};
    const struct counter_event dcache = {.kind = COUNT_DCACHE_MISS,
                                         .total = 99,
                                         .counted = 60,
                                         .overflows = 6,
                                         .samples = 5,
                                         .lost = 1,
                                         .estimate = 100};
    const struct counter_profile counter = {
        .label = "c", .period = 10, .event = &dcache, .events = 1, .row = &counted, .rows = 1};
    const struct counter_result counters = {.profile = &counter, .profiles = 1};
    const struct path_edge edges[] = {{pc, pc + 8, 21}, {pc + 4, 0, 2}};
    const struct path_profile path = {.label = "paths", .edge = edges, .edges = 2};
    const struct path_result paths = {.profile = &path, .profiles = 1};
    const struct run_results r = {
        .time = &time, .counts = &count, .counters = &counters, .paths = &paths, .symbols = symbols};
    profile = run_profile_new(&r);

    uint32_t e = event("cycles", PROFILE_EXACT);
    ck_assert(profile_value(profile, e, 0, at) == 7.5 && profile_event(profile, e)->unplaced == 1);
    ck_assert(profile_event(profile, e)->total == 100 && profile_event(profile, e)->period == 0);
    e = event("cycles", PROFILE_TIME);
    ck_assert(profile_value(profile, e, 0, at) == 7.5 && profile_event(profile, e)->period == 9);
    ck_assert_uint_eq(profile_event(profile, e)->lost, 2);
    ck_assert_uint_eq(profile_event(profile, e)->runs, 1);
    ck_assert_str_eq(profile_event(profile, e)->by, "tip:period=9");
    e = event("retired", PROFILE_EXACT);
    ck_assert(profile_value(profile, e, 0, at) == 40 && profile_event(profile, e)->total == 40);
    e = event("retired", PROFILE_COUNTS);
    ck_assert(profile_value(profile, e, 0, at) == 3 && profile_event(profile, e)->scale == 13);
    ck_assert(profile_event(profile, e)->total == 40);
    e = event("dcache-miss", PROFILE_COUNTER);
    ck_assert(profile_value(profile, e, 0, at) == 5 && profile_event(profile, e)->scale == 20);
    ck_assert(profile_event(profile, e)->total == 99 && profile_event(profile, e)->period == 10);
    e = event("transfers", PROFILE_EXACT);
    size_t transfers;
    const struct profile_edge *edge = profile_edges(profile, e, &transfers);
    ck_assert(transfers == 1 && edge->from == at && edge->to == at + 8 && edge->value == 21);
    ck_assert(profile_event(profile, e)->total == 23 && profile_event(profile, e)->unplaced == 2);
}
END_TEST

/* Estimates by the program `edge`, and exact answers where they have a sum, of tables by pc that have rows. */
START_TEST(tables_of_a_program_have_their_events)
{
    struct program_number first[] = {{.held = 7},
                                     {.held = 2, .estimate = 14, .exact = 15},
                                     {.estimate = 3, .exact = 4}},
                          second[] = {{.held = 9}, {.held = 1, .estimate = 7, .exact = 1}, {.estimate = (double)NAN}};
    struct program_row rows[] = {{.key = landmark(), .number = first}, {.key = 0, .number = second}};
    struct program_profile p = {.label = "edge", .tables = 3};
    p.table[0] = (struct program_table){.name = "branches", .key = FORMAT_PC, .members = 3, .row = rows, .rows = 2};
    p.table[0].member[0] = (struct program_member){.name = "history", .format = FORMAT_HEX, .exact = (double)NAN};
    p.table[0].member[1] = (struct program_member){
        .name = "taken", .unit = "branches", .has_estimate = true, .has_exact = true, .exact = 21};
    p.table[0].member[2] = (struct program_member){
        .name = "mean", .has_estimate = true, .has_exact = true, .exact = (double)NAN};
    p.table[1] = p.table[2] = p.table[0];
    p.table[1].key = FORMAT_LINE;
    p.table[2].rows = 0;
    const struct run_results results = {.program = &p, .symbols = symbols};
    profile = run_profile_new(&results);
    ck_assert_uint_eq(profile_events(profile), 3);
    uint32_t e = event("branches.taken", PROFILE_PROGRAM), x = event("branches.taken", PROFILE_EXACT),
             mean = event("branches.mean", PROFILE_PROGRAM);
    ck_assert(profile_value(profile, e, 0, landmark() - bias) == 14 && profile_event(profile, e)->unplaced == 7);
    ck_assert(profile_value(profile, x, 0, landmark() - bias) == 15);
    ck_assert_msg(profile_event(profile, x)->unplaced == 1 + 5, "a row without a file, and places without a row");
    ck_assert(profile_event(profile, e)->total == 21 && profile_event(profile, x)->total == 21);
    ck_assert_str_eq(profile_event(profile, e)->by, "edge");
    ck_assert_str_eq(profile_event(profile, x)->unit, "branches");
    ck_assert(profile_value(profile, mean, 0, landmark() - bias) == 3 && isnan(profile_event(profile, mean)->total));
    ck_assert(profile_event(profile, mean)->unplaced == 0);
    ck_assert_str_eq(profile_event(profile, mean)->unit, "events");
}
END_TEST

/* A call path ends at the first function that no file has; one without a function is of no place. */
START_TEST(call_paths_are_stacks)
{
    uint64_t entry[] = {landmark(), 0, landmark()};
    struct program_path paths[] = {{.events = 5, .entry = entry, .depth = 3}, {.events = 2}};
    struct program_profile p = {.label = "callstack", .has_paths = true, .path = paths, .paths = 2};
    const struct run_results results = {.program = &p, .symbols = symbols};
    size_t stacks;
    profile = run_profile_new(&results);
    uint32_t e = event("call_paths.events", PROFILE_PROGRAM);
    const struct profile_stack *s = profile_stacks(profile, e, &stacks);
    ck_assert_uint_eq(stacks, 2);
    ck_assert(profile_frame(profile, s[0].frame)->depth + profile_frame(profile, s[1].frame)->depth == 1 &&
              s[0].value + s[1].value == 7);
    ck_assert(profile_value(profile, e, 0, landmark() - bias) == 5 && profile_event(profile, e)->unplaced == 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_profile");
    TCase *c = tcase_create("run_profile");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, an_image_is_named_by_its_content);
    tcase_add_test(c, functions_do_not_overlap);
    tcase_add_test(c, code_and_constants_are_those_in_memory);
    tcase_add_test(c, lines_are_those_of_single_addresses);
    tcase_add_test(c, values_have_their_events);
    tcase_add_test(c, tables_of_a_program_have_their_events);
    tcase_add_test(c, call_paths_are_stacks);
    suite_add_tcase(s, c);
    return run_suite(s);
}
