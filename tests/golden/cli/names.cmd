# Names: of C++ and Rust, of stubs, of programs without symbols, with a debug file. Addresses and counts are the
# compiler's, and are not shown.
cat > names.cc <<'C'
#include <cstdio>
namespace shape {
struct box { int w, h; int scale(int by) const; int scale(const char *by) const; };
__attribute__((noinline)) int box::scale(int by) const { return w * by; }
__attribute__((noinline)) int box::scale(const char *by) const { return h * by[0]; }
template <class T> __attribute__((noinline)) T largest(T a, T b) { return a > b ? a : b; }
}
extern "C" int rust(int) __asm__("_ZN4core3fmt5write17h0123456789abcdefE");
__attribute__((noinline)) int rust(int x) { return x ^ 5; }
int main(int argc, char **argv)
{
    int sum = 0;
    for (volatile int i = 0; i < 300; i++) {
        shape::box b = {i, argc};
        sum += b.scale(i) + b.scale(argv[0]) + shape::largest(i + 0, 7) + rust(i);
    }
    puts(sum == 3 ? "yes" : "no");
    return 0;
}
C
riscv64-linux-gnu-g++ -O1 -g -static -o names names.cc
profile() { pcemu --core inorder --no-program --profile counts --top 0 --width 0 "$@" ./names 2>&1 > /dev/null; }
# The functions of the program's own.
functions() { sed -n '/^Functions/,/^$/s/  *counts .*//p' | grep -E '^(shape|core|main|\[names)' | sed 's/@0x[0-9a-f]*/@0xX/' | sort -u; }
echo "== text"
profile > whole
functions < whole
grep -o 'shape::box::scale(int) const+0x[0-9a-f]* names.cc:[0-9]*' whole | sed 's/+0x[0-9a-f]*/+X/' | sort -u
profile --width 90 | grep -q '^shape::box::scale(.*\.\.\.' && echo "with --width: shortened"
echo "== JSON, CSV"
profile --format json > whole.json
jq -r '.counts.functions[].function' whole.json | grep -E '^(shape|int shape|core|main)' | sort
profile --format csv | sed -n 's/^counts.instructions,0x[0-9a-f]*,\(.*\),[0-9]*,0x[0-9a-f]*,,names.cc,.*/\1/p' | sort -u
echo "== names as arguments"
run() { pcemu --core inorder --no-program "$@" ./names > out 2>&1 || cat out; }
for name in 'shape::box::scale(int) const' _ZNK5shape3box5scaleEi shape::largest 'shape::largest<int>' \
    shape::box::scale core::fmt::write; do
    rm -f log
    run --start-at "$name" --max-insts 10
    run --kanata log --kanata-window "$name:8"
    [ ! -e log ] || echo "$name: $(grep -c '^R' log)"
done
pcasm -o edge.pc "$programs/edge.pasm"
pcemu --program edge.pc -o report -x - ./names 2>&1 <<'D' | sed 's/0x[0-9a-f]*/X/g; s/[0-9][0-9]*/N/g'
break guest shape::box::scale(int) const if $sp > 0
break guest 'shape::box::scale(char const*) const'+4
break guest core::fmt::write
break guest shape::box::scale
break guest main junk
print &'shape::box::scale(int) const' == &_ZNK5shape3box5scaleEi
print &'shape::box'
x/2i &core::fmt::write
x/2i &'core::fmt::write'
quit
D
echo "== without symbols"
riscv64-linux-gnu-objcopy --only-keep-debug names names.debug
cp names names.whole
riscv64-linux-gnu-strip names
profile > bare
functions < bare
grep -q ' \[names\]+0x1[0-9a-f]* ' bare && echo "places: [names]+ADDRESS"
profile --format json | jq -c '.counts | [.functions[0] | .function, (.start | test("^0x10")), has("library")],
    [.instructions[0] | .library, has("function")]'
echo "== with a debug file"
riscv64-linux-gnu-objcopy --add-gnu-debuglink=names.debug names
profile | diff whole - && echo "beside: same"
mkdir .debug tree
mv names.debug .debug
profile | diff whole - && echo "in .debug: same"
mv .debug/names.debug tree
profile | functions
profile --debug-dir tree | diff whole - && echo "in a folder: same"
mkdir -p root/usr/lib/debug
mv tree/names.debug root/usr/lib/debug
profile -L root | diff whole - && echo "in the sysroot: same"
profile --debug-dir nowhere
profile --debug-dir names.cc
mkdir a:b
profile --debug-dir a:b
echo "== stubs, with all addresses of the file they are in"
riscv64-linux-gnu-g++ -O1 -g -o names names.cc
pcemu --core inorder --no-program --profile counts --top 0 -L /usr/riscv64-linux-gnu ./names 2> text > /dev/null
functions < text
grep -o '^puts@plt' text
grep -c '^\[names\]\|(unknown)\| in [^ ]*+0x' text
pcemu --core inorder --no-program --profile counts -L /usr/riscv64-linux-gnu --format json ./names 2> json > /dev/null
jq -r '.counts.instructions[] | select(.function == "main" and (.assembly | test("^(j|b[a-z]*) "))) |
    if (.pc | length) > 10 and (.address | length) < 7 and (.assembly | test("[ ,][0-9a-f]{3}$"))
    then "main: of the file" else . end' json | sort -u
