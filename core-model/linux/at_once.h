/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes of the host that do not wait, of descriptors that the guest has opened to wait. Whether a descriptor
 * is ready does not say so: another process can take the data, and what is written can be larger than the room. Private
 * to core-model/linux. */
#ifndef CORE_MODEL_LINUX_AT_ONCE_H
#define CORE_MODEL_LINUX_AT_ONCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum linux_file_kind {
    FILE_PLAIN, /* never waits: a regular file, a folder, a block device, a device of memory */
    FILE_PIPE,
    FILE_SOCKET,
    FILE_TERMINAL,
    FILE_OWN,   /* has no name, so only processes of the guest have it: an eventfd, inotify */
    FILE_OTHER, /* has no form of reads and writes that does not wait */
};

enum linux_file_kind linux_file_kind(int host_fd);
/* Whether reads and writes of the descriptor may wait. */
bool linux_file_waits(int host_fd, enum linux_file_kind kind);
/* The number of bytes, or a negative error number: -EAGAIN if the call would wait, -EOPNOTSUPP if it has no form
 * that does not wait. A file of the kind FILE_OWN does not wait for the moment of the call, whichever process uses it.
 */
int64_t linux_read_at_once(int host_fd, enum linux_file_kind kind, const struct iovec *vector, int64_t count);
int64_t linux_write_at_once(int host_fd, enum linux_file_kind kind, const struct msghdr *m);

/* Whether a read of the terminal ends when there is any input: a line, or a byte. Else it may wait for more of it, or
 * end without any. */
bool linux_terminal_reads_input(int host_fd);

/* Whether a call with these flags waits for a message; whether it goes on until its buffer is full. */
bool linux_receive_waits(int host_fd, uint64_t flags);
bool linux_socket_fills(int host_fd, uint64_t flags);

/* Another descriptor of the same pipe or terminal, which does not wait; the first one's flag is also that of other
 * processes. -1: there cannot be one. */
int linux_open_again(int host_fd, int mode);

/* The vector's number of bytes; removes `from` bytes at its begin. */
uint64_t linux_vector_bytes(const struct msghdr *m);
void linux_vector_skip(struct msghdr *m, uint64_t from);

#endif
