# The output, cycles and statistics of a run do not depend on the folder and the name of its program, on the user or on
# the environment: the guest reads each form of its name, and files by names relative to it. It does not read the name of
# the working folder, which is the host's.
cat > look.c << 'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static void read_file(const char *name)
{
    char text[64] = "";
    int fd = open(name, O_RDONLY);
    if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
        return;
    printf("%s: %s", name, text[0] != '\0' ? text : "none\n");
    close(fd);
}

int main(int argc, char **argv)
{
    char name[PATH_MAX], *real = realpath(argv[0], NULL);
    struct utsname machine;
    struct stat a, b;
    ssize_t n = readlink("/proc/self/exe", name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    uname(&machine);
    printf("%s %s %s %s %s %s\n", argv[0], (const char *)getauxval(AT_EXECFN), name, real, machine.nodename, machine.release);
    printf("environment %s, stack %p\n", environ[0] != NULL ? environ[0] : "empty", (void *)__builtin_frame_address(0));
    read_file("input");
    read_file("../beside");
    read_file(argv[1]);
    printf("same %d", stat("/pcemu.program", &a) == 0 && stat("/pcemu.program/bin/..", &b) == 0 && a.st_ino == b.st_ino);
    printf(" %d\n", stat("/proc/self/exe", &a) == 0 && stat(real, &b) == 0 && a.st_ino == b.st_ino);
    return 0;
}
C
cat > link.c << 'C'
#include <stdio.h>
int main(int argc, char **argv) { printf("called %s with %s\n", argv[0], argv[argc - 1]); return 0; }
C
riscv64-linux-gnu-gcc -O1 -w -static -o static look.c
riscv64-linux-gnu-gcc -O1 -w -o dynamic look.c
riscv64-linux-gnu-gcc -O1 -w -static -o link link.c
printf '#!/pcemu.program/bin/static\n' > script
chmod +x script
sysroot=${RV_SYSROOT:-/usr/riscv64-linux-gnu} top=$PWD short=$PWD/s
mkdir -p one/x "$short/x" "a/much/longer/name/of/a/folder/than/that/x"
cd a/much/longer/name/of/a/folder/than/that/x
long=$PWD
cd "$top"
for place in one/x "$short/x" "$long"; do
    cp static dynamic script "$place"
    ln -s "$short/link" "$place/called"
    echo text > "$place/input"
    echo outside > "$place/../beside"
done
cp link "$short"
chmod -R a+rwX .
chmod a+x .. # the folder of the script is in one for the user alone
# run NAME FOLDER GUEST: output, report and statistics, without the names of files on the host
run() {
    (cd "$2" && $as pcemu --core $core $options --no-program --profile oracle --format json -o report --stats stats "$3" \
        input > said 2>&1)
    for kind in said report stats; do
        sed '/"guest": "/d; /"executed": "/d' "$2/$kind" > "$1.$kind"
        rm -f "$2/$kind"
    done
}
compare() {
    for kind in said report stats; do cmp "first.$kind" "$1.$kind" || echo "$guest, $core: $1.$kind differs"; done
}
as=
for guest in static dynamic script called; do
    for core in inorder ooo; do
        options=
        [ $guest != dynamic ] || options="-L $sysroot"
        run first one/x ./$guest
        run second "$short/x" "$short/x/$guest"
        compare second
        run third "$long" "../x/$guest"
        compare third
        # As another user, with another environment, if this one may become another.
        as="env -i PATH=$PATH LONG=environment"
        [ "$(id -u)" != 0 ] || as="$as setpriv --reuid=65534 --regid=65534 --clear-groups"
        run fourth "$short/x" ./$guest
        compare fourth
        as=
    done
    echo "--- $guest"
    cat first.said
done
