/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/call_filter.h"

#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Calls that fail whatever their arguments are. */
static int block_all(scmp_filter_ctx filter)
{
    static const int calls[] = {
#define BLOCKED(name) SCMP_SYS(name),
#define BLOCKED_NEW(name, number) (number),
#include "tools/pcemu/blocked.def"
    };
    int r = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && r == 0; i++)
        r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    return r;
}

/* The call fails if argument `number` compares so with the value. */
static int block_if(scmp_filter_ctx filter, int error, int call, unsigned number, enum scmp_compare comparison,
                    uint64_t value)
{
    const struct scmp_arg_cmp condition = {number, comparison, .datum_a = value, .datum_b = 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((uint32_t)error), call, 1, &condition);
}

/* Calls that fail by their arguments. utimensat without a name changes an open file. The requests put characters into a
 * terminal's input. */
static int block_some(scmp_filter_ctx filter)
{
    enum { REQUEST_TIOCLINUX = 0x541c };
    static const uint64_t requests[] = {TIOCSTI, REQUEST_TIOCLINUX};
    int r = block_if(filter, EPERM, SCMP_SYS(utimensat), 1, SCMP_CMP_NE, 0);
    for (size_t i = 0; i < sizeof requests / sizeof requests[0] && r == 0; i++) {
        const struct scmp_arg_cmp is_request = {1, SCMP_CMP_MASKED_EQ, UINT32_MAX, requests[i]};
        r = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, &is_request);
    }
    return r;
}

/* Pairs of sockets but those of Unix streams and of sequenced packets. An end of a pair of datagrams can send to any
 * name, in an address that the filter cannot read. SOCK_RAW is another number for Unix datagrams. */
static int block_pairs(scmp_filter_ctx filter)
{
    enum { TYPE = 15 };
    static const uint64_t types[] = {SOCK_DGRAM, SOCK_RAW};
    int r = block_if(filter, EACCES, SCMP_SYS(socketpair), 0, SCMP_CMP_NE, AF_UNIX);
    for (size_t i = 0; i < sizeof types / sizeof types[0] && r == 0; i++) {
        const struct scmp_arg_cmp is_type = {1, SCMP_CMP_MASKED_EQ, TYPE, types[i]};
        r = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socketpair), 1, &is_type);
    }
    return r;
}

/* Names and connections of the sockets that are left. */
static int block_names(scmp_filter_ctx filter)
{
    static const int calls[] = {SCMP_SYS(bind), SCMP_SYS(connect), SCMP_SYS(listen)};
    int r = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && r == 0; i++)
        r = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EACCES), calls[i], 0, NULL);
    return r;
}

/* Sockets: those of IPv4 and IPv6 too, if `network`. A rule has one condition for an argument. */
static int block_sockets(scmp_filter_ctx filter, bool network)
{
    int r = block_pairs(filter);
    if (network && r == 0)
        r = block_names(filter);
    if (network)
        return r == 0 ? seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 0, NULL) : r;
    for (unsigned family = 0; family < AF_INET6 && r == 0; family++)
        if (family != AF_INET)
            r = block_if(filter, EACCES, SCMP_SYS(socket), 0, SCMP_CMP_EQ, family);
    return r == 0 ? block_if(filter, EACCES, SCMP_SYS(socket), 0, SCMP_CMP_GT, AF_INET6) : r;
}

/* The operations of io_uring are not filtered. */
static int block_io_uring(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(io_uring_setup), 0);
}

enum status call_filter_load(const struct call_filter *filter, struct errmsg *err)
{
    scmp_filter_ctx made = seccomp_init(SCMP_ACT_ALLOW);
    if (made == NULL)
        out_of_memory();
    int r = seccomp_attr_set(made, SCMP_FLTATR_CTL_SSB, 1); /* as fast as before: no mitigation that guests need */
    if (r == 0 && filter->changes)
        r = block_all(made);
    if (r == 0 && filter->changes)
        r = block_some(made);
    if (r == 0 && (filter->local || filter->network))
        r = block_sockets(made, filter->network);
    if (r == 0 && filter->network && !filter->changes)
        r = block_io_uring(made);
    if (r == 0)
        r = seccomp_load(made);
    seccomp_release(made);
    if (r == 0)
        return ST_OK;
    return fail(err, ST_IO,
                "the kernel refuses a filter of system calls: %s: expected Linux 4.17 or later, built with "
                "CONFIG_SECCOMP_FILTER",
                strerror(-r));
}
