/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open files of every kind that a checkpoint holds. Each round reads and writes all of them and prints what they are.
 * usage: files INPUT OUTPUT < INPUT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 24 };

static void show(const char *what, int fd)
{
    char text[16] = "";
    const ssize_t n = read(fd, text, 7);
    printf("%s: %zd '%.*s' at %lld, flags %x %x\n", what, n, n > 0 ? (int)n : 0, text,
           (long long)lseek(fd, 0, SEEK_CUR), fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
}

static unsigned random_of(int fd)
{
    unsigned char byte[4];
    return read(fd, byte, sizeof byte) == sizeof byte ? byte[0] + 256u * byte[3] : 0;
}

int main(int argc, char **argv)
{
    if (argc != 3 || mkdir("below", 0700) != 0 || chdir("below") != 0)
        return 2;
    const int input = open(argv[1], O_RDONLY), other = open(argv[1], O_RDONLY | O_CLOEXEC), copy = dup(input);
    const int output = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600),
              appended = open(argv[2], O_WRONLY | O_APPEND | O_NONBLOCK);
    const int folder = open("..", O_RDONLY | O_DIRECTORY), nothing = open("/dev/null", O_WRONLY),
              device = open("/dev/urandom", O_RDONLY);
    const int out = dup2(1, 40), high = fcntl(input, F_DUPFD_CLOEXEC, 100), stream = dup(0);
    umask(027);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int round = 0; round < ROUNDS; round++) {
        char line[64], name[32];
        struct stat sb;
        show("input", input);
        show("copy", copy);
        show("other", other);
        show("high", high);
        show("stream", stream);
        show("standard input", 0);
        const int length = snprintf(line, sizeof line, "round %d random %u\n", round, random_of(device));
        if (write(out, line, (size_t)length) != length || write(output, line, (size_t)length) != length ||
            write(nothing, line, (size_t)length) != length || write(appended, "+\n", 2) != 2)
            return 3;
        printf("output at %lld\n", (long long)lseek(output, 0, SEEK_CUR));
        snprintf(name, sizeof name, "below/%d", round);
        close(openat(folder, name, O_WRONLY | O_CREAT, 0666));
        printf("mode %o\n", stat(name + 6, &sb) == 0 ? (unsigned)sb.st_mode & 0777 : 0);
        printf("folder %s\n", strrchr(getcwd(line, sizeof line) != NULL ? line : "/?", '/'));
        lseek(other, round % 5, SEEK_CUR);
    }
    return 17;
}
