# A script as the first program: its interpreter runs, below the sysroot.
mkdir -p root/usr/bin root/opt
cat > tell.c << 'C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char exe[4096] = "", name[32] = "";
    for (int i = 0; i < argc; i++)
        printf("'%s' ", argv[i]);
    (void)!readlink("/proc/self/exe", exe, sizeof exe - 1);
    (void)!read(open("/proc/self/comm", O_RDONLY), name, sizeof name - 1);
    name[strcspn(name, "\n")] = '\0';
    printf("is %s, executed as %s, called %s\n", exe, (const char *)getauxval(AT_EXECFN), name);
    for (int i = 1; i < argc; i++)
        if (strstr(argv[i], "plain") != NULL)
            printf("script %s\n", access(argv[i], R_OK) == 0 ? "readable" : "not readable");
    return 5;
}
C
riscv64-linux-gnu-gcc -O1 -w -static -o root/usr/bin/pr tell.c
cp root/usr/bin/pr pr
script() { printf "$2" > "$1" && chmod +x "$1"; }
script plain '#!/usr/bin/pr\n'
script argument '#! /usr/bin/pr  one argument \t\nrest\n'
script nested '#!./plain with\n'
script beside '#!./pr'
script root/opt/inner '#!/usr/bin/pr\n'
script absent '#!/usr/bin/none\n'
script folder '#!/usr\n'
script itself '#!./itself\n'
script alone '#!'
script blank '#! \n'
script foreign '#!/usr/bin/foreign\n'
echo 'no program' > root/usr/bin/foreign
chmod +x root/usr/bin/foreign
ln -s plain link
ln -s /usr/bin/pr root/opt/absolute
for name in plain ./plain "$PWD/plain" argument nested beside root/opt/inner link root/opt/absolute absent folder itself \
    alone blank foreign; do
    pcemu --core functional --no-program -L root "$name" a b 2>&1 | sed "s|$PWD|HERE|"
done
pcemu --core functional --no-program plain 2>&1 | sed 's/: [A-Z][a-z ]* (/: ... (/'
for core in inorder ooo; do pcemu --core $core --no-program -L root plain; done
echo '# profile and recording: of the interpreter'
pcemu --core inorder --no-program --profile oracle -o report --format json --record recording -L root plain > out
sed -n "s|$PWD|HERE|; s/^ *\(\"guest\": \".*\|\"executed\".*\)/\1/p" report
grep -q '"function": "main"' report && echo main
pcemu --core replay:recording --profile oracle -o replayed --format json root/usr/bin/pr
grep -q '"function": "main"' replayed && echo main
