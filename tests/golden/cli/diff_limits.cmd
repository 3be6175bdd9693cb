# pcprof diff as a test in continuous integration: --fail-if-slower and --junit.
cat > work.c << 'C'
#include <stdio.h>
#ifndef TURNS
#define TURNS 3000
#endif
__attribute__((noinline)) static unsigned long divide(unsigned long n, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++)
        n = n / 3 + 1000000007;
    return n;
}
__attribute__((noinline)) static unsigned long add(unsigned long n)
{
    for (unsigned i = 0; i < 20000; i++)
        n += n >> 3 ^ i;
    return n;
}
int main(void) { return printf("%lu\n", divide(add(7), TURNS)) < 0; }
C
mkdir base new
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -o base/work work.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -DTURNS=3300 -o new/work work.c
for seed in 1 2 3; do
    for side in base new; do
        pcemu --no-program --seed $seed --profile tip:period=97:random,oracle --collect runs.db:$side -o out $side/work > out
    done
done
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
try pcprof diff --top 3 --fail-if-slower 5% runs.db:base runs.db:new
try pcprof diff --fail-if-slower 5% -o out runs.db:base runs.db:base
try pcprof diff --fail-if-slower 50% -o out runs.db:base runs.db:new
try pcprof diff --fail-if-slower 0% --by image -o out --junit images.xml runs.db:base runs.db:new
# A faster program, and one run on each side, whose lengths are exact.
try pcprof diff --fail-if-slower 0% -o out runs.db:new runs.db:base
try pcprof diff --fail-if-slower 3% -o out runs.db:1 runs.db:2
try pcprof diff --event cycles@oracle --fail-if-slower 5% -o out runs.db:1 runs.db:2
# The rows are a table of the report. XML is read by a parser of its own.
pcprof diff --fail-if-slower 5% --format json runs.db:base runs.db:new 2>&1 > report.json |
    sed 's/^/stderr: /'
jq -c '.differences_slower[] | [.procedure, (.change * 100 | round)]' report.json
pcprof show report.json > shown
pcprof diff --fail-if-slower 5% runs.db:base runs.db:new 2> out | cmp - shown
pcprof diff --fail-if-slower 5% -o out --junit junit.xml runs.db:base runs.db:new
python3 - junit.xml images.xml << 'P'
import sys, xml.etree.ElementTree as tree
for name in sys.argv[1:]:
    for suite in tree.parse(name).getroot().findall('testsuite'):
        cases = suite.findall('testcase')
        failures = [c for c in cases if c.find('failure') is not None]
        assert int(suite.get('tests')) == len(cases) and int(suite.get('failures')) == len(failures)
        assert len({(c.get('classname'), c.get('name')) for c in cases}) == len(cases)
        print(name, suite.get('name'), len(failures), 'failures')
        for c in failures:
            print(' ', c.get('classname'), '/', c.get('name'), ':', c.find('failure').get('message'))
            print('   ', c.find('failure').text)
P
# Names of functions are escaped.
cat > names.cc << 'C'
#include <cstdio>
template <class A, class B> struct pair_of { A a; B b; };
template <class T> __attribute__((noinline)) long walk(T *t, int turns)
{
    long sum = 0;
    for (int i = 0; i < turns; i++)
        sum = (sum + t->a) / 3 + t->b;
    return sum;
}
int main(int argc, char **)
{
    pair_of<int &, char *const> *none = nullptr;
    pair_of<long, pair_of<char, int>> *other = nullptr;
    int a = argc;
    struct { long a, b; } plain = {a, a};
    return std::printf("%ld\n", walk(&plain, TURNS) + (none == nullptr) + (other == nullptr)) < 0;
}
C
for turns in 2000 4000; do
    riscv64-linux-gnu-g++ -O1 -static -DTURNS=$turns -o names names.cc
    pcemu --no-program --profile oracle --collect names.db -o out ./names > out
done
pcprof diff --full-names --event cycles@oracle --fail-if-slower 5% -o out --junit names.xml names.db:1 names.db:2
python3 -c "import xml.etree.ElementTree as t; print([c.get('name') for c in t.parse('names.xml').iter('testcase') if c.find('failure') is not None and 'walk' in c.get('name')])"
# Bad usage.
try pcprof diff --fail-if-slower 2 runs.db:base runs.db:new
try pcprof diff --fail-if-slower=-1% runs.db:base runs.db:new
for limit in nan% ' 2%' 0x1p3% -0% 2.% .5% 1e1% %; do
    try pcprof diff "--fail-if-slower=$limit" runs.db:base runs.db:new
done
try pcprof diff --fail-if-slower 0.5% -o out runs.db:base runs.db:base
try pcprof diff --junit junit.xml runs.db:base runs.db:new
try pcprof diff --fail-if-slower 5% --junit /dev/full -o out runs.db:base runs.db:new
