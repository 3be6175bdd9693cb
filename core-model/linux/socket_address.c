/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stddef.h>
#include <sys/un.h>

#include "core-model/linux/path.h"
#include "core-model/linux/socket.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

enum { NAME_OFFSET = offsetof(struct sockaddr_un, sun_path), NAME_BYTES = sizeof((struct sockaddr_un){0}.sun_path) };

/* Copies the name of a Unix socket in the file system; false: the address is another one. */
static bool socket_address_take_name(const struct sockaddr_storage *address, uint32_t size_bytes, char *name)
{
    const struct sockaddr_un *un = (const struct sockaddr_un *)(const void *)address;
    if (size_bytes <= NAME_OFFSET || size_bytes > sizeof *un || un->sun_family != AF_UNIX || un->sun_path[0] == '\0')
        return false;
    memcpy(name, un->sun_path, size_bytes - NAME_OFFSET);
    name[size_bytes - NAME_OFFSET] = '\0';
    return true;
}

/* Puts a name into the address; false: it is too long. */
static bool put_name(struct sockaddr_storage *address, uint32_t *size_bytes, const char *name)
{
    struct sockaddr_un *un = (struct sockaddr_un *)(void *)address;
    const size_t length = strlen(name);
    if (length >= NAME_BYTES)
        return false;
    memcpy(un->sun_path, name, length + 1);
    *size_bytes = (uint32_t)(NAME_OFFSET + length + 1);
    return true;
}

int64_t linux_get_address(struct guest *g, uint64_t addr, uint32_t *size_bytes, bool follows,
                          struct sockaddr_storage *out)
{
    char name[PATH_MAX];
    struct linux_place place = {.dir = AT_FDCWD};
    if (*size_bytes > sizeof *out)
        return -EINVAL;
    int64_t r = linux_get(g, addr, out, *size_bytes);
    if (r < 0 || !socket_address_take_name(out, *size_bytes, name))
        return r;
    strcpy(place.path, name);
    r = linux_find_place(g, follows, &place);
    if (r < 0 || strcmp(place.path, name) == 0)
        return r;
    return put_name(out, size_bytes, place.path) ? 0 : -ENAMETOOLONG;
}

void linux_name_address(const struct guest *g, struct sockaddr_storage *address, uint32_t *size_bytes)
{
    char name[PATH_MAX], host[PATH_MAX];
    if (!socket_address_take_name(address, *size_bytes, name) || name[0] != '/')
        return;
    strcpy(host, name);
    linux_name_guest(g, name);
    if (strcmp(host, name) != 0)
        (void)put_name(address, size_bytes, name);
}
