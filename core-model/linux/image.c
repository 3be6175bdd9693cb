/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of ELF files that are mapped as code. */
#include <stdlib.h>

#include "core-model/linux/space.h"

void linux_note_image(struct guest *g, const char *path, uint64_t start, uint64_t size_bytes, uint64_t offset)
{
    for (size_t i = 0; i < g->process->images; i++)
        if (g->process->image[i].start == start && g->process->image[i].offset == offset &&
            strcmp(g->process->image[i].path, path) == 0)
            return;
    g->process->image = xrealloc(g->process->image, (g->process->images + 1) * sizeof *g->process->image);
    g->process->image[g->process->images++] = (struct guest_image){
        .path = xstrdup(path), .start = start, .end = start + size_bytes, .offset = offset};
}

const struct guest_image *linux_other_image(const struct guest *g, const char *path, uint64_t start,
                                            uint64_t size_bytes)
{
    for (size_t i = 0; i < g->process->images; i++) {
        const struct guest_image *image = &g->process->image[i];
        if (image->start < start + size_bytes && start < image->end && strcmp(image->path, path) != 0)
            return image;
    }
    return NULL;
}

void linux_free_images(struct guest_process *p)
{
    for (size_t i = 0; i < p->images; i++)
        free(p->image[i].path);
    free(p->image);
}
