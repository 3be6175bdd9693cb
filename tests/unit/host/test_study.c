/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Study files, manifests and footers. The hash of a job is compared with that of sha1sum(1). */
#include "host/report/json_value.h"
#include "host/study/manifest.h"
#include "host/study/result.h"
#include "host/study/study.h"

#include "tests/unit/suite.h"
#include <stdlib.h>
#include <string.h>

START_TEST(values_have_lines)
{
    struct study *s;
    struct errmsg err;
    static const char text[] = "# a comment\n"
                               "seeds = {1,\n"
                               "         2k}\n"
                               "program a {\n"
                               "    command = \"x y\"  /* of two\n lines */\n"
                               "    arguments = {-v, \"\"}\n"
                               "}\n"
                               "program b { command = z status = 255 }\n"
                               "jobs j { programs = b }\n";
    ck_assert_msg(study_parse("s.conf", text, &s, &err) == ST_OK, "%s", err.text);
    const struct study_values *seeds = &study_root(s)->key[STUDY_ROOT_SEEDS];
    ck_assert_uint_eq(seeds->count, 2);
    ck_assert_uint_eq(study_number(&seeds->item[1]), 2000);
    ck_assert_int_eq(seeds->item[0].line, 2);
    ck_assert_int_eq(seeds->item[1].line, 3);
    const struct study_section *a = study_find(s, STUDY_PROGRAM, "a");
    ck_assert_str_eq(study_one(a, STUDY_PROGRAM_COMMAND)->text, "x y");
    ck_assert_int_eq(study_one(a, STUDY_PROGRAM_COMMAND)->line, 5);
    ck_assert_uint_eq(a->key[STUDY_PROGRAM_ARGUMENTS].count, 2);
    ck_assert_str_eq(a->key[STUDY_PROGRAM_ARGUMENTS].item[1].text, "");
    ck_assert_int_eq(a->key[STUDY_PROGRAM_ARGUMENTS].item[0].line, 7);
    ck_assert_ptr_null(study_one(a, STUDY_PROGRAM_STATUS));
    ck_assert_ptr_null(study_find(s, STUDY_PROGRAM, "c"));
    ck_assert_ptr_null(study_find(s, STUDY_CONFIGURATION, "a"));
    study_free(s);
}
END_TEST

static const struct {
    const char *text, *error;
} mistakes[] = {
    {"", "s.conf: expected a section program, found none"},
    {"program a { command = x }\nprogram a { command = x }", "s.conf:2: found duplicate title 'a'"},
    {"program a {\n}\n", "s.conf:2: program 'a': expected the key command, found none"},
    {"program a { command = x status = 256 }", "s.conf:1: status: expected a number up to 255, found '256'"},
    {"program a { command = ${HOME} }", "s.conf:1: expected a value, found '${': environment variables are not "
                                        "expanded"},
    {"program a { command = x }\njobs j { seeds = -1 }", "s.conf:2: seeds: expected a number below 2^63, found '-1'"},
    {"program a { command = x instructions = 9223372036854775808 }",
     "s.conf:1: instructions: expected a number below 2^63, found '9223372036854775808'"},
    {"program a { command = \"x\xff\" }", "s.conf:1: command: expected text in UTF-8, found 'x?'"},
    {"program a { command = x }\nbaseline = b", "s.conf:2: baseline: expected the name of a configuration, found 'b'"},
    {"program a { command = x }\noutputs = {store,\nstore}",
     "s.conf:3: outputs: expected each output once, found 'store'"},
    {"program 1a { command = x }", "s.conf:1: name of the program: expected a letter, then letters, digits, '_' and "
                                   "'-', 64 at most, found '1a'"},
};

START_TEST(mistakes_are_named)
{
    struct study *s;
    struct errmsg err;
    ck_assert_int_ne(study_parse("s.conf", mistakes[_i].text, &s, &err), ST_OK);
    ck_assert_str_eq(err.text, mistakes[_i].error);
    ck_assert_ptr_null(s);
}
END_TEST

#define RUN                                                                                                            \
    "{\"command\":[\"a\"],\"folder\":null,\"input\":null,\"instructions\":5,\"outputs\":[],\"pcemu\":\"p\",\"status\"" \
    ":0}"
