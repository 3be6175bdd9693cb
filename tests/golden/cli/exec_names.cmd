# A dynamically linked program that executes itself: the dynamic linker has a name in each life, for the guest and in
# profiles, also in a process that is forked.
cat > lives.c << 'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int names(const char *file)
{
    char line[4096];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL)
        count += strstr(line, file) != NULL;
    fclose(maps);
    return count;
}
int main(int argc, char **argv)
{
    int lives = argc > 1 ? atoi(argv[1]) : 0;
    char left[16], *again[] = {argv[0], left, NULL};
    printf("%d more: linker %s, libc %s\n", lives, names("/ld-linux-") > 0 ? "named" : "without name",
           names("/libc.so") > 0 ? "named" : "without name");
    fflush(stdout);
    if (lives == 0)
        return 0;
    snprintf(left, sizeof left, "%d", lives - 1);
    if (lives > 1 || fork() == 0)
        execv("./lives", again);
    wait(NULL);
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -o lives lives.c
pcemu --follow-children --no-program --profile oracle --format csv -o report -L /usr/riscv64-linux-gnu ./lives 4
for report in report report.*; do
    ! grep -q 'ld-linux' "$report" || echo "$report: the linker is named"
    ! grep -q 'anonymous' "$report" || echo "$report: code without a file"
done
