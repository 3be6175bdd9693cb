/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: capabilities(7), capset(2), of which the C library has no function. */
#include "tools/pcemu/capabilities.h"

#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

bool capabilities_limit(void)
{
    const uint32_t files = 1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER |
                           1u << CAP_FSETID;
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &head, sets) != 0)
        return false;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        const uint32_t kept = i == 0 ? files : 0;
        sets[i].effective &= kept, sets[i].permitted &= kept, sets[i].inheritable &= kept;
    }
    return syscall(SYS_capset, &head, sets) == 0;
}
