# Debugging information compressed by zstd; beyond the limit, in the program and in a separate debug file.
export SOURCE_DATE_EPOCH=1000000000
cat > s.c <<'C'
long s;
int main(void)
{
    for (long i = 0; i < 999; i++)
        s += i * i;
    return 0;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -g -O1 -static "-fdebug-prefix-map=$PWD=/src" -o plain s.c
head -c 20000000 /dev/zero > zeros
for method in zlib zstd; do
    riscv64-linux-gnu-objcopy --compress-debug-sections=$method plain small
    pcemu --no-program --profile counts --collect $method.db -o once small
    pcprof export --to autofdo-clang $method.db
    riscv64-linux-gnu-objcopy --update-section .debug_str=zeros plain large
    riscv64-linux-gnu-objcopy --compress-debug-sections=$method large
    pcemu --no-program --profile counts --collect large$method.db -o once large
    riscv64-linux-gnu-objcopy --only-keep-debug large stripped.debug
    riscv64-linux-gnu-objcopy --strip-debug --add-gnu-debuglink=stripped.debug plain stripped
    pcemu --no-program --profile counts --collect stripped$method.db -o once stripped
done
# A separate debug file of zstd, looked up by the build ID and by its name.
"${RVCC:-riscv64-linux-gnu-gcc}" -g -O1 -static "-fdebug-prefix-map=$PWD=/src" -Wl,--build-id=0x0123456789abcdef -o plain s.c
riscv64-linux-gnu-objcopy --only-keep-debug --compress-debug-sections=zstd plain stripped.debug
riscv64-linux-gnu-objcopy --strip-debug plain bare
riscv64-linux-gnu-objcopy --strip-debug --add-gnu-debuglink=stripped.debug plain stripped
mkdir -p .debug named identified/.build-id/01
cp stripped.debug .debug
cp stripped.debug named
mv stripped.debug identified/.build-id/01/23456789abcdef.debug
lines() { # DATABASE ARGUMENT...
    store=$1
    shift
    pcemu --no-program --profile counts --collect "$store.db" -o once "$@"
    pcprof export --to autofdo-clang "$store.db"
}
lines folder --debug-dir identified ./bare
lines beside ./stripped
rm -r .debug
lines named --debug-dir named ./stripped
