/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash chains of the valid entries. */
#include "emu/cam.h"

#include <string.h>

void cam_init(struct cam *m, unsigned entries)
{
    memset(m, 0, sizeof *m);
    m->entries = entries;
    memset(m->bucket, 0xff, sizeof m->bucket);
}

static void link_entry(struct cam *m, unsigned e)
{
    uint16_t *head = &m->bucket[cam_bucket(m->tag[e])];
    m->next[e] = *head;
    m->previous[e] = CAM_NO_ENTRY;
    if (*head != CAM_NO_ENTRY)
        m->previous[*head] = (uint16_t)e;
    *head = (uint16_t)e;
}

static void unlink_entry(struct cam *m, unsigned e)
{
    if (m->previous[e] != CAM_NO_ENTRY)
        m->next[m->previous[e]] = m->next[e];
    else
        m->bucket[cam_bucket(m->tag[e])] = m->next[e];
    if (m->next[e] != CAM_NO_ENTRY)
        m->previous[m->next[e]] = m->previous[e];
}

void cam_set_valid(struct cam *m, unsigned entry, bool valid)
{
    if (m->valid[entry] == valid)
        return;
    if (valid)
        link_entry(m, entry);
    else
        unlink_entry(m, entry);
    m->valid[entry] = valid;
}

void cam_set_tag(struct cam *m, unsigned entry, uint64_t tag)
{
    bool valid = m->valid[entry];
    cam_set_valid(m, entry, false);
    m->tag[entry] = tag;
    cam_set_valid(m, entry, valid);
}

void cam_write(struct cam *m, unsigned entry, uint64_t tag)
{
    cam_set_tag(m, entry, tag);
    cam_set_valid(m, entry, true);
}
