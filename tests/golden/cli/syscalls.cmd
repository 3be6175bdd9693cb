# The list of system calls: its numbers are those of the compiler's headers, and all forms have the same rows.
pcemu --list-syscalls > text
pcemu --list-syscalls --format json > json
pcemu --list-syscalls --format csv > csv
riscv64-linux-gnu-gcc -E -dM -x c - < /usr/riscv64-linux-gnu/include/asm/unistd.h |
    awk '$2 ~ /^__NR_/ && $3 ~ /^[0-9]+$/ && $2 !~ /__NR_(arch_specific_)?syscalls?$/ { print $3, substr($2, 6) }' | sort > header
awk 'NR > 1 { print $1, $2 }' text | sort > listed
wc -l < header | awk '{ print ($1 > 250) }'
comm -13 listed header
awk 'NR == FNR { name[$1] = $2; next } $1 in name && name[$1] != $2' header listed
jq -r '.syscalls[] | "\(.number) \(.name) \(.state)"' json > a
awk 'NR > 1 { print $1, $2, $3 }' text | diff a -
awk -F, 'NR > 1 { print $1, $2, $3 }' csv | diff a -
grep -E ' (getpid|ioctl|rseq|ptrace) ' text
sed -n '1p; /ioctl/p' csv
jq -c '.syscalls[] | select(.name == "getcpu")' json
# What is absent or declined fails as the list says.
cat > calls.c << 'C'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s %d\n", argv[i], syscall(atol(argv[i]), -1, -1, -1, -1, -1, -1) == -1 && errno == ENOSYS);
}
C
riscv64-linux-gnu-gcc -w -static -o calls calls.c
# shellcheck disable=SC2046 # numbers, meant to be split
pcemu --core functional --no-program ./calls $(awk '$3 == "absent" || $3 == "declined" { print $1 }' a) > out 2> err
grep -v ' 1$' out
[ "$(grep -c warning: err)" = "$(grep -c absent a)" ] && echo warned
