/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that have the name of a driver's program and lack what the driver reads: each is refused with what was
 * expected. */
#include "host/driver/driver.h"
#include "tests/fuzz/roundtrip.h"

/* Last: it has a macro of the name of our fail(). */
#include "tests/unit/suite.h"

#define CALLSTACK(slots) ".program callstack\n.base contexts = 0\n.base marks = 4\n" slots "done\n"
#define CONTEXTS(members) ".slot contexts[4] { " members ", n : 32 }\n"
#define PAIRED(sampler, members) \
    ".program paired\n.base insns = 0\n" sampler ".slot insns[4] exact concurrency { " members " }\ndone\n"
#define SIMPLE(members) ".program simple\n.base slots = 0\n.slot slots[4] { " members " }\ndone\n"

static const struct {
    const char *text, *message;
} programs[] = {
    {".program callstack\ndone\n", "program callstack: expected a layout 'contexts', found none"},
    {CALLSTACK(CONTEXTS("key : pc")), "program callstack: expected a key of format hex in layout contexts, found none"},
    {CALLSTACK(CONTEXTS("key : hex")), "program callstack: expected a layout 'marks', found none"},
    {CALLSTACK(CONTEXTS("key : hex") ".slot marks[1] { n : 32 }\n"),
     "program callstack: expected member 'parent' in layout contexts, found none"},
    {CALLSTACK(CONTEXTS("key : hex, parent : 32") ".slot marks[1] { n : 32 }\n"),
     "program callstack: expected member 'repaired' in layout marks, found none"},
    {CALLSTACK(CONTEXTS("key : hex, parent : 32") ".slot marks[1] { repaired : 32 }\n"),
     "program callstack: expected member 'doubted' in layout marks, found none"},
    {".program paired\n.base n = 0\n.slot n[2] { n : 32 }\ndone\n",
     "program paired: expected '.slot ... exact concurrency' with its counts fetched, useful and progress"},
    {PAIRED("", "key : pc exact pc, n : 32 exact useful"),
     "program paired: expected '.slot ... exact concurrency' with its counts fetched, useful and progress"},
    {PAIRED("", "key : pc exact pc, n : 16 exact fetched"),
     "program paired: expected '.slot ... exact concurrency' with its counts fetched, useful and progress"},
    {PAIRED("", "key : pc exact pc, n : 16 exact fetched, u : 16 exact useful"),
     "program paired: expected '.slot ... exact concurrency' with its counts fetched, useful and progress"},
    {PAIRED("", "key : pc exact pc, n : 16 exact fetched, u : 16 exact useful, p : 32 exact progress"),
     "program paired: expected '.sampler profileme, pair'"},
    {PAIRED(".sampler profileme, period=9\n",
            "key : pc exact pc, n : 16 exact fetched, u : 16 exact useful, p : 32 exact progress"),
     "program paired: expected '.sampler profileme, pair'"},
    {".program simple\ndone\n",
     "program simple: expected a layout 'slots' with a key of format pc, found no such layout"},
    {SIMPLE("key : hex, n : 32"),
     "program simple: expected a layout 'slots' with a key of format pc, found another key"},
    {SIMPLE("key : pc, n : 32"),
     "program simple: expected member 'value' of at least 32 bits in layout slots, found none"},
    {SIMPLE("key : pc, value : 32"),
     "program simple: expected member 'total' of at least 1 bits in layout slots, found none"},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

START_TEST(incomplete_programs_are_refused)
{
    const char *text = programs[_i].text;
    struct image im;
    struct errmsg err;
    struct driver *d;
    char *messages;
    ck_assert_msg(assemble_text(text, strlen(text), &im, &messages) == ST_OK, "%s", messages);
    free(messages);
    const struct bus bus = {0};
    const struct driver_env env = {.bus = &bus, .image = &im};
    ck_assert_int_ne(driver_new(&d, &env, &err), ST_OK);
    ck_assert_str_eq(err.text, programs[_i].message);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("driver programs");
    TCase *t = tcase_create("refused");
    tcase_add_loop_test(t, incomplete_programs_are_refused, 0, PROGRAMS);
    suite_add_tcase(s, t);
    return run_suite(s);
}