#define HEAD "{\"format\":\"pcsweep manifest\",\"version\":1,\"pcemu\":\"p\",\"baseline\":null}\n"
/* printf %s RUN | sha1sum */
#define ID "e488d685c21925fa6f3dfdecb673373deb289d1d"
#define JOB(id)     \
    "{\"id\":\"" id \
    "\",\"names\":[{\"program\":\"x\",\"configuration\":\"y\",\"profile\":\"\"}],\"seed\":7,\"run\":" RUN "}\n"

START_TEST(ids_are_hashes)
{
    struct manifest m = {0};
    struct errmsg err;
    ck_assert_msg(manifest_parse("m", HEAD JOB(ID), &m, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(m.jobs, 1);
    ck_assert_uint_eq(m.job[0].seed, 7);
    ck_assert(m.job[0].knows_instructions && m.job[0].instructions == 5);
    ck_assert_ptr_eq(manifest_find(&m, ID, &err), &m.job[0]);
    ck_assert_ptr_null(manifest_find(&m, "xyz", &err));
    manifest_release(&m);
    ck_assert_int_eq(manifest_parse("m", HEAD JOB("0"), &m, &err), ST_FORMAT);
    ck_assert_str_eq(err.text, "m:2: member id: expected " ID ", the hash of the member run, found '0'");
    manifest_release(&m);
    ck_assert_int_eq(manifest_parse("m", HEAD JOB(ID) JOB(ID), &m, &err), ST_FORMAT);
    ck_assert_str_eq(err.text, "m: expected each job once, found two lines of " ID ": plan the study again");
    manifest_release(&m);
    ck_assert_int_eq(manifest_parse("m", HEAD "{", &m, &err), ST_FORMAT);
    manifest_release(&m);
}
END_TEST

/* A worker has room for each output once. */
START_TEST(outputs_are_known)
{
    static const char *const wrong[] = {"\"store\",\"store\"", "\"stores\""};
    char *run = xasprintf("{\"command\":[\"a\"],\"folder\":null,\"input\":null,\"instructions\":5,\"outputs\":[%s],"
                          "\"status\":0}",
                          wrong[_i]),
         id[SHA1_TEXT];
    sha1_text(run, strlen(run), id);
    char *text = xasprintf(HEAD "{\"id\":\"%s\",\"names\":[{\"program\":\"x\",\"configuration\":\"y\",\"profile\":"
                                "\"\"}],\"seed\":7,\"run\":%s}\n",
                           id, run);
    struct manifest m = {0};
    struct errmsg err;
    ck_assert_int_eq(manifest_parse("m", text, &m, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "m:2: member outputs: expected statistics and store, each at most once") != NULL,
                  "%s", err.text);
    manifest_release(&m);
    free(text);
    free(run);
}
END_TEST

START_TEST(footers)
{
    static const char text[] = "{\"format\":\"pcsweep result\",\"version\":1,\"id\":\"a\",\"pcemu\":\"p\","
                               "\"failure\":null,\"instructions_expected\":null,\"instructions\":1,\"cycles\":2,"
                               "\"status\":0,\"milliseconds\":3,\"files\":{\"r\":{\"bytes\":1,\"sha1\":\"x\"}}}";
    struct result_footer f;
    struct errmsg err;
    ck_assert_msg(result_parse("f", text, strlen(text), &f, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(f.cycles, 2);
    ck_assert(!f.knows_expected && f.failure == NULL);
    result_release(&f);
    /* No beginning of a footer is one. */
    for (size_t n = 0; n < strlen(text); n++) {
        ck_assert_int_ne(result_parse("f", text, n, &f, &err), ST_OK);
        result_release(&f);
    }
}
END_TEST

int main(void)
{
    json_start();
    Suite *s = suite_create("study");
    TCase *t = tcase_create("files");
    tcase_add_test(t, values_have_lines);
    tcase_add_loop_test(t, mistakes_are_named, 0, sizeof mistakes / sizeof mistakes[0]);
    tcase_add_test(t, ids_are_hashes);
    tcase_add_loop_test(t, outputs_are_known, 0, 2);
    tcase_add_test(t, footers);
    suite_add_tcase(s, t);
    return run_suite(s);
}
