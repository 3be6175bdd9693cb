/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the server of gdb's protocol: whatever the peer sends, the session ends when the peer has gone. The input is
 * what it sends, byte by byte; or, if it begins with a newline, one request in each line, which gets its checksum here.
 * The guest runs where a request lets it. Its system calls are not performed, since the peer can write its registers.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core-model/gdb/server.h"

#include "tests/fuzz/fuzzed_file.h"
#include "tests/unit/small_guest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 0x8000, MOST_RUNS = 64, RUN_INSTRUCTIONS = 100, ECALL_BYTES = 4 };

/* A loop that stores, loads, calls the system and branches. */
static const uint32_t loop[] = {
    0x00020437, /* lui s0,0x20 */
    0x00150513, /* addi a0,a0,1 */
    0x00a43023, /* sd a0,0(s0) */
    0x00043583, /* ld a1,0(s0) */
    0x00000073, /* ecall */
    0xff1ff06f, /* j -16 */
};

/* The peer's bytes for a descriptor to be read. */
static int sent(const uint8_t *data, size_t size)
{
    int ends[2];
    struct gdb_reply request = {0};
    if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 4 * MOST_BYTES) < 0)
        BUG("no pipe");
    if (size == 0 || data[0] != '\n') {
        (void)!write(ends[1], data, size);
    } else {
        for (size_t at = 1, length; at < size; at += length + 1) {
            const uint8_t *end = memchr(data + at, '\n', size - at);
            size_t bytes;
            length = end != NULL ? (size_t)(end - data) - at : size - at;
            gdb_reply_clear(&request);
            gdb_reply_binary(&request, data + at, length);
            char *frame = gdb_reply_frame(&request, &bytes);
            (void)!write(ends[1], frame, bytes);
            free(frame);
        }
    }
    gdb_reply_free(&request);
    close(ends[1]);
    return ends[0];
}

static void run(struct gdb_server *s, struct guest *g)
{
    for (int n = 0; n < MOST_RUNS && gdb_server_is_active(s) && !gdb_server_is_over(s); n++) {
        const uint64_t limit = gdb_server_limit(s, RUN_INSTRUCTIONS);
        const enum rv_trap trap = rv_run(&g->hart, limit);
        if (trap == RV_TRAP_ECALL)
            g->hart.pc += ECALL_BYTES, g->hart.instret++;
        else if (trap != RV_TRAP_LIMIT && trap != RV_TRAP_STOP)
            guest_fault(g, trap);
        if (g->process->exited)
            break;
        if (gdb_server_ran(s))
            gdb_server_stop(s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t elf[SMALL_OFFSET + SMALL_WORDS * 4];
    const struct gdb_services services = {.ctx = NULL};
    struct guest g;
    struct errmsg err;
    if (size > MOST_BYTES)
        return 0;
    write_fuzzed_file(elf, small_elf(elf, loop, sizeof loop / sizeof loop[0]));
    small_guest_load(&g, fuzzed_path);
    struct gdb_server *s = xcalloc(1, sizeof *s);
    s->link = (struct gdb_link){.listener = -1, .in = sent(data, size), .out = open("/dev/null", O_WRONLY | O_CLOEXEC)};
    if (gdb_server_begin(s, &g, true, &services, &err) != ST_OK)
        BUG("%s", err.text);
    run(s, &g);
    gdb_server_end(s);
    guest_set_tracer(&g, NULL);
    gdb_server_free(s);
    guest_fini(&g);
    return 0;
}
