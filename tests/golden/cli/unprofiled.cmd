# What is not profiled is said: a run without a profile, the processes that a guest forks; and what is no input.
cat > forks.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 1; i < argc; i++)
        if (fork() == 0)
            return fork() == 0 ? 0 : 1;
    while (wait(NULL) > 0)
        continue;
    return 0;
}
END
riscv64-linux-gnu-gcc -O1 -static -o forks forks.c
for processes in '' 'one' 'one two'; do
    echo "--- forks $processes"
    # shellcheck disable=SC2086 # several arguments
    pcemu --no-program --profile tip -o report ./forks $processes && grep -c PROFILED report
    grep PROFILED report
done
echo '--- without a profile'
pcemu --core functional -o report ./forks one && cat report
pcemu --core functional --format json -o report.json ./forks && grep -c 'NO PROFILE' report.json
pcemu --no-program -o report ./forks && grep PROFILE report
pcemu --core functional ./forks one
echo '--- a sysroot that is not there'
pcemu -L /nonexistent --core functional ./forks
pcemu -L forks --core functional ./forks
mkdir root && pcemu -L root --core functional ./forks && echo run
echo '--- a source instead of an image'
cp "$programs/value.pasm" .
pcemu --program value.pasm ./forks
pcdis value.pasm
pcemu --program forks.c ./forks
pcasm -o value.pc value.pasm && pcemu --program value.pc -o report ./forks ; grep -c 'NO PROFILE' report
