/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a program, its dynamic linker and its stack into an address space. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core-model/linux/alias.h"
#include "core-model/linux/load.h"
#include "core-model/linux/path.h"
#include "core-model/linux/space.h"
#include "core-model/linux/thread.h"

/* The guest's name of the program: of the first one, or another in its folder, by that folder's fixed name. */
static char *name_inside(const struct guest *g)
{
    const struct linux_alias *a = &g->names->alias;
    char name[PATH_MAX];
    const char *exe = g->names->exe, *base = strrchr(exe, '/') + 1;
    const size_t length = (size_t)(base - 1 - exe);
    bool is_beside = a->folder != NULL && strlen(a->folder) == length && strncmp(a->folder, exe, length) == 0;
    if (is_beside)
        return xasprintf("%s/%s", LINUX_ALIAS_FOLDER, base);
    snprintf(name, sizeof name, "%s", exe);
    linux_name_guest(g, name);
    return xstrdup(name);
}

static char *absolute_name(const char *path)
{
    char folder[PATH_MAX];
    if (path[0] == '/' || getcwd(folder, sizeof folder) == NULL)
        return xasprintf("%s%s", path[0] == '/' ? "" : "/", path);
    return xasprintf("%s/%s", folder, strncmp(path, "./", 2) == 0 ? path + 2 : path);
}

void linux_name_program(struct guest *g, const struct guest_config *config)
{
    struct linux_names *names = g->names;
    names->exe = realpath(config->path, NULL);
    if (names->exe == NULL) /* below a folder that the user may not search */
        names->exe = absolute_name(config->path);
    names->exe_inside = name_inside(g);
    const bool by_number = config->name == NULL || strncmp(config->name, "/dev/fd/", 8) == 0;
    const char *name = by_number ? config->path : config->name, *base = strrchr(name, '/');
    snprintf(g->thread->name, sizeof g->thread->name, "%s", base != NULL ? base + 1 : name);
}

/* Loads the dynamic linker above the code that it maps, or elsewhere if the program extends to that address. */
static enum status load_interpreter(struct guest *g, const struct elf_image *program, uint64_t *entry, uint64_t *base,
                                    struct errmsg *err)
{
    struct elf_image interp;
    struct linux_place place = {.dir = AT_FDCWD};
    const char *path = place.path;
    snprintf(place.path, sizeof place.path, "%s", program->interp);
    (void)linux_find_place(g, true, &place); /* the loader reports what is missing */
    struct errmsg why;
    enum status st = elf_load(&g->hart.mem, path, program->end <= LINUX_CODE_TOP ? LINUX_CODE_TOP : LINUX_MMAP_TOP,
                              &interp, &why);
    if (st != ST_OK)
        return fail(err, st, "program interpreter %.400s%s", why.text,
                    g->names->sysroot == NULL ? " (is -L SYSROOT missing?)" : "");
    *entry = interp.entry;
    *base = interp.bias;
    linux_note_image(g, path, interp.start, interp.end - interp.start, 0);
    return ST_OK;
}

/* Maps the stack, and the trampoline page to which signal handlers return, which the kernel has in its vDSO: li a7,139
 * (rt_sigreturn); ecall. Both are mapped before the program, so that a program at their addresses is rejected. */
static enum status map_fixed(struct guest *g, struct errmsg *err)
{
    static const uint32_t code[] = {0x08b00893, 0x00000073};
    struct memory *m = &g->hart.mem;
    if (memory_map(m, LINUX_STACK_TOP - LINUX_STACK_BYTES, LINUX_STACK_BYTES, MEM_R | MEM_W) != ST_OK ||
        memory_map(m, LINUX_TRAMPOLINE, MEM_PAGE_BYTES, MEM_R | MEM_X) != ST_OK)
        return fail(err, ST_IO, "cannot map the guest's stack");
    memcpy(memory_at(m, LINUX_TRAMPOLINE), code, sizeof code);
    return ST_OK;
}

enum status linux_load(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    struct elf_image program;
    enum status st = map_fixed(g, err);
    if (st == ST_OK)
        st = elf_load(&g->hart.mem, config->path, LINUX_PIE_START, &program, err);
    if (st != ST_OK)
        return st;
    g->process->bias = program.bias;
    uint64_t entry = program.entry, base = 0;
    if (program.has_interp)
        st = load_interpreter(g, &program, &entry, &base, err);
    if (st == ST_OK)
        st = linux_build_stack(g, config, &program, base, err);
    g->hart.pc = entry;
    g->space->image_start = program.start;
    g->space->brk_start = g->space->brk = program.end;
    return st;
}
