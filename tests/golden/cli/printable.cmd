# Names with control characters, in paths, symbols, sources and arguments: no output has them.
name=$(printf 'a\033]0;x\007\302\233m\342\200\256\177\nb"<i>\\')
shown='a?]0;x??m???b"<i>\'
mkdir "$name"
cat > "$name/guest.c" << 'C'
static int table[64];
__attribute__((noinline)) int hostile(int n) { volatile int s = 0; while (n-- > 0) s += table[n & 63]; return s; }
int main(void) { return hostile(2000); }
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -o plain "$name/guest.c"
"$(${RVCC:-riscv64-linux-gnu-gcc} -print-prog-name=objcopy)" --redefine-sym "hostile=$name" plain "$name/guest"
{ printf '; \033]0;x\007 \302\233\n'; cat "$programs/value.pasm"; } > "$name/value.pasm"
printf 'foo \033 \302\233 bar\n\t\033\tfoo b\n' > "$name/bad.pasm"; echo '.include "bad.pasm"' > "$name/including.pasm"
pcemu --dump-config > "$name/core.conf"; printf 'branch pc=\033 0x100\n' > "$name/samples"
mkdir out; export SOURCE_DATE_EPOCH=1000000000
pcasm -o pc.out -l out/listing "$name/value.pasm"; pcdis pc.out > out/source
for form in text json; do
    pcemu --config "$name/core.conf" --format $form --profile oracle,tip:period=31,profileme:period=97 -o out/report.$form --stats out/stats.$form \
        --kanata out/log --trace commit,retire,cop --trace-file out/trace --collect store "$name/guest" 2>> out/err
    for command in list prof annotate top; do pcprof $command --format $form store > out/$command.$form 2>> out/err; done
    pcprof calc --format $form store "$shown" > out/calc.$form 2>> out/err
    pcprof cfg --format $form store "$shown" > out/cfg.$form 2>> out/err
done
pcprof cfg --format dot store "$shown" > out/cfg.dot
pcprof report -o out/page.html store; pcprof export --to callgrind -o out/callgrind store
pcemu --no-program --strace --max-insts 100k "$name/guest" "$name" > out/guest 2> out/strace
printf 'info program\nlist\n\033[31m\necho \033\nsave session %s/none/x\n' "$name" | pcemu -x - --max-insts 5k "$name/guest" > out/debug 2>&1
# What is printed of arguments and of their files.
{
    pcasm "$name/none"; pcasm -o "$name/none/x" "$name/value.pasm"; pcasm "-D$name" x; pcasm --warn "$name" x
    pcasm "$name/bad.pasm"; pcasm "$name/including.pasm"
    pcemu "--$name"; pcemu --core "$name" x; pcemu --set "$name=1" x; pcemu --profile "$name" x
    pcemu --sampler "$name" "$name/guest"
    pcemu --trace "$name" x; pcemu --core samples:"$name/samples"; pcemu --param "$name=1" "$name/guest"
    pcemu --no-program --start-at "$name-" "$name/guest"; pcemu --config "$name/none" x
    pcemu --no-program -o out/x --stats "$name/../out/x" "$name/guest"
    pcprof "$name"; pcprof help help "$name"; pcprof show "$name/none"; pcprof calc store "$name-"; pcprof prof --event "$name" store
} 2>&1 | tee out/messages
cat out/err
cd out && LC_ALL=C grep -aPl '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' -- *; ls
