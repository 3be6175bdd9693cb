# The guest's exit status and streams are pcemu's.
cat > exit.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static int inner(int *p) { *(volatile int *)p = 1; return 7; }
__attribute__((noinline)) static int outer(int *p) { return inner(p + 4) + 1; }
int main(int argc, char **argv)
{
    char line[100];
    if (argc > 1 && strcmp(argv[1], "crash") == 0)
        return outer(NULL) + 1;
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    while (fgets(line, sizeof line, stdin))
        printf("read: %s", line);
    fprintf(stderr, "%s\n", getenv("COLOUR") ? getenv("COLOUR") : "no colour");
    return argc > 1 ? atoi(argv[1]) : 0;
}
C
riscv64-linux-gnu-gcc -O1 -g -static -o exit exit.c
for core in functional ooo; do
    printf 'one\ntwo\n' | pcemu --core $core --no-program -E COLOUR=red ./exit 7
    echo "-> $?"
    pcemu --core $core --no-program ./exit crash 2> err
    echo "-> $?"
    sed -n '1s/ at pc 0x[0-9a-f]*//; 1s/[0-9][0-9,]* instructions/N instructions/p; s/^  #\(.\) *0x[0-9a-f]* \([a-z]*\)+0x.*\(exit.c:.*\)/#\1 \2 \3/p' err
    pcemu --core $core --no-program ./exit abort 2> err
    echo "-> $?"
    sed 's/[0-9][0-9,]* instructions/N instructions/' err
done
# Functions of libraries have names, and the way through them is found.
cat > compare.c << 'C'
#include <stdlib.h>
static int compare(const void *a, const void *b) { return a == b ? 0 : *(volatile int *)NULL; }
int main(void) { int v[3] = {3, 1, 2}; qsort(v, 3, sizeof *v, compare); return 0; }
C
riscv64-linux-gnu-gcc -O1 -g -o compare compare.c
pcemu --core functional --no-program -L /usr/riscv64-linux-gnu ./compare 2> err
echo "-> $?"
sed -n 's/^  #[0-9]* *0x[0-9a-f]* \([a-z]*\)+0x.* \(compare.c:.*\)/\1 \2/p; s/^  #[0-9]* *0x[0-9a-f]* \(__libc_start_main\)+0x.* in libc.*/\1 in libc/p' err
