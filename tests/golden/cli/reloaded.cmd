# Libraries that are loaded one after the other: each has its own addresses, so counts are of the library that was
# mapped. Where the guest chooses the address itself, they are of neither, and a message says so.
for name in first second; do
    cat > $name.c << C
long ${name}_work(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}
C
    "${RVCC:-riscv64-linux-gnu-gcc}" -O1 -shared -fPIC -o $name.so $name.c
done
cat > loads.c << 'C'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
static void run(const char *file, const char *name, long n)
{
    void *library = dlopen(file, RTLD_NOW);
    long (*work)(long) = (long (*)(long))dlsym(library, name);
    printf("%s %ld\n", name, work(n));
    dlclose(library);
}
int main(int argc, char **argv)
{
    const char *files[] = {"./first.so", "./second.so"};
    if (argc == 1) {
        run("./first.so", "first_work", 30000);
        run("./second.so", "second_work", 10000);
        run("./first.so", "first_work", 20000);
    }
    for (int i = 0; argc > 1 && i < 2; i++) {
        char *at = mmap((void *)0x50000000, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, open(files[i], O_RDONLY), 0);
        long (*work)(long) = (long (*)(long))(at + strtol(argv[1 + i], NULL, 16));
        printf("%ld\n", work(10000));
    }
    return 0;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -o loads loads.c -ldl
address() { riscv64-linux-gnu-nm "$1.so" | sed -n "s/^\([0-9a-f]*\) T $1_work$/\1/p"; }
# The shares of the libraries' functions, in whole per cent.
shares() { sed -n '/^Functions/,/^$/p' report | awk '/_work/ || /first.so|second.so/ { $1 = int($1); print }'; }
for arguments in '' "$(address first) $(address second)"; do
    # shellcheck disable=SC2086 # words
    pcemu --no-program --profile oracle -o report --sysroot-only -L /usr/riscv64-linux-gnu \
        ./loads $arguments 2> said
    sed "s|$PWD/||g" said
    shares
done
