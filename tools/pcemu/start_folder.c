/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/start_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* SPARE: more than the files that are open at once after the run: store, report, image. */
enum { SPARE = 16 };

static int start = -1;
static mode_t start_mask;
static int spare[SPARE];
static unsigned spares;

static int open_folder(void) { return open(".", O_PATH | O_DIRECTORY | O_CLOEXEC); }

static void fill_spares(void)
{
    while (start >= 0 && spares < SPARE && (spare[spares] = fcntl(start, F_DUPFD_CLOEXEC, 0)) >= 0)
        spares++;
}

void start_folder_keep(void)
{
    start = open_folder();
    start_mask = umask(0);
    (void)umask(start_mask);
    fill_spares();
}

struct guest_folder start_folder_enter(void)
{
    struct guest_folder guest = {.folder = open_folder(), .mask = umask(start_mask)};
    if (guest.folder < 0 && spares > 0) {
        close(spare[--spares]);
        guest.folder = open_folder();
    }
    if (start >= 0)
        (void)!fchdir(start);
    return guest;
}

void start_folder_leave(struct guest_folder guest)
{
    (void)umask(guest.mask);
    if (guest.folder < 0)
        return;
    (void)!fchdir(guest.folder);
    close(guest.folder);
    fill_spares();
}

void start_folder_free_descriptors(void)
{
    while (spares > 0)
        close(spare[--spares]);
}
