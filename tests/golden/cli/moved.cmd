# Lines of two versions of a program: moved lines are paired, by their code, and lines that are gone are no others.
export SOURCE_DATE_EPOCH=1000000000
cat > old.c << 'END'
#include <stdint.h>
#include <stdio.h>
static uint32_t seed = 1;
__attribute__((noinline)) static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}
__attribute__((noinline)) static uint32_t fold(uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += draw() % 1000;
        sum ^= sum >> 3;
    }
    return sum;
}
__attribute__((noinline)) static uint32_t retired(uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += draw() / 7;
    return sum;
}
int main(void)
{
    printf("%u\n", fold(3000) + retired(1000));
    return 0;
}
END
# A comment above, one within a function; one function is gone, and what it was called for; one line computes less.
sed '1i /* a\n * comment */
/seed >> 17/i \    /* another one */\n
/uint32_t retired/,/^}/d; s/ + retired(1000)//; s/% 1000/\& 1023/' old.c > new.c
# The names that the lines have after the change, as diff finds them from the texts: line before and after.
diff --unchanged-line-format='=' --old-line-format='-' --new-line-format='+' old.c new.c |
    awk '{ n = split($0, c, ""); for (i = 1; i <= n; i++) { if (c[i] != "+") a++; if (c[i] != "-") b++; if (c[i] == "=") print a, b } }' > same
for version in old new; do
    cp $version.c program.c
    "${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -ffile-prefix-map="$PWD"=. -o program program.c
    pcemu --no-program --profile counts,oracle,tip:period=101 --collect s.db:$version -o report ./program > out
done
# Executions are exact, so moved lines have none more and none less.
pcprof diff --by line --event retired s.db:old s.db:new | grep 'program\.c\|difference'
pcprof diff --by line --event retired --format json s.db:old s.db:new | jq -c '.differences[] | select(.line and (.line | test("^program.c:[0-9]*$"))) | [.line, .before, .after]' > lines
# Lines of draw and fold that diff finds unchanged: of each, the executions before are those of its new line.
sqlite3 s.db "SELECT epoch.name, line, sum(value) FROM samples JOIN run ON run.id = run JOIN epoch ON epoch.id = run.epoch WHERE event = 'retired' AND source = 'exact' AND file LIKE '%program.c' AND procedure IN ('draw', 'fold') GROUP BY 1, 2" > exact
awk -F '[ |]' 'NR == FNR { to[$1] = $2; next } $1 == "old" && $2 in to { print to[$2], $3 }' same exact | sort > expected
jq -r '"\(.[0] | ltrimstr("program.c:")) \(.[1])"' lines | sort | join -j 1 expected - | awk '{ if ($2 != $3) print "line " $1 ": " $2 " before, found " $3; else n++ } END { print n " lines of unchanged text have their values" }'
# The page has the same pairs.
data() { sed -n 's|.*<script type="application/json" id="data">\(.*\)</script>$|\1|p' "$1"; }
pcprof report --before s.db:old s.db:new -o page.html && data page.html | jq -c '.comparison | .has_common_image, (.lines | [.name, .before] | transpose | map(select(.[0] and (.[0] | endswith("(before)")))))'
# Files of other names are no versions of each other.
mv program other
pcemu --no-program --profile counts,oracle,tip:period=101 --collect s.db:other -o report ./other > out
pcprof diff --top 1 s.db:old s.db:other | tail -n 3
pcprof report --before s.db:old s.db:other -o page.html && data page.html | jq .comparison.has_common_image
