/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/guest.md, the guest's instructions and system calls, from rv.def, rvc.def, extension.def and
 * syscall.def. */
#include <stdio.h>

#include "core-model/linux/calls.h"

enum extension {
#define EXTENSION(symbol, name, subject) EXTENSION_##symbol,
#include "core-model/riscv/extension.def"
#undef EXTENSION
};

struct instruction {
    enum extension extension;
    const char *mnemonic;
};

static const struct instruction instructions[] = {
#define RV(sym, mnemonic, match, mask, format, kind, bytes, cls, unit, flags, extension) \
    {EXTENSION_##extension, mnemonic},
#include "core-model/riscv/rv.def"
#undef RV
#define RVC(sym, mnemonic, ...) {EXTENSION_C, mnemonic},
#include "core-model/riscv/rvc.def"
#undef RVC
};

static void print_extension(enum extension extension, const char *name, const char *subject)
{
    const char *between = "";
    printf("| %s | %s | ", name, subject);
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++)
        if (instructions[i].extension == extension) {
            printf("%s`%s`", between, instructions[i].mnemonic);
            between = ", ";
        }
    puts(" |");
}

static void print_extensions(void)
{
    puts("## Instructions\n\n"
         "User mode only. An instruction of another extension, as of the vector extension, raises SIGILL.\n\n"
         "| extension | subject | instructions |\n|---|---|---|");
#define EXTENSION(symbol, name, subject) print_extension(EXTENSION_##symbol, name, subject);
#include "core-model/riscv/extension.def"
#undef EXTENSION
}

static unsigned guest_manual_count(enum guest_call_state state)
{
    unsigned n = 0;
    for (const struct guest_call *c = guest_next_call(NULL); c != NULL; c = guest_next_call(c))
        n += c->state == state;
    return n;
}

static void print_state(enum guest_call_state state, const char *title, const char *meaning)
{
    printf("\n### %s\n\n%u calls. %s\n\n", title, guest_manual_count(state), meaning);
    puts(state == CALL_LIMITED || state == CALL_DECLINED ? "| number | name | note |\n|---|---|---|"
                                                         : "| number | name |\n|---|---|");
    for (const struct guest_call *c = guest_next_call(NULL); c != NULL; c = guest_next_call(c))
        if (c->state == state)
            printf(c->note[0] != '\0' ? "| %u | `%s` | %s |\n" : "| %u | `%s` |\n", c->number, c->name, c->note);
}

int main(void)
{
    puts("# The guest's instructions and system calls\n\n"
         "`make docs` writes this page from `core-model/riscv/extension.def`, `rv.def`, `rvc.def` and\n"
         "`core-model/linux/syscall.def`. [decisions.md](decisions.md#the-guest) describes how the calls behave.\n");
    print_extensions();
    puts("\n## System calls\n\n"
         "`pcemu --list-syscalls` prints the calls in the order of their numbers, with `--format json` as JSON.");
    print_state(CALL_SUPPORTED, "Supported", "Success and errors are those of Linux.");
    print_state(CALL_LIMITED, "Supported with a limit", "The note states the difference from Linux.");
    print_state(CALL_DENIED, "Denied", "They return `EPERM`, as to a process without privileges.");
    print_state(CALL_DECLINED, "Declined", "They return `ENOSYS`, which programs expect of such a kernel.");
    print_state(CALL_ABSENT, "Absent", "They return `ENOSYS`. `pcemu` prints a warning for the first of each.");
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? 2 : 0;
}
