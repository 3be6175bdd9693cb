/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core configuration: defaults, files, assignments, the check of the whole, and the dump that loads again. */
#include "core-model/config/config.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Loads `text` as a file; "FILE" in the message stands for its name. */
static enum status load_text(const char *text, struct core_config *cfg, struct errmsg *err)
{
    char path[] = "/tmp/test_config_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    struct errmsg e = {{0}};
    enum status st = core_config_load(path, cfg, &e);
    unlink(path);
    if (strncmp(e.text, path, strlen(path)) == 0)
        snprintf(err->text, sizeof err->text, "FILE%.400s", e.text + strlen(path));
    else
        *err = e;
    return st;
}

START_TEST(defaults_are_the_papers)
{
    struct core_config cfg;
    struct errmsg err;
    core_config_default(&cfg);
    ck_assert_uint_eq(cfg.fetch_width, 8);
    ck_assert_uint_eq(cfg.rob_entries, 128);
    ck_assert_uint_eq(cfg.commit_width, 4);
    ck_assert_uint_eq(cfg.l2_bytes, 524288);
    ck_assert_uint_eq(cfg.div_pipelined, 0);
    ck_assert_int_eq(core_config_check(&cfg, &err), ST_OK);
}
END_TEST

/* A configuration that comes from a recording is checked as a whole. */
START_TEST(values_out_of_range)
{
    struct core_config cfg;
    struct errmsg err;
    core_config_default(&cfg);
    cfg.rob_entries = 3;
    ck_assert_int_eq(core_config_check(&cfg, &err), ST_RANGE);
    ck_assert_str_eq(err.text, "key rob_entries: expected a number from 4 to 512 (entries), found 3");
    cfg.rob_entries = 513;
    ck_assert_int_eq(core_config_check(&cfg, &err), ST_RANGE);
    ck_assert_str_eq(err.text, "key rob_entries: expected a number from 4 to 512 (entries), found 513");
}
END_TEST

