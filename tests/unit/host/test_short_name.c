/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short names of functions, and the forms in which those of one table differ. */
#include "host/symbols/short_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/report/names.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

static void expect_short(const char *name, enum short_form form, const char *expected)
{
    char *found = short_name(name, form);
    ck_assert_msg(strcmp(found, expected) == 0, "%s: '%s', not '%s'", name, found, expected);
    free(found);
}

START_TEST(short_forms)
{
    static const struct {
        const char *name, *brief, *parameters, *arguments;
    } row[] = {
        {"void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, "
         "long>(__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long)",
         "introsort_loop<...>", "introsort_loop<...>(normal_iterator<...>, long)",
         "introsort_loop<normal_iterator<int*, vector<int, allocator<int> > >, long>"},
        {"shape::box::scale(char const*) const", "shape::box::scale", "shape::box::scale(char const*) const",
         "shape::box::scale"},
        {"long largest<long>(long, long)", "largest<...>", "largest<...>(long, long)", "largest<long>"},
        {"std::__cxx11::basic_string<char, std::allocator<char> >::_M_append(char const*, unsigned long)",
         "basic_string<...>::_M_append", "basic_string<...>::_M_append(char const*, unsigned long)",
         "basic_string<char, allocator<char> >::_M_append"},
        {"add(int, int) [clone .constprop.0] [clone .cold]", "add.constprop.0.cold", "add(int, int).constprop.0.cold",
         "add.constprop.0.cold"},
        {"main::{lambda(std::vector<int>&, int)#2}::operator()(std::vector<int>&, int) const", "main::{lambda#2}",
         "main::{lambda#2}(vector<...>&, int) const", "main::{lambda#2}"},
        {"run(int)::{lambda()#1}::_FUN()", "run::{lambda#1}::_FUN", "run::{lambda#1}::_FUN()", "run::{lambda#1}::_FUN"},
        {"A<int>::{unnamed type#1}::f()", "A<...>::{unnamed type#1}::f", "A<...>::{unnamed type#1}::f()",
         "A<int>::{unnamed type#1}::f"},
        {"foo(int)::bar::baz(X const&) const &", "foo::bar::baz", "foo::bar::baz(X const&) const &", "foo::bar::baz"},
        {"(anonymous namespace)::helper(int)", "(anonymous namespace)::helper", "(anonymous namespace)::helper(int)",
         "(anonymous namespace)::helper"},
        {"foo[abi:cxx11](int)", "foo", "foo(int)", "foo"},
        {"guard variable for f(int)::x", "guard variable for f::x", "guard variable for f::x",
         "guard variable for f::x"},
        {"non-virtual thunk to A<int>::f()", "non-virtual thunk to A<...>::f", "non-virtual thunk to A<...>::f()",
         "non-virtual thunk to A<int>::f"},
        {"decltype (x) foo<int>(int)", "foo<...>", "foo<...>(int)", "foo<int>"},
        {"X<(1>(2))>::f()", "X<...>::f", "X<...>::f()", "X<(1>(2))>::f"},
        {"X<&(A::operator< )>::f()", "X<...>::f", "X<...>::f()", "X<&(A::operator< )>::f"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_short(row[i].name, SHORT_NAME, row[i].brief);
        expect_short(row[i].name, SHORT_PARAMETERS, row[i].parameters);
        expect_short(row[i].name, SHORT_ARGUMENTS, row[i].arguments);
        expect_short(row[i].name, SHORT_NONE, row[i].name);
    }
}
END_TEST

START_TEST(operators)
{
    static const char *const row[][2] = {
        {"std::ostream::operator<<(int)@@GLIBCXX_3.4", "ostream::operator<<@@GLIBCXX_3.4"},
        {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)", "operator<< <...>"},
        {"bool operator< <int>(A<int> const&, A<int> const&)", "operator< <...>"},
        {"A::operator<(A const&) const", "A::operator<"},
        {"A<int>::operator>>=(int)", "A<...>::operator>>="},
        {"A::operator<=>(A const&) const", "A::operator<=>"},
        {"A::operator()(int) const", "A::operator()"},
        {"A::operator->() const", "A::operator->"},
        {"A::operator->*(int)", "A::operator->*"},
        {"A::operator-(int)", "A::operator-"},
        {"A::operator==(A const&)", "A::operator=="},
        {"A::operator,(int)", "A::operator,"},
        {"A::operator[](unsigned long)", "A::operator[]"},
        {"A::operator bool() const", "A::operator bool"},
        {"A::operator std::vector<int, std::allocator<int> >()", "A::operator std::vector<...>"},
        {"operator new(unsigned long)@plt", "operator new@plt"},
        {"operator new[](unsigned long)", "operator new[]"},
        {"operator\"\" _km(long double)", "operator\"\" _km"},
        {"my_operator<int>(int)", "my_operator<...>"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        expect_short(row[i][0], SHORT_NAME, row[i][1]);
}
END_TEST

START_TEST(other_languages)
{
    expect_short("example.org/a/input.(*reader).read", SHORT_NAME, "example.org/a/input.(*reader).read");
    expect_short("runtime.(*mspan).init.func1", SHORT_NAME, "runtime.(*mspan).init.func1");
    static const char *const same[] = {"main",
                                       "malloc@plt",
                                       "*ABS*+0x1234@plt",
                                       "[xz]@0x4f320",
                                       "helper@0x1234",
                                       "f.part.0",
                                       ".plt",
                                       "core::fmt::write",
                                       "foo::main::{closure#0}",
                                       "foo::main::{{closure}}",
                                       "core::num::<impl u32>::pow",
                                       "(unknown)",
                                       "std::rt",
                                       "",
                                       "(idle or handler)"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        for (enum short_form form = SHORT_NAME; form < SHORT_FORMS; form++)
            expect_short(same[i], form, same[i]);
    expect_short("<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop", SHORT_NAME,
                 "<alloc::vec::Vec<...> as core::ops::drop::Drop>::drop");
    expect_short("core::ptr::drop_in_place<std::vec::Vec<u8>>", SHORT_NAME, "core::ptr::drop_in_place<...>");
    expect_short("core::ptr::drop_in_place<std::vec::Vec<u8>>", SHORT_ARGUMENTS,
                 "core::ptr::drop_in_place<std::vec::Vec<u8>>");
    expect_short("mycrate::foo::<i32, Vec<u8>>", SHORT_NAME, "mycrate::foo::<...>");
}
END_TEST

/* Brackets that do not match, more of them than are followed, and types without a name. */
START_TEST(odd_names)
{
    static const char *const same[] = {"f<int",  "f(int",     "a::{b", "x::[", "f(<", "void (*foo(int))(char)",
                                       "f<(a>)", "operator<", " ",     "::",   "<",   "a b<"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        char *found = short_name(same[i], SHORT_NAME);
        ck_assert_uint_le(strlen(found), strlen(same[i]));
        free(found);
    }
    expect_short("f<int", SHORT_NAME, "f<int");
    expect_short("void (*foo(int))(char)", SHORT_NAME, "void (*foo(int))(char)");
    enum { DEEP = 5000 };
    char *deep = xcalloc(2 * DEEP + 8, 1);
    deep[0] = 'f';
    memset(deep + 1, '<', DEEP);
    memset(deep + 1 + DEEP, '>', DEEP);
    expect_short(deep, SHORT_NAME, deep);
    free(deep);
}
END_TEST

static void expect_shown(struct names *n, const char *name, const char *expected)
{
    char *found = names_show(n, name);
    ck_assert_msg(strcmp(found, expected) == 0, "%s: '%s', not '%s'", name, found, expected);
    free(found);
}

/* Names of one short form are shown in the next one in which they differ; others stay short. */
START_TEST(names_of_one_table)
{
    static const char *const name[] = {
        "f(int)",    "f(long)",    "int g<int>()",   "long g<long>()", "h(int)",   "h(int)+0x8", "k<int>(A)",
        "k<int>(B)", "k<long>(A)", "C::C(int)@0x10", "C::C(int)@0x20", "std::m()", "m"};
    struct names *n = names_new(false), *full = names_new(true);
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        names_add(n, name[i]);
        names_add(full, name[i]);
    }
    expect_shown(n, "f(int)", "f(int)");
    expect_shown(n, "f(long)", "f(long)");
    expect_shown(n, "f(long)+0x10", "f(long)+0x10");
    expect_shown(n, "int g<int>()", "g<int>");
    expect_shown(n, "long g<long>()", "g<long>");
    expect_shown(n, "h(int)", "h");
    expect_shown(n, "h(int)+0x8", "h+0x8");
    expect_shown(n, "k<int>(A)", "k<int>(A)");
    expect_shown(n, "k<long>(A)", "k<long>(A)");
    expect_shown(n, "C::C(int)@0x10", "C::C@0x10");
    expect_shown(n, "C::C(int)@0x20", "C::C@0x20");
    expect_shown(n, "std::m()", "m()");
    expect_shown(n, "m", "m");
    expect_shown(n, "another(int)", "another"); /* which has not been added */
    expect_shown(full, "std::m()", "std::m()");
    names_free(n);
    names_free(full);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("short names");
    TCase *t = tcase_create("names");
    tcase_add_test(t, short_forms);
    tcase_add_test(t, operators);
    tcase_add_test(t, other_languages);
    tcase_add_test(t, odd_names);
    tcase_add_test(t, names_of_one_table);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
