# What a guest reads of the machine: its processors, processes and descriptors, and names that are not there.
cat > look.c <<'END'
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void list(DIR *d)
{
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        printf(" %s", e->d_name);
    printf("\n");
    closedir(d);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 1; i < argc; i++) {
        char text[4096];
        struct stat sb;
        printf("%s:", argv[i]);
        ssize_t n = readlink(argv[i], text, sizeof text - 1);
        if (n >= 0)
            printf(" -> %.*s", (int)n, text);
        int fd = open(argv[i], O_RDONLY);
        if (fd < 0 || fstat(fd, &sb) != 0) {
            printf(" %s\n", strerror(errno));
        } else if (S_ISDIR(sb.st_mode)) {
            list(fdopendir(fd));
        } else {
            n = read(fd, text, sizeof text - 1);
            printf(" %.*s", n > 0 ? (int)n : 0, text);
            close(fd);
        }
    }
    return 0;
}
END
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o look look.c
look() { pcemu --no-program "$@"; }
cpu=/sys/devices/system/cpu
for options in '' '--harts 3 --core ooo'; do
    look $options look $cpu/online $cpu/possible $cpu/present $cpu/offline $cpu/isolated $cpu/kernel_max $cpu \
        $cpu/cpu0/topology/core_id $cpu/cpu0/topology/core_cpus \
        $cpu/cpu0/topology/core_cpus_list $cpu/cpu0/topology/core_siblings $cpu/cpu0/topology/core_siblings_list \
        $cpu/cpu0/topology/package_cpus $cpu/cpu0/topology/package_cpus_list $cpu/cpu0/topology/thread_siblings \
        $cpu/cpu0/topology/thread_siblings_list $cpu/cpu0/topology/physical_package_id $cpu/cpu0/topology/nothing \
        $cpu/cpu2/topology/core_id $cpu/cpu9 $cpu/cpu0/nothing $cpu/nothing $cpu/cpux/topology
done
look look /proc/cpuinfo /proc/stat | sed 's/^btime .*/btime/; s/^\(cpu[0-9 ]*\) .*/\1/'
look look /proc /proc/self/fd /proc/self/task /proc/self/fdinfo /proc/self/mem /proc/1/mem /proc/self/nothing \
    /proc/nothing /proc/9999999 /proc/99999999999 /proc/self/fd/99 /proc/self/fd/x /proc/self/fd/0/x /proc/self/comm \
    /proc/self/cwd/../../proc/self/comm /proc/./self//comm /proc/self/task/1/comm /proc/self/task/9/comm \
    /proc/self/exe/x /proc/self/root/proc/self/comm /proc/thread-self/comm /proc/self/children \
    2>&1 | sed "s|$PWD|FOLDER|g; s|^/proc: .*|/proc: ...|"