START_TEST(shipped_files_load)
{
    struct core_config cfg, boom;
    struct errmsg err;
    core_config_default(&cfg);
    boom = cfg;
    ck_assert_msg(core_config_load("core-model/config/boom.conf", &boom, &err) == ST_OK, "%s", err.text);
    ck_assert_mem_eq(&boom, &cfg, sizeof cfg); /* boom.conf names what is built in */
    core_config_default(&cfg);
    ck_assert_msg(core_config_load("core-model/config/ev6.conf", &cfg, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(cfg.predictor, 1);
    ck_assert_uint_eq(cfg.mem_in_int_queue, 1);
    ck_assert_uint_eq(cfg.llc_bytes, 0);
}
END_TEST

/* A dump is read back; errors name the text. */
START_TEST(a_text_is_parsed_as_a_file)
{
    struct core_config cfg, read;
    struct errmsg err;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    core_config_default(&cfg);
    ck_assert_int_eq(core_config_set(&cfg, "core=inorder", &err), ST_OK);
    core_config_dump(&cfg, out);
    fclose(out);
    core_config_default(&read);
    ck_assert_msg(core_config_parse("dump", text, &read, &err) == ST_OK, "%s", err.text);
    ck_assert_mem_eq(&read, &cfg, sizeof cfg);
    ck_assert_int_ne(core_config_parse("dump", "core = slow\n", &read, &err), ST_OK);
    ck_assert_str_eq(err.text, "dump:1: key core: expected ooo|inorder, found 'slow'");
    free(text);
}
END_TEST

START_TEST(values)
{
    struct core_config cfg;
    struct errmsg err;
    core_config_default(&cfg);
    ck_assert_int_eq(load_text("", &cfg, &err), ST_OK);
    ck_assert_int_eq(
        load_text("# /* a comment\nl1d_bytes = 64k\nrob_entries = 0x40\npredictor = tournament\n", &cfg, &err), ST_OK);
    ck_assert_uint_eq(cfg.l1d_bytes, 65536);
    ck_assert_uint_eq(cfg.rob_entries, 64);
    ck_assert_uint_eq(cfg.predictor, 1);
    ck_assert_uint_eq(cfg.l2_bytes, 524288);
    ck_assert_int_eq(core_config_set(&cfg, "l2_bytes=1M", &err), ST_OK);
    ck_assert_uint_eq(cfg.l2_bytes, 1 << 20);
    ck_assert_int_eq(core_config_set(&cfg, "mem_in_int_queue=yes", &err), ST_OK);
    ck_assert_uint_eq(cfg.mem_in_int_queue, 1);
}
END_TEST

static const struct {
    const char *text, *message;
} bad_files[] = {
    {"rob_entries = 64\nrob_entires = 3\n",
     "FILE:2: key rob_entires: expected a parameter of the core (did you mean 'rob_entries'?), found an unknown key"},
    {"\n\nrob_entries = 64x\n", "FILE:3: key rob_entries: expected a number from 4 to 512 (entries), found '64x'"},
    {"\n\"\" = 5\n", "FILE:2: expected the name of a key, found an empty one"},
    {"commit_width = 9", "FILE:1: key commit_width: expected a number from 1 to 8 (instructions), found '9'"},
    {"commit_width = 0", "FILE:1: key commit_width: expected a number from 1 to 8 (instructions), found '0'"},
    {"rob_entries = -4", "FILE:1: key rob_entries: expected a number from 4 to 512 (entries), found '-4'"},
    {"rob_entries = 99999999999999999999", "FILE:1: key rob_entries: expected a number from 4 to 512 (entries), found "
                                           "'99999999999999999999'"},
    {"predictor = oracle", "FILE:1: key predictor: expected tage|tournament|bimodal|perfect, found 'oracle'"},
    {"int_registers = 32", "FILE:1: key int_registers: expected a number from 33 to 1024 (registers), found '32'"},
    {"btb_entries = 1000", "FILE:1: key btb_entries: expected a power of two, found 1000"},
    {"\nl1d_bytes = 33k",
     "FILE:2: key l1d_bytes: expected a power-of-two number of sets of 8 ways of 64 bytes, found 33792 bytes"},
    {"l2_bytes = 16k", "FILE:1: key l2_bytes: expected no less than an L1 cache (32768), found 16384"},
    {"llc_bytes = 64k", "FILE:1: key llc_bytes: expected 0 or no less than the L2 cache (524288), found 65536"},
    {"l1d_bytes = 1M",
     "FILE: key l2_bytes: expected no less than an L1 cache (1048576), found 524288, which is not set in the file"},
    {"rob_entries = 64\n\nrob_entries = 64\n",
     "FILE:3: key rob_entries: expected each key once, found it in line 1 already"},
    {"zebra = 1", "FILE:1: key zebra: expected a parameter of the core, found an unknown key"},
    {"# fine\n\001\n", "FILE:2: expected text, found a byte 0x01"},
    {"\n/* fine */ /* and so on\nrob_entries = 64\n", "FILE:2: expected the comment to end, found the end of the file"},
    {"fetch_block_bytes = 64\nline_bytes = 32\n",
     "FILE:1: key fetch_block_bytes: expected no more than line_bytes (32), found 64"},
    {"rob_entries = {1, 2}", "FILE:1: unexpected token '{'"},
    {"rob_entries = \"64", "FILE:1: premature end of file"},
    {"rob_entries = '64", "FILE:1: unterminated string constant"}, /* of two errors the first */
    {"line_bytes 64", "FILE:1: missing equal sign after option 'line_bytes'"},
};

START_TEST(bad_file)
{
    struct core_config cfg;
    struct errmsg err = {{0}};
    core_config_default(&cfg);
    ck_assert_int_ne(load_text(bad_files[_i].text, &cfg, &err), ST_OK);
    ck_assert_str_eq(err.text, bad_files[_i].message);
}
END_TEST

START_TEST(bad_assignments)
{
    struct core_config cfg;
    struct errmsg err;
    core_config_default(&cfg);
    ck_assert_int_ne(core_config_set(&cfg, "rob_entries", &err), ST_OK);
    ck_assert_str_eq(err.text, "expected KEY=VALUE, found 'rob_entries'");
    ck_assert_int_ne(core_config_set(&cfg, "=1", &err), ST_OK);
    ck_assert_str_eq(err.text, "expected KEY=VALUE, found '=1'");
    ck_assert_int_ne(core_config_set(&cfg, "rob=1", &err), ST_OK);
    ck_assert_int_ne(core_config_set(&cfg, "rob_entries=", &err), ST_OK);
    ck_assert_int_ne(core_config_load("/nonexistent/x.conf", &cfg, &err), ST_OK);
    ck_assert_uint_eq(cfg.rob_entries, 128);
}
END_TEST

START_TEST(dump_loads_again)
{
    struct core_config cfg, again;
    struct errmsg err;
    char *text = NULL;
    size_t size = 0;
    core_config_default(&cfg);
    cfg.predictor = 1;
    cfg.rob_entries = 99;
    cfg.mem_in_int_queue = 1;
    FILE *f = open_memstream(&text, &size);
    core_config_dump(&cfg, f);
    fclose(f);
    core_config_default(&again);
    ck_assert_msg(load_text(text, &again, &err) == ST_OK, "%s", err.text);
    ck_assert_mem_eq(&cfg, &again, sizeof cfg);
    free(text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("config");
    TCase *t = tcase_create("config");
    tcase_add_test(t, defaults_are_the_papers);
    tcase_add_test(t, values_out_of_range);
    tcase_add_test(t, shipped_files_load);
    tcase_add_test(t, a_text_is_parsed_as_a_file);
    tcase_add_test(t, values);
    tcase_add_loop_test(t, bad_file, 0, sizeof bad_files / sizeof bad_files[0]);
    tcase_add_test(t, bad_assignments);
    tcase_add_test(t, dump_loads_again);
    suite_add_tcase(s, t);
    return run_suite(s);
}
