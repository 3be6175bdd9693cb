/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs riscv64 programs on our functional core and on another emulator in turn: race EMULATOR ROUNDS ELF...
 * Prints million instructions per second of processor time for both (the best of ROUNDS, by our count of the
 * instructions), their ratio and the peak resident sets. Exit status 1 where the outputs differ; being slow is no
 * failure. */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core-model/linux/guest.h"

enum { OUTPUT_BYTES = 1 << 12, TRANSLATION_BYTES = 64 << 20 };

struct lap {
    double seconds; /* user and system time */
    double mebibytes;
    uint64_t instructions; /* 0 where not counted */
    char output[OUTPUT_BYTES];
};

static void run_here(char *elf, int report)
{
    static struct guest guest;
    struct errmsg err;
    char *argv[] = {elf, NULL}, *envp[] = {NULL};
    const struct guest_config config = {
        .path = elf, .argv = argv, .envp = envp, .seed = 1, .translation_bytes = TRANSLATION_BYTES};
    if (guest_init(&guest, &config, &err) != ST_OK) {
        fprintf(stderr, "race: %s\n", err.text);
        _exit(EXIT_BAD_INPUT);
    }
    guest_run(&guest, UINT64_MAX);
    uint64_t n = guest.hart.instret;
    if (write(report, &n, sizeof n) != (ssize_t)sizeof n)
        _exit(EXIT_BAD_INPUT);
    _exit(guest.process->exit_status);
}

static void read_output(int fd, char *text)
{
    size_t used = 0;
    ssize_t n;
    while ((n = read(fd, text + used, OUTPUT_BYTES - 1 - used)) > 0)
        used += (size_t)n;
    text[used] = '\0';
    close(fd);
}

/* In a process of its own; `emulator` NULL is us. */
static void run_lap(char *emulator, char *elf, struct lap *lap)
{
    int out[2], report[2], status;
    struct rusage use;
    if (pipe(out) != 0 || pipe(report) != 0)
        BUG("no pipe");
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        close(out[1]);
        if (emulator == NULL)
            run_here(elf, report[1]);
        execlp(emulator, emulator, elf, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    close(report[1]);
    read_output(out[0], lap->output);
    if (wait4(pid, &status, 0, &use) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fprintf(stderr, "race: %s: %s failed\n", elf, emulator == NULL ? "our core" : emulator);
    if (read(report[0], &lap->instructions, sizeof lap->instructions) != (ssize_t)sizeof lap->instructions)
        lap->instructions = 0;
    close(report[0]);
    lap->seconds = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                   (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
    lap->mebibytes = (double)use.ru_maxrss / 1024;
}

static void keep_better(struct lap *best, const struct lap *lap, bool is_first)
{
    if (is_first || lap->seconds < best->seconds)
        *best = *lap;
}

/* The ratio; negative where the outputs differ. */
static double race(char *emulator, int rounds, char *elf)
{
    static struct lap lap, ours, theirs;
    for (int i = 0; i < rounds; i++) {
        run_lap(emulator, elf, &lap);
        keep_better(&theirs, &lap, i == 0);
        run_lap(NULL, elf, &lap);
        keep_better(&ours, &lap, i == 0);
    }
    const char *name = strrchr(elf, '/');
    double millions = (double)ours.instructions * 1e-6, ratio = theirs.seconds / ours.seconds;
    printf("%-12s %9.1f %9.0f %9.0f %7.2f %9.1f %9.1f\n", name != NULL ? name + 1 : elf, millions,
           millions / ours.seconds, millions / theirs.seconds, ratio, ours.mebibytes, theirs.mebibytes);
    fflush(stdout);
    if (strcmp(ours.output, theirs.output) == 0)
        return ratio;
    fprintf(stderr, "race: %s: different output: ours %s, theirs %s", elf, ours.output, theirs.output);
    return -ratio;
}

int main(int argc, char **argv)
{
    if (argc < 4 || atoi(argv[2]) < 1) {
        fputs("usage: race EMULATOR ROUNDS ELF...\n", stderr);
        return EXIT_BAD_INPUT;
    }
    double logs = 0;
    int different = 0;
    printf("%-12s %9s %9s %9s %7s %9s %9s\n", "program", "M instr", "ours M/s", "their M/s", "ratio", "ours MiB",
           "their MiB");
    fflush(stdout); /* children would print it again */
    for (int i = 3; i < argc; i++) {
        double ratio = race(argv[1], atoi(argv[2]), argv[i]);
        different += ratio < 0;
        logs += log(fabs(ratio));
    }
    printf("geometric mean of the ratios: %.2f\n", exp(logs / (argc - 3)));
    return different != 0;
}
