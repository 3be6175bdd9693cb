/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execve of scripts and of files that are no programs. The expected output is that of the same file compiled for the
 * host: qemu-riscv64 leaves execve to its host. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char self[4096], image[1 << 22];
static ssize_t image_bytes;
extern char **environ;

static void make(const char *name, const char *text, size_t size_bytes)
{
    int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0700);
    (void)!write(fd, text, size_bytes);
    close(fd);
}

static void run(const char *name, char *const *argv)
{
    int status;
    fflush(stdout);
    if (fork() == 0) {
        execve(name, argv, environ);
        printf("%s: %s\n", name, strerror(errno));
        fflush(stdout);
        _exit(1);
    }
    wait(&status);
    printf("%s: status %d\n", name, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void script(const char *name, const char *before, const char *interpreter, const char *behind)
{
    char line[8192];
    char *const argv[] = {"zero", "first", "second", NULL};
    snprintf(line, sizeof line, "#!%s%s%s", before, interpreter, behind);
    make(name, line, strlen(line));
    run(name, argv);
}

static void scripts(void)
{
    char *const none[] = {NULL}, *const one[] = {"script", NULL};
    script("plain", "", self, "\n");
    script("argument", "", self, " interpreted more words\n");
    script("blanks", " \t", self, "  interpreted  \t \nrest\n");
    script("unended", "", self, " interpreted");
    script("nobody", "", "", "\n");
    script("only_blanks", "", "   ", "\n");
    script("absent", "", "/absent", "\n");
    script("folder", "", "/", "\n");
    script("itself", "", "./itself", "\n");
    script("nested", "", "./argument", " nested\n");
    char long_name[400];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    script("long", "", long_name, "\n");
    run("argument", one);
    run("argument", none);
    make("empty", "", 0);
    run("empty", one);
    make("short", "#", 1);
    run("short", one);
    make("text", "echo no program\n", 16);
    run("text", one);
    chmod("text", 0600);
    run("text", one);
}

/* First lines with zeros, without an end, and as long as what execve reads (256 bytes). */
static void heads(void)
{
    static const struct {
        const char *text;
        size_t size_bytes;
    } short_ones[] = {
        {"#!", 2},
        {"#!\n", 3},
        {"#! ", 3},
        {"#! \t\n", 5},
        {"#!\0", 3},
        {"#! \0", 4},
        {"#!\0self", 7},
        {"#!self\0x y\n", 11},
        {"#!self x\0y\n", 11},
        {"#!self \0y\n", 10},
        {"#!self  ", 8},
        {"#!self\r\n", 8},
        {"#!self x \t\n", 11},
        {"#!./self/x\n", 11},
        {"#!text\n", 7},
        {"#!\nself\n", 8},
    };
    static const struct {
        size_t at; /* of the interpreter */
        const char *text;
        size_t size_bytes, newline; /* its place; 0: none */
    } long_ones[] = {
        {300, "", 300, 0},       {240, "self", 300, 0},   {240, "self", 244, 0},   {250, "self", 300, 0},
        {251, "self", 300, 0},   {252, "self", 300, 0},   {251, "self x", 300, 0}, {2, "self y", 300, 0},
        {2, "self y", 300, 255}, {2, "self y", 300, 254}, {2, "self y", 300, 256}, {251, "self", 300, 255},
        {251, "self", 255, 0},   {252, "self", 256, 0},   {250, "self", 300, 254},
    };
    char *const argv[] = {"zero", "first", NULL};
    char line[301], name[32];
    for (size_t i = 0; i < sizeof short_ones / sizeof short_ones[0]; i++) {
        snprintf(name, sizeof name, "head%zu", i);
        make(name, short_ones[i].text, short_ones[i].size_bytes);
        run(name, argv);
    }
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        const size_t length = strlen(long_ones[i].text);
        memset(line, ' ', sizeof line);
        memcpy(line, "#!", 2);
        if (length > 0)
            memcpy(line + long_ones[i].at, long_ones[i].text, length);
        if (long_ones[i].at == 2)
            memset(line + 2 + length, 'y', sizeof line - 2 - length);
        if (long_ones[i].newline > 0)
            line[long_ones[i].newline] = '\n';
        snprintf(name, sizeof name, "line%zu", i);
        make(name, line, long_ones[i].size_bytes);
        run(name, argv);
    }
}

/* Each script is the interpreter of the next. */
static void chain(void)
{
    char *const argv[] = {"zero", NULL};
    char line[64], name[32], before[32] = "self";
    for (int i = 1; i <= 7; i++) {
        snprintf(name, sizeof name, "chain%d", i);
        make(name, line, (size_t)snprintf(line, sizeof line, "#!%s\n", before));
        strcpy(before, name);
        run(name, argv);
    }
}

/* The interpreter could not open the script by a descriptor that execve closes. */
static void by_descriptor(void)
{
    char *const argv[] = {"zero", "first", NULL};
    for (int closes = 0; closes < 2; closes++) {
        const int flag = closes ? O_CLOEXEC : 0;
        int fd = open("plain", O_RDONLY | flag), folder = open(".", O_PATH | flag);
        for (int by_folder = 0; by_folder < 2; by_folder++) {
            int status;
            fflush(stdout);
            if (fork() == 0) {
                syscall(SYS_execveat, by_folder ? folder : fd, by_folder ? "plain" : "", argv, environ, AT_EMPTY_PATH);
                printf("%s\n", strerror(errno));
                fflush(stdout);
                _exit(1);
            }
            wait(&status);
            printf("closed %d, in a folder %d: status %d\n", closes, by_folder, WEXITSTATUS(status));
        }
        close(fd);
        close(folder);
    }
}

static void change(const char *name, size_t at, unsigned char byte, ssize_t size_bytes)
{
    char *const argv[] = {"zero", "interpreted", NULL};
    char old = image[at];
    image[at] = byte;
    make(name, image, size_bytes);
    image[at] = old;
    run(name, argv);
}

static void programs(void)
{
    char *const none[] = {NULL}, *const argv[] = {"zero", "interpreted", NULL};
    int fd = open(self, O_RDONLY);
    image_bytes = read(fd, image, sizeof image);
    close(fd);
    change("whole", 0, image[0], image_bytes);
    change("cut", 0, image[0], 40);
    change("magic", 1, 'X', image_bytes);
    change("machine", offsetof(Elf64_Ehdr, e_machine), 0x77, image_bytes);
    change("type", offsetof(Elf64_Ehdr, e_type), ET_REL, image_bytes);
    change("headers", offsetof(Elf64_Ehdr, e_phnum), 0, image_bytes);
    change("size", offsetof(Elf64_Ehdr, e_phentsize), 1, image_bytes);
    run("whole", none);
    fd = open("whole", O_WRONLY);
    run("whole", argv);
    close(fd);
    run("whole", argv);
    char *large = malloc(1 << 22);
    memset(large, 'x', (1 << 22) - 1);
    large[(1 << 22) - 1] = '\0';
    char *const too_long[] = {"zero", large, NULL};
    run("whole", too_long);
}

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *at) { return remove(path); }

/* Names in the folder of the test without it, and long arguments by their length. */
static void show_argument(const char *text)
{
    if (strrchr(text, '/') != NULL && strncmp(text, "./", 2) != 0)
        printf(" 'PATH'");
    else if (strlen(text) > 100)
        printf(" '%.20s' of %zu", text, strlen(text));
    else
        printf(" '%s'", text);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/guest_scripts.XXXXXX";
    if (getenv("SECOND") != NULL) {
        printf("executed with %d:", argc);
        for (int i = 0; i < argc; i++)
            show_argument(argv[i]);
        printf("\n");
        return 7;
    }
    setenv("SECOND", "yes", 1);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    symlink(self, "self");
    snprintf(self, sizeof self, "%s/self", folder);
    scripts();
    heads();
    chain();
    by_descriptor();
    programs();
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
