# Processes that the guest forks, each with a report: children, their children, and programs that they execute.
cat > family.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) long child(long n)
{
    volatile long s = 0;
    for (long i = 0; i < n; i++)
        s += i;
    return s;
}
__attribute__((noinline)) long grandchild(long n) { return child(n) + child(n); }
static int status_of(pid_t pid)
{
    int status = 0;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(int argc, char **argv)
{
    pid_t pid;
    if (argc > 1)
        return child(10000) > 0 ? 7 : 0;
    if ((pid = fork()) == 0) {
        child(10000);
        if ((pid = fork()) == 0)
            _exit(grandchild(5000) > 0);
        _exit(status_of(pid) + 2);
    }
    printf("%d\n", status_of(pid));
    fflush(stdout);
    if ((pid = vfork()) == 0) {
        execl(argv[0], argv[0], "again", (char *)0);
        _exit(9);
    }
    printf("%d\n", status_of(pid));
    return 0;
}
END
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o family family.c
show() {
    for report in report*; do
        echo "$report: forked $(sed -n 's/^  forked  *\([0-9,]*\).*/\1/p' "$report")," \
            "$(sed -n '/^Functions/,/^$/s/^ *[0-9.]*  //p' "$report" | head -n 1 | grep -cx child) with most time in child," \
            "$(grep -c 'NOT PROFILED' "$report") NOT PROFILED"
    done
    rm -f report*
}
echo '--- each process'
pcemu --follow-children --no-program --profile oracle --check -o report --stats stats ./family 2> checked
grep -c '^pcemu: checked [0-9,]* instructions$' checked
show
ls stats*
echo '--- without'
pcemu --no-program --profile oracle -o report ./family
show
echo '--- a profiling program, a limit, a store'
pcasm -o edge.pc "$programs/edge.pasm"
pcemu --follow-children --program edge.pc --core inorder --max-insts 50k -o report --collect store.db ./family
grep -l '^PARTIAL' report*
pcprof list --format csv store.db | sed -n 's/^runs,\([0-9]*\),.*,\(yes\|no\|true\|false\),.*/\1 \2/p'
echo '--- a child that executes another program after its limit'
cat > late.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int status = 0;
    if (argc > 1)
        return 7;
    if (fork() == 0) {
        for (volatile int i = 0; i < 20000; i++)
            continue;
        execl(argv[0], argv[0], "again", (char *)0);
    }
    wait(&status);
    printf("%d\n", WEXITSTATUS(status));
    return 0;
}
END
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o late late.c
pcemu --follow-children --no-program --max-insts 30k ./late
echo '--- a child whose rest after its limit is longer than the time between two pauses of a run'
cat > rest.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int status;
    if (fork() == 0) {
        for (volatile long i = 0; i < 60000000; i++)
            continue;
        _exit(5);
    }
    wait(&status);
    printf("%d\n", WEXITSTATUS(status));
    return 0;
}
END
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o rest rest.c
pcemu --follow-children --no-program --core inorder --max-insts 50k -o rest.report ./rest
rm -f rest.report*
echo '--- the first process executes another program, which forks'
cat > begin.c <<'END'
#include <unistd.h>
int main(int argc, char **argv)
{
    execv("./family", argv);
    return 9;
}
END
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o begin begin.c
pcemu --follow-children --no-program --profile oracle -o report ./begin
sed -n 's|^guest .*/|guest |p; s|^  executed .*/\([a-z]*\) .*|executed \1|p' report report.1001
pcemu --no-program --profile oracle -o alone ./begin again
sed -n '/^Functions/,/^$/s/^ *[0-9.]*  //p' alone | head -n 1
show
rm -f alone
echo '--- on standard error'
pcemu --follow-children --no-program --profile oracle ./family 2>&1 > out | grep -c '^guest '
echo '--- what it is incompatible with'
pcemu --follow-children --core functional ./family
pcemu --follow-children --no-program -i ./family
