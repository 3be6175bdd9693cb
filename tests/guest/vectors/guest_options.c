/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of sockets: those whose values hold addresses, by which the host would access memory of the simulator, fail.
 * Others are those of Linux. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { LEVEL_TCP = 6, NODELAY = 1, ZEROCOPY_RECEIVE = 35, REPLACE_TABLE = 64, LEVEL_PACKET = 263, FANOUT_DATA = 22 };

static void show(const char *what, long r) { printf("%s: %s\n", what, r == 0 ? "0" : strerror(errno)); }

int main(void)
{
    struct sock_filter accept_all = {BPF_RET, 0, 0, 0xffff};
    struct sock_fprog filter = {1, &accept_all};
    uint64_t value[256] = {0}, place = 0;
    int unix_socket = socket(AF_UNIX, SOCK_DGRAM, 0), tcp = socket(AF_INET, SOCK_STREAM, 0), type = 0, one = 1;
    socklen_t size_bytes = sizeof type;
    show("attach a filter", setsockopt(unix_socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter));
    show("attach by port", setsockopt(unix_socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &filter, sizeof filter));
    size_bytes = 256;
    show("read the filter", getsockopt(unix_socket, SOL_SOCKET, SO_GET_FILTER, value, &size_bytes));
    value[5] = (uint64_t)(uintptr_t)&place; /* copybuf_address of struct tcp_zerocopy_receive */
    value[6] = sizeof place;
    size_bytes = 64;
    show("receive without a copy", getsockopt(tcp, LEVEL_TCP, ZEROCOPY_RECEIVE, value, &size_bytes));
    show("replace a table", setsockopt(tcp, IPPROTO_IP, REPLACE_TABLE, value, sizeof value));
    show("another family", setsockopt(tcp, LEVEL_PACKET, FANOUT_DATA, &filter, sizeof filter));
    show("reuse", setsockopt(tcp, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
    show("no delay", setsockopt(tcp, LEVEL_TCP, NODELAY, &one, sizeof one));
    size_bytes = sizeof type;
    show("type", getsockopt(tcp, SOL_SOCKET, SO_TYPE, &type, &size_bytes));
    printf("%d in %d bytes\n", type, (int)size_bytes);
    return 0;
}
