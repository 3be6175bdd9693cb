/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Initial stack of a program: strings, auxiliary vector, envp, argv, argc from top to bottom. Source: System V ABI,
 * "Process Initialization"; Linux fs/binfmt_elf.c. */
#include <stdlib.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/load.h"
#include "core-model/linux/space.h"
#include "core-model/linux/task.h"
#include "core-model/riscv/extension.h"

enum { AUX_PAIRS_MAX = 24, ARGUMENT_BYTES_MAX = LINUX_STACK_BYTES / 4, RANDOM_BYTES = 16, REG_SP = 2 };

enum aux {
    AUX_NULL,
    AUX_PHDR = 3,
    AUX_PHENT = 4,
    AUX_PHNUM = 5,
    AUX_PAGESZ = 6,
    AUX_BASE = 7,
    AUX_FLAGS = 8,
    AUX_ENTRY = 9,
    AUX_UID = 11,
    AUX_EUID = 12,
    AUX_GID = 13,
    AUX_EGID = 14,
    AUX_HWCAP = 16,
    AUX_CLKTCK = 17,
    AUX_SECURE = 23,
    AUX_RANDOM = 25,
    AUX_EXECFN = 31,
};

struct stack {
    struct guest *g;
    uint64_t sp;
    uint64_t aux[2 * AUX_PAIRS_MAX];
    size_t aux_words;
};

static uint64_t linux_stack_push(struct stack *s, const void *data, size_t size_bytes)
{
    s->sp -= size_bytes;
    memcpy(memory_at(&s->g->hart.mem, s->sp), data, size_bytes);
    return s->sp;
}

static uint64_t push_string(struct stack *s, const char *text) { return linux_stack_push(s, text, strlen(text) + 1); }

static void add_aux(struct stack *s, enum aux key, uint64_t value)
{
    s->aux[s->aux_words++] = key;
    s->aux[s->aux_words++] = value;
}

static size_t count_strings(char *const *list, size_t *size_bytes)
{
    size_t n = 0;
    for (; list != NULL && list[n] != NULL; n++)
        *size_bytes += strlen(list[n]) + 1 + sizeof(uint64_t);
    return n;
}

/* Pushes the strings; returns the list of their addresses, terminated by a null pointer. */
static uint64_t *push_strings(struct stack *s, char *const *list, size_t count)
{
    uint64_t *where = xcalloc(count + 1, sizeof *where);
    for (size_t i = count; i-- > 0;)
        where[i] = push_string(s, list[i]);
    return where;
}

/* Builds the auxiliary vector. The program's name is as given, because the stack must not depend on the current
 * folder. */
static void fill_aux(struct stack *s, const struct guest_config *config, const struct elf_image *program,
                     uint64_t interp_base)
{
    uint64_t execfn = push_string(s, config->name != NULL ? config->name : config->path);
    uint64_t seed[RANDOM_BYTES / sizeof(uint64_t)];
    for (size_t i = 0; i < sizeof seed / sizeof seed[0]; i++)
        seed[i] = random_bits(&s->g->task->random);
    uint64_t random = linux_stack_push(s, seed, sizeof seed);
    add_aux(s, AUX_HWCAP, rv_extensions_hwcap());
    add_aux(s, AUX_PAGESZ, MEM_PAGE_BYTES);
    add_aux(s, AUX_CLKTCK, LINUX_CLOCK_TICKS);
    add_aux(s, AUX_PHDR, program->phdr);
    add_aux(s, AUX_PHENT, program->phent);
    add_aux(s, AUX_PHNUM, program->phnum);
    add_aux(s, AUX_BASE, interp_base);
    add_aux(s, AUX_FLAGS, 0);
    add_aux(s, AUX_ENTRY, program->entry);
    /* Start-up code loads them, so the user's own numbers would make profiles of loads depend on the user. getuid and
     * its like return the user's. */
    add_aux(s, AUX_UID, 0);
    add_aux(s, AUX_EUID, 0);
    add_aux(s, AUX_GID, 0);
    add_aux(s, AUX_EGID, 0);
    add_aux(s, AUX_SECURE, 0);
    add_aux(s, AUX_RANDOM, random);
    add_aux(s, AUX_EXECFN, execfn);
    add_aux(s, AUX_NULL, 0);
}

enum status linux_build_stack(struct guest *g, const struct guest_config *config, const struct elf_image *program,
                              uint64_t interp_base, struct errmsg *err)
{
    struct stack s = {.g = g, .sp = LINUX_STACK_TOP};
    size_t size_bytes = 0;
    size_t argc = count_strings(config->argv, &size_bytes), envc = count_strings(config->envp, &size_bytes);
    if (size_bytes > ARGUMENT_BYTES_MAX)
        return fail(err, ST_RANGE, "%s: arguments and environment take %zu bytes, at most %d fit", config->path,
                    size_bytes, ARGUMENT_BYTES_MAX);
    struct linux_space *space = g->space;
    space->env_end = s.sp;
    uint64_t *env = push_strings(&s, config->envp, envc);
    space->env_start = space->arg_end = s.sp;
    uint64_t *arg = push_strings(&s, config->argv, argc);
    space->arg_start = s.sp;
    fill_aux(&s, config, program, interp_base);
    /* The initial stack pointer is a multiple of 16 and points to argc. */
    uint64_t below = s.aux_words * sizeof(uint64_t) + (argc + envc + 3) * sizeof(uint64_t);
    s.sp = ((s.sp - below) & ~UINT64_C(15)) + below;
    space->aux_end = s.sp;
    space->aux_start = linux_stack_push(&s, s.aux, s.aux_words * sizeof(uint64_t));
    linux_stack_push(&s, env, (envc + 1) * sizeof *env);
    linux_stack_push(&s, arg, (argc + 1) * sizeof *arg);
    const uint64_t argument_count = argc;
    linux_stack_push(&s, &argument_count, sizeof argument_count);
    g->hart.reg[REG_SP] = space->stack_start = s.sp;
    free(env);
    free(arg);
    return ST_OK;
}
