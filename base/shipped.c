/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/shipped.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

char *shipped_file(const char *path)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        n = 0;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    return xasprintf("%s/../%s", self, path);
}
