/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects that gdb reads in parts. Source: the manual of gdb, "General Query Packets", qXfer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/gdb/registers.h"
#include "core-model/gdb/server.h"

static void transfer_auxv(struct gdb_server *s, struct gdb_reply *out)
{
    const struct guest_range range = guest_auxiliary_vector(s->guest);
    const size_t size_bytes = range.end - range.start;
    void *data = xmalloc(size_bytes);
    gdb_reply_bytes(out, data, guest_read_bytes(s->guest, range.start, data, size_bytes));
    free(data);
}

static void transfer_features(struct gdb_server *s, struct gdb_reply *out)
{
    (void)s;
    gdb_register_describe(out);
}

static void transfer_exec_file(struct gdb_server *s, struct gdb_reply *out)
{
    gdb_reply_text(out, "%s", guest_program(s->guest));
}

/* Text of XML: the name of a thread may have any bytes. */
static void put_attribute(struct gdb_reply *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool is_plain = c >= ' ' && c < 0x7f && c != '<' && c != '&' && c != '"';
        gdb_reply_text(out, is_plain ? "%c" : "?", c);
    }
}

static void transfer_threads(struct gdb_server *s, struct gdb_reply *out)
{
    uint32_t tid[GDB_THREADS_MAX];
    const size_t all = guest_list_threads(s->guest, tid, GDB_THREADS_MAX),
                 count = all < GDB_THREADS_MAX ? all : GDB_THREADS_MAX;
    gdb_reply_text(out, "<?xml version=\"1.0\"?>\n<threads>\n");
    for (size_t i = 0; i < count; i++) {
        gdb_reply_text(out, "<thread id=\"%x\" name=\"", tid[i]);
        put_attribute(out, guest_thread_name(s->guest, tid[i]));
        gdb_reply_text(out, "\"/>\n");
    }
    gdb_reply_text(out, "</threads>\n");
}

static const struct {
    const char *name; /* with the annex, unless any will do */
    void (*write)(struct gdb_server *s, struct gdb_reply *out);
} objects[] = {
    {"features:read:target.xml:", transfer_features},
    {"auxv:read::", transfer_auxv},
    {"exec-file:read:", transfer_exec_file},
    {"threads:read::", transfer_threads},
};

/* The part [offset, offset + length) of the object: `m` before more of it, `l` before its last part. */
static void put_part(struct gdb_server *s, const struct gdb_reply *object, uint64_t offset, uint64_t length)
{
    const size_t most = GDB_PACKET_BYTES / 2 - 1; /* each byte may need an escape */
    const size_t from = offset < object->size_bytes ? (size_t)offset : object->size_bytes;
    size_t part = object->size_bytes - from;
    part = part < length ? part : (size_t)length;
    part = part < most ? part : most;
    gdb_reply_text(&s->reply, from + part < object->size_bytes ? "m" : "l");
    gdb_reply_binary(&s->reply, part != 0 ? object->data + from : "", part);
}

void gdb_transfer(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t offset, length;
    size_t i = 0;
    while (i < sizeof objects / sizeof objects[0] && !gdb_scan_word(scan, objects[i].name))
        i++;
    if (i == sizeof objects / sizeof objects[0])
        return;
    while (scan->at < scan->end && memchr(scan->at, ':', (size_t)(scan->end - scan->at)) != NULL) /* the annex */
        scan->at++;
    struct gdb_reply object = {0};
    if (gdb_scan_number(scan, &offset) && gdb_scan_word(scan, ",") && gdb_scan_number(scan, &length)) {
        objects[i].write(s, &object);
        put_part(s, &object, offset, length);
    } else {
        gdb_reply_text(&s->reply, "E%02x", EINVAL);
    }
    gdb_reply_free(&object);
}
