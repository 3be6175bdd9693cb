/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes of the process and its threads. Source: prctl(2); Linux kernel/sys.c, include/uapi/linux/prctl.h, whose
 * numbers are equal on all hosts. */
#include <sys/prctl.h>

#include "core-model/linux/proc_facts.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/linux/thread.h"

enum { DEFAULT_SLACK_NS = 50000 };

static int64_t set_name(struct guest *g, uint64_t addr)
{
    char name[LINUX_NAME_BYTES] = {0};
    if (linux_get_string(g, addr, name, sizeof name) == -EFAULT)
        return -EFAULT;
    name[sizeof name - 1] = '\0';
    memcpy(g->thread->name, name, sizeof name);
    linux_publish(g);
    return 0;
}

/* Attributes of the emulator's process: signals, children and capabilities of the guest are its own. */
static int64_t on_host(const uint64_t *a) { return linux_result(prctl((int)a[0], a[1], a[2], a[3], a[4])); }

static int64_t put_from_host(struct guest *g, const uint64_t *a)
{
    int value = 0;
    int64_t r = linux_result(prctl((int)a[0], &value, 0, 0, 0));
    return r < 0 ? r : linux_put(g, a[1], &value, sizeof value);
}

/* Stores a flag that may be 0 or 1. */
static int64_t set_flag(bool *flag, uint64_t value)
{
    if (value > 1)
        return -EINVAL;
    *flag = value != 0;
    return 0;
}

/* Attributes that are stored, without further effect; -EINVAL for others. */
static int64_t prctl_stored(struct guest *g, const uint64_t *a)
{
    struct linux_options *options = &g->task->options;
    bool rest = (a[2] | a[3] | a[4]) != 0;
    switch ((uint32_t)a[0]) {
    case PR_GET_DUMPABLE:
        return !options->not_dumpable;
    case PR_SET_DUMPABLE:
        if (a[1] > 1)
            return -EINVAL;
        options->not_dumpable = a[1] == 0;
        return 0;
    case PR_GET_NO_NEW_PRIVS:
        return rest || a[1] != 0 ? -EINVAL : options->no_new_privileges;
    case PR_SET_NO_NEW_PRIVS:
        return rest || a[1] != 1 ? -EINVAL : set_flag(&options->no_new_privileges, 1);
    case PR_GET_THP_DISABLE:
        return rest || a[1] != 0 ? -EINVAL : options->no_huge_pages;
    case PR_SET_THP_DISABLE:
        return rest ? -EINVAL : set_flag(&options->no_huge_pages, a[1] != 0);
    case PR_GET_TIMERSLACK:
        return options->timer_slack_ns != 0 ? (int64_t)options->timer_slack_ns : DEFAULT_SLACK_NS;
    case PR_SET_TIMERSLACK:
        options->timer_slack_ns = (int64_t)a[1] > 0 ? a[1] : 0;
        return 0;
    case PR_GET_TIMING:
        return PR_TIMING_STATISTICAL;
    case PR_SET_TIMING:
        return a[1] == PR_TIMING_STATISTICAL ? 0 : -EINVAL;
    default:
        return -EINVAL;
    }
}

int64_t sys_prctl(struct guest *g, const uint64_t *a)
{
    switch ((uint32_t)a[0]) {
    case PR_SET_NAME:
        return set_name(g, a[1]);
    case PR_GET_NAME:
        return linux_put(g, a[1], g->thread->name, sizeof g->thread->name);
    case PR_GET_TID_ADDRESS:
        return linux_put(g, a[1], &g->thread->clear_tid, sizeof g->thread->clear_tid);
    case PR_GET_PDEATHSIG:
    case PR_GET_CHILD_SUBREAPER:
        return put_from_host(g, a);
    case PR_SET_PDEATHSIG:
    case PR_SET_CHILD_SUBREAPER:
    case PR_CAPBSET_READ:
    case PR_CAPBSET_DROP:
    case PR_CAP_AMBIENT:
    case PR_GET_SECUREBITS:
    case PR_SET_SECUREBITS:
    case PR_GET_KEEPCAPS:
    case PR_SET_KEEPCAPS:
        return on_host(a);
    default:
        return prctl_stored(g, a);
    }
}
