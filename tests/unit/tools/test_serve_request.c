/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clients of pcprof serve send: targets and headers. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"
#include "tools/pcprof/server/request.h"

/* The canonical target of a target; the caller frees it. */
static char *canonical(const char *target)
{
    struct serve_request r;
    struct errmsg err = {.text = ""};
    ck_assert_msg(serve_request_parse(&r, target, &err) == SERVE_OK, "%s: %s", target, err.text);
    char *text = serve_request_target(&r);
    serve_request_release(&r);
    return text;
}

START_TEST(targets_are_understood)
{
    static const struct {
        const char *target, *canonical;
    } cases[] = {
        {"/", "/"},
        {"/?", "/"},
        {"/stores.json", "/stores.json"},
        {"/store?store=a.db", "/store?store=a.db"},
        {"/report?store=a.db&runs=", "/report?store=a.db"},
        {"/report?runs=1-3%2c7&store=a%2Fb+c.db&", "/report?store=a/b%20c.db&runs=1-3%2C7"},
        {"/report?store=a&runs=after&before=be-fore.1&before-store=b",
         "/report?store=a&runs=after&before-store=b&before=be-fore.1"},
        {"/prof.json?store=%c3%a9&by=line&event=cycles%40tip:period=101",
         "/prof.json?store=%C3%A9&by=line&event=cycles%40tip%3Aperiod%3D101"},
        {"/diff.json?store=a&before=1", "/diff.json?store=a&before=1"},
        {"/show.json?store=../a&runs=2", "/show.json?store=../a&runs=2"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char *text = canonical(cases[n].target);
        ck_assert_str_eq(text, cases[n].canonical);
        char *again = canonical(text);
        ck_assert_str_eq(again, text);
        free(again);
        free(text);
    }
}
END_TEST

START_TEST(other_targets_are_refused)
{
    static const struct {
        unsigned status;
        const char *target, *words;
    } cases[] = {
        {SERVE_BAD_REQUEST, "", "expected a path, found ''"},
        {SERVE_BAD_REQUEST, "*", "expected a path"},
        {SERVE_BAD_REQUEST, "http://localhost/", "expected a path, found 'http://"},
        {SERVE_NOT_FOUND, "//", "there is no page '//'"},
        {SERVE_NOT_FOUND, "/../etc/passwd", "there is no page"},
        {SERVE_NOT_FOUND, "/%73tore?store=a", "there is no page '/%73tore'"},
        {SERVE_NOT_FOUND, "/stor", "there is no page"},
        {SERVE_NOT_FOUND, "/report/", "there is no page"},
        {SERVE_BAD_REQUEST, "/report", "expected the parameter store"},
        {SERVE_BAD_REQUEST, "/report?store=", "expected the parameter store"},
        {SERVE_BAD_REQUEST, "/report?store", "found 'store'"},
        {SERVE_BAD_REQUEST, "/report?store=a&&runs=1", "found ''"},
        {SERVE_BAD_REQUEST, "/report?store=a&runs=1&runs=1", "at most once, found 'runs'"},
        {SERVE_BAD_REQUEST, "/report?store=a&runs=&runs=1", "at most once, found 'runs'"},
        {SERVE_BAD_REQUEST, "/report?Store=a", "expected each of the parameters store, runs, before-store, before"},
        {SERVE_BAD_REQUEST, "/?store=a", "expected each of the parameters none"},
        {SERVE_BAD_REQUEST, "/report?store=a&by=line", "found 'by'"},
        {SERVE_BAD_REQUEST, "/report?store=%", "% begins two hexadecimal digits"},
        {SERVE_BAD_REQUEST, "/report?store=%4", "% begins two"},
        {SERVE_BAD_REQUEST, "/report?store=%4g", "% begins two"},
        {SERVE_BAD_REQUEST, "/report?store=%g4", "% begins two"},
        {SERVE_BAD_REQUEST, "/report?store=%%41", "% begins two"},
        {SERVE_BAD_REQUEST, "/report?store=a%00b", "without control characters"},
        {SERVE_BAD_REQUEST, "/report?store=a%0d%0aX:", "without control characters"},
        {SERVE_BAD_REQUEST, "/report?store=%7f", "without control characters"},
        {SERVE_BAD_REQUEST, "/report?store=a&runs=1-", "expected the name of an epoch or numbers of runs"},
        {SERVE_BAD_REQUEST, "/report?store=a&runs=../b", "expected the name of an epoch"},
        {SERVE_BAD_REQUEST, "/report?store=a&before=3-1", "found '3-1'"},
        {SERVE_BAD_REQUEST, "/report?store=a&before-store=b", "found before-store alone"},
        {SERVE_BAD_REQUEST, "/show.json?store=a", "expected the parameter runs"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct serve_request r;
        struct errmsg err = {.text = ""};
        ck_assert_msg(serve_request_parse(&r, cases[n].target, &err) == cases[n].status, "%s", cases[n].target);
        ck_assert_msg(strstr(err.text, cases[n].words) != NULL, "%s: %s", cases[n].target, err.text);
        serve_request_release(&r);
    }
}
END_TEST

START_TEST(hosts_are_loopback_names)
{
    static const char *const loopback[] = {"localhost",   "LocalHost:8765", "127.0.0.1", "127.0.0.1:1",
                                           "127.8.9.1:0", "[::1]",          "[::1]:8765"};
    static const char *const others[] = {"10.0.0.1:8765", "[fe80::1]:80", "0.0.0.0", "this.example:8765"};
    static const char *const never[] = {"",
                                        ":80",
                                        "evil.example",
                                        "localhost.evil.example",
                                        "127.0.0.1.evil.example",
                                        "127.1",
                                        "[::1",
                                        "[::1]x",
                                        "::1",
                                        "localhost:80x",
                                        "localhost:80:80",
                                        "127.0.0.1 ",
                                        "[::1]80",
                                        "[1.2.3.4]",
                                        "user@127.0.0.1:1",
                                        "[localhost]"};
    for (size_t n = 0; n < sizeof loopback / sizeof loopback[0]; n++)
        ck_assert_msg(serve_host_is_allowed(loopback[n], false, NULL), "%s", loopback[n]);
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++) {
        ck_assert_msg(!serve_host_is_allowed(others[n], false, "this.example"), "%s", others[n]);
        ck_assert_msg(serve_host_is_allowed(others[n], true, "this.example"), "%s", others[n]);
    }
    for (size_t n = 0; n < sizeof never / sizeof never[0]; n++)
        ck_assert_msg(!serve_host_is_allowed(never[n], true, "this.example"), "%s", never[n]);
    ck_assert(!serve_host_is_allowed(NULL, true, NULL));
    ck_assert(!serve_host_is_allowed("this.example", true, NULL));
}
END_TEST

START_TEST(other_sites_lead_here_by_links_alone)
{
    ck_assert(serve_site_is_allowed(NULL, NULL));
    ck_assert(serve_site_is_allowed("same-origin", "empty"));
    ck_assert(serve_site_is_allowed("none", "document"));
    ck_assert(serve_site_is_allowed("cross-site", "document"));
    ck_assert(!serve_site_is_allowed("cross-site", NULL));
    ck_assert(!serve_site_is_allowed("cross-site", "image"));
    ck_assert(!serve_site_is_allowed("cross-site", "iframe"));
    ck_assert(!serve_site_is_allowed("same-site", "script"));
}
END_TEST

START_TEST(tags_match)
{
    static const char *const same[] = {"\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", " \"x\" ,, W/\"abc\"", "*"};
    static const char *const others[] = {"",      "abc",        "\"ab\"",   "\"abcd\"",
                                         "\"abc", "x, \"abc\"", "\"a,bc\"", "w/\"abc\""};
    for (size_t n = 0; n < sizeof same / sizeof same[0]; n++)
        ck_assert_msg(serve_tag_matches(same[n], "abc"), "%s", same[n]);
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++)
        ck_assert_msg(!serve_tag_matches(others[n], "abc"), "%s", others[n]);
    ck_assert(!serve_tag_matches(NULL, "abc"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("serve request");
    TCase *t = tcase_create("request");
    tcase_add_test(t, targets_are_understood);
    tcase_add_test(t, other_targets_are_refused);
    tcase_add_test(t, hosts_are_loopback_names);
    tcase_add_test(t, other_sites_lead_here_by_links_alone);
    tcase_add_test(t, tags_match);
    suite_add_tcase(s, t);
    return run_suite(s);
}
