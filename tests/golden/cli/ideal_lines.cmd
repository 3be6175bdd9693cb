# Places by source line: the instructions are those that objdump has of the line, in a program, inlined into more than
# eight functions, and in a library.
cat > mix.h <<'C'
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
    return x / 7 + x % 13;
}
C
cat > lines.c <<'C'
#include <stdio.h>
#include "mix.h"
unsigned part(unsigned n);
#define TURN(n)                                               \
    static __attribute__((noinline)) unsigned turn_##n(unsigned x) \
    {                                                         \
        return mix(x + n) ^ n;                                \
    }
TURN(0) TURN(1) TURN(2) TURN(3) TURN(4) TURN(5) TURN(6) TURN(7) TURN(8) TURN(9) TURN(10) TURN(11)
int main(void)
{
    static unsigned (*const turn[])(unsigned) = {turn_0, turn_1, turn_2, turn_3, turn_4,  turn_5,
                                                 turn_6, turn_7, turn_8, turn_9, turn_10, turn_11};
    unsigned s = 1;
    for (unsigned i = 0; i < 360; i++)
        s = turn[i % 12](s * 3 + i);
    printf("%u %u\n", s, part(100));
    return 0;
}
C
cat > part.c <<'C'
#include "mix.h"
unsigned part(unsigned n)
{
    unsigned s = n;
    for (unsigned i = 1; i <= n; i++)
        s = s * 5 / i;
    return mix(s);
}
C
compile() { "${RVCC:-riscv64-linux-gnu-gcc}" -O2 -g "$@"; }
compile -static -o lines lines.c part.c
compile -shared -fPIC -o libpart.so part.c
compile -o shared lines.c -L. -lpart -Wl,-rpath,"$PWD"
# addresses ELF FILE:LINE: of the instructions of the line.
addresses() {
    riscv64-linux-gnu-objdump -d -l "$1" | awk -v line="$2" '
        /^[^ ].*:[0-9]+( \(discriminator [0-9]+\))?$/ { at = $1; sub(/.*\//, "", at); next }
        /^ +[0-9a-f]+:\t/ && at == line { sub(/:.*/, ""); gsub(/ /, ""); print }'
}
cycles() { pcemu --no-program --stats stats "$@" > out && awk '$1 == "cycles" { print $2 }' stats; }
# same PLACE CAUSE CORE: the cycles without the line's cause are those without the instructions'.
same() {
    set -- "$1" "$2" "$3" "$(addresses lines "$1" | sed "s/^/--ideal 0x/; s/\$/:$2/" | xargs)"
    [ "$(cycles --core "$3" --ideal "$1:$2" ./lines)" = "$(cycles --core "$3" $4 ./lines)" ] &&
        [ "$(cycles --core "$3" --ideal "$1:$2" ./lines)" -lt "$(cycles --core "$3" ./lines)" ] && echo "same, $3: $1:$2"
}
[ "$(addresses lines mix.h:3 | wc -l)" -gt 40 ] && echo "more than 40 instructions"
for core in ooo inorder; do
    same mix.h:3 latency $core
    same mix.h:3 dependence $core
    same part.c:6 latency $core
    same lines.c:16 all $core
done
# In a library: its function's bytes.
lib() { cycles -L /usr/riscv64-linux-gnu --start-at main "$@" ./shared; }
start=$(riscv64-linux-gnu-nm libpart.so | awk '$3 == "part" { print $1 }')
places=$(addresses libpart.so part.c:6 | while read -r at; do echo "--ideal part+$((0x$at - 0x$start)):latency"; done | xargs)
[ "$(lib --ideal part.c:6:latency)" = "$(lib $places)" ] && [ "$(lib --ideal part.c:6:latency)" -lt "$(lib)" ] &&
    echo "same in a library"
# A line of the program and of the library.
[ "$(lib --ideal mix.h:3:latency)" = "$(lib --ideal mix.h:3:latency --ideal part:latency)" ] || echo "part has other lines, too"
[ "$(lib --ideal mix.h:3:latency --ideal part.c:6:latency)" -lt "$(lib --ideal part.c:6:latency)" ] && echo "less in both"
# Gains.
echo mix.h:3:all > questions
pcemu --no-program --gain questions --format json -o gains.json ./lines > out
[ "$(jq '.gains.instructions[0].cycles' gains.json)" = "$(cycles --ideal mix.h:3:all ./lines)" ] && echo "same gain"
jq -c '.gains.instructions[0] | [.asked, .removed, .gain > 0.1, .time > 0.1]' gains.json
# Lines without code, and files that are not there.
for place in lines.c:3 mix.h:99 mix.h:1 none.c:1 :14 lines.c:99999999999 lines.c:0; do
    pcemu --no-program --ideal "$place:branch" -o /dev/null ./lines > out 2> err || echo "= $?"
    cat err
done
# A header that units compiled in two folders name differently is one file; two files of a name are several.
mkdir a b
sed 's/TURN(0) /TURN(0)\n/; s|"mix.h"|"../mix.h"|' lines.c > a/lines.c
sed 's|"mix.h"|<mix.h>|' part.c > b/part.c
(cd a && compile -c -o ../lines.o lines.c) && (cd b && compile -I .. -c -o ../part.o part.c)
compile -static -o folders lines.o part.o
[ "$(cycles --ideal mix.h:3:latency ./folders)" -lt "$(cycles ./folders)" ] && echo "one file"
[ "$(cycles --ideal ../mix.h:3:latency ./folders)" = "$(cycles --ideal mix.h:3:latency ./folders)" ] && echo "as it is written"
mv mix.h a && cp a/mix.h b
sed 's|<mix.h>|"inc/mix.h"|' b/part.c > b/other.c && sed 's|"../mix.h"|"inc/mix.h"|' a/lines.c > a/other.c
mkdir a/inc b/inc && mv a/mix.h a/inc && mv b/mix.h b/inc
(cd a && compile -c -o ../lines.o other.c) && (cd b && compile -c -o ../part.o other.c)
compile -static -o several lines.o part.o
pcemu --no-program --ideal inc/mix.h:3:latency -o /dev/null ./several 2>&1 | sed "s|$PWD|DIR|g"
pcemu --no-program --ideal a/inc/mix.h:3:latency -o /dev/null ./several
# The debugger stops at all places of the line.
pcasm -o value.pc "$programs/value.pasm"
printf 'break guest mix.h:3\nbreak guest lines.c:99\nbreak guest main+0x10000000000000000\nquit\n' |
    pcemu --program value.pc -o /dev/null -x - ./lines 2>&1 | sed 's/0x[0-9a-f]*/X/g; s/[:;] X /\n/g'
# A line of a library that is mapped.
printf 'break guest part.c:6\ncontinue\nquit\n' |
    pcemu -L /usr/riscv64-linux-gnu --start-at main --program value.pc -o /dev/null -x - ./shared 2>&1 |
    sed 's/0x[0-9a-f]*/X/g; s/position [0-9]*, cycle [0-9]*/POSITION/; s/sample [0-9]\+/SAMPLE/'
