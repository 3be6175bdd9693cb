# A program that the guest executes and that the sysroot lacks: the run ends with a warning that names it, because other
# emulators would execute the host's.
mkdir -p root/opt
cat > runs.c << 'C'
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Executes each argument in a child: "sh" by system(), a path directly, any other name by its place in $PATH. */
int main(int argc, char **argv)
{
    if (argc == 1)
        return 0;
    for (int n = 1; n < argc; n++) {
        char *child[] = {argv[n], NULL};
        int status = 0;
        fflush(stdout);
        if (strcmp(argv[n], "sh") == 0) {
            status = system("exit 3");
        } else if (fork() == 0) {
            execvp(argv[n], child);
            _exit(127);
        } else {
            wait(&status);
        }
        printf("%s: %d\n", argv[n], WEXITSTATUS(status));
    }
    return 0;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o runs runs.c
cp runs root/opt/runs
printf '#!/bin/none\n' > root/opt/script
chmod +x root/opt/script
try() { echo "\$ runs $*"; pcemu --core functional --no-program -L root -E PATH=/usr/bin:/bin:/opt ./runs "$@"; }
try sh
try sh sh /bin/false nowhere sh
# The places of $PATH before that of the program do not count.
try runs
# The interpreter of a script; a relative name is not looked up in the sysroot.
try /opt/script ./absent
# Without a sysroot the guest's files are those of the host.
pcemu --core functional --no-program ./runs /absent
# With a report, on a core.
pcemu --no-program --profile oracle --top 1 -o out -L root ./runs sh
