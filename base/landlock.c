/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/landlock.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct landlock_ruleset_attr of ABI 6. Before ABI 4 (Linux 6.7) it has its first member only. */
struct ruleset_attributes {
    uint64_t handled_access_fs, handled_access_net, scoped;
};

int landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? -errno : (int)abi;
}

enum status landlock_check_abi(int abi, struct errmsg *err)
{
    if (abi >= LANDLOCK_ABI_NEEDED)
        return ST_OK;
    if (abi >= 0)
        return fail(err, ST_IO, "the kernel has ABI %d of Landlock: expected ABI %d, of Linux 6.2 or later", abi,
                    LANDLOCK_ABI_NEEDED);
    if (abi == -EOPNOTSUPP)
        return fail(err, ST_IO,
                    "the kernel was booted without Landlock: expected Linux 6.2 or later with landlock in its "
                    "parameter lsm");
    if (abi == -ENOSYS)
        return fail(err, ST_IO,
                    "the kernel has no Landlock: expected Linux 6.2 or later, built with CONFIG_SECURITY_LANDLOCK");
    return fail(err, ST_IO, "the kernel refuses Landlock: %s", strerror(-abi));
}

int landlock_new_ruleset(uint64_t handled, bool scoped)
{
    const struct ruleset_attributes attributes = {
        .handled_access_fs = handled, .scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL};
    size_t size_bytes = scoped && landlock_abi() >= LANDLOCK_ABI_SCOPES ? sizeof attributes
                                                                        : sizeof attributes.handled_access_fs;
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, size_bytes, 0);
}

int landlock_allow(int ruleset, int file, uint64_t rights)
{
    const uint64_t of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                              LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;
    struct stat sb;
    if (fstat(file, &sb) != 0)
        return -1;
    const struct landlock_path_beneath_attr rule = {.allowed_access = S_ISDIR(sb.st_mode) ? rights : rights & of_files,
                                                    .parent_fd = file};
    return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

int landlock_restrict(int ruleset)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}
