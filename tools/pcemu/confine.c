/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/landlock.h"
#include "base/outfile.h"
#include "tools/pcemu/call_filter.h"
#include "tools/pcemu/capabilities.h"
#include "tools/pcemu/fatal.h"

/* The rulesets in the making. */
struct rules {
    const char *option; /* for messages: the one that restricts files */
    bool confines;      /* --confine */
    int files;          /* operations on files that the process may perform */
    int changes;        /* files that can be opened for reading: those that the guest may change */
};

/* The option that restricts files; NULL: none. */
static const char *files_option(const struct options *o)
{
    return o->confine ? "--confine" : o->read_only ? "--read-only" : NULL;
}

void confine_check(const struct options *o)
{
    struct errmsg err;
    if (files_option(o) != NULL && landlock_check_abi(landlock_abi(), &err) != ST_OK)
        die("%s: %s", files_option(o), err.text);
}

static void allow_open(const struct rules *r, int file, const char *name, uint64_t rights)
{
    if (!r->confines)
        rights &= LANDLOCK_WRITES; /* reading is not restricted */
    if (rights != 0 && landlock_allow(r->files, file, rights) != 0 && errno != EBADFD)
        die("%s: the kernel refuses a rule for %s: %s", r->option, name, strerror(errno));
}

/* A file or folder, and what is below it. `given` is the option that names it; NULL: it need not exist. */
static void allow(const struct rules *r, const char *given, const char *path, uint64_t rights)
{
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0 && given != NULL)
        die("%s %s: %s: expected a file or folder", given, path, strerror(errno));
    if (file < 0)
        return;
    allow_open(r, file, path, rights);
    if (rights & LANDLOCK_ACCESS_FS_MAKE_REG && landlock_allow(r->changes, file, LANDLOCK_READS) != 0)
        die("%s: the kernel refuses a rule for %s: %s", r->option, path, strerror(errno));
    close(file);
}

/* Access that every guest has: files without confidential contents, /proc, which core-model/linux/procfs.c shows, and
 * of the standard streams the access that they have. */
static void allow_common(const struct rules *r)
{
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", "/dev/tty"};
    static const char *const streams[] = {"standard input", "standard output", "standard error"};
    struct stat sb;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        allow(r, NULL, devices[i], LANDLOCK_READS | LANDLOCK_ACCESS_FS_WRITE_FILE);
    allow(r, NULL, "/proc", LANDLOCK_READS);
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        int mode = fcntl(fd, F_GETFL) & O_ACCMODE;
        uint64_t rights = (mode != O_WRONLY ? LANDLOCK_ACCESS_FS_READ_FILE : 0) |
                          (mode != O_RDONLY ? LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE : 0);
        if (fstat(fd, &sb) == 0 && !S_ISDIR(sb.st_mode)) /* a folder would allow all below it */
            allow_open(r, fd, streams[fd], rights);
    }
}

/* The files that --confine leaves. */
static void allow_files(const struct rules *r, const struct options *o)
{
    const uint64_t changes = LANDLOCK_READS | (o->read_only ? 0 : LANDLOCK_WRITES);
    allow(r, "--confine: the working folder", ".", changes);
    allow(r, "--confine: the guest", o->guest[0], LANDLOCK_READS);
    if (o->sysroot != NULL)
        allow(r, "-L", o->sysroot, LANDLOCK_READS);
    if (o->debug_dir != NULL)
        allow(r, "--debug-dir", o->debug_dir, LANDLOCK_READS);
    for (unsigned i = 0; i < o->allow.count; i++)
        allow(r, "--allow", o->allow.text[i], changes);
    for (unsigned i = 0; i < o->allow_read.count; i++)
        allow(r, "--allow-read", o->allow_read.text[i], LANDLOCK_READS);
}

/* A working folder of / would allow all files. */
static void confine_check_folder(void)
{
    struct stat root, here;
    if (stat("/", &root) == 0 && stat(".", &here) == 0 && root.st_dev == here.st_dev && root.st_ino == here.st_ino)
        die("--confine: the working folder is /, which has all files: expected a folder that the guest may change");
}

static void restrict_files(const struct options *o, struct guest *g)
{
    const uint64_t writes = LANDLOCK_WRITES | LANDLOCK_MAKES_DEVICES;
    const struct rules r = {
        .option = files_option(o),
        .confines = o->confine,
        .files = landlock_new_ruleset(o->confine ? writes | LANDLOCK_READS | LANDLOCK_EXECUTES : writes, o->confine),
        .changes = landlock_new_ruleset(LANDLOCK_READS, false),
    };
    if (r.files < 0 || r.changes < 0)
        die("%s: the kernel refuses rules for files: %s", r.option, strerror(errno));
    if (o->confine)
        confine_check_folder();
    allow_common(&r);
    if (o->confine)
        allow_files(&r, o);
    if (o->confine && !capabilities_limit())
        die("--confine: the kernel refuses a change of capabilities: %s", strerror(errno));
    if (landlock_restrict(r.files) != 0)
        die("%s: the kernel refuses the restriction: %s", r.option, strerror(errno));
    close(r.files);
    guest_confine(g, r.changes);
}

void confine_guest(const struct options *o, struct guest *g)
{
    struct errmsg err;
    const char *option = files_option(o);
    const struct call_filter filter = {.changes = option != NULL, .local = o->confine, .network = o->no_network};
    if (option != NULL) {
        must(outfile_delegate(&err), &err);
        restrict_files(o, g);
    }
    if (!filter.changes && !filter.network)
        return;
    if (call_filter_load(&filter, &err) != ST_OK)
        die("%s: %s", option != NULL ? option : "--no-network", err.text);
}
