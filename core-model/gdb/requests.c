/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests of gdb. Source: the manual of gdb, appendix "gdb Remote Serial Protocol". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/gdb/registers.h"
#include "core-model/gdb/server.h"

static void refuse_request(struct gdb_server *s, int error)
{
    gdb_reply_clear(&s->reply);
    gdb_reply_text(&s->reply, "E%02x", (unsigned)error & 0xff);
}

static void accept_request(struct gdb_server *s) { gdb_reply_text(&s->reply, "OK"); }

static void answer(struct gdb_server *s, int error)
{
    if (error != 0)
        refuse_request(s, error);
    else
        accept_request(s);
}

/* Instructions are in flight: nothing may be changed. */
static bool is_inside_run(const struct gdb_server *s) { return s->event.kind == GDB_EVENT_PAUSE; }

/* Whether the guest may be changed; otherwise the reply refuses it. */
static bool may_change(struct gdb_server *s)
{
    if (is_inside_run(s))
        refuse_request(s, EBUSY);
    else
        gdb_history_forget(&s->history); /* what is changed may be what was recorded */
    return !is_inside_run(s);
}

/* ---- registers and memory ---- */

static bool find_registers(struct gdb_server *s, struct guest_registers *r)
{
    if (guest_find_registers(s->guest, gdb_resume_thread(s), r))
        return true;
    refuse_request(s, ESRCH);
    return false;
}

static void request_registers(struct gdb_server *s, struct gdb_scan *scan)
{
    struct guest_registers r;
    (void)scan;
    for (unsigned i = 0; find_registers(s, &r) && i < GDB_REGISTERS; i++)
        gdb_register_put(&r, i, &s->reply);
}

static void request_set_registers(struct gdb_server *s, struct gdb_scan *scan)
{
    struct guest_registers r;
    unsigned i = 0;
    if (!may_change(s) || !find_registers(s, &r))
        return;
    while (i < GDB_REGISTERS && gdb_register_take(&r, i, scan))
        i++;
    answer(s, i == GDB_REGISTERS && gdb_scan_is_over(scan) ? 0 : EINVAL);
}

static void request_register(struct gdb_server *s, struct gdb_scan *scan)
{
    struct guest_registers r;
    uint64_t number;
    if (!gdb_scan_number(scan, &number) || number >= GDB_REGISTERS)
        refuse_request(s, EINVAL);
    else if (find_registers(s, &r))
        gdb_register_put(&r, (unsigned)number, &s->reply);
}

static void request_set_register(struct gdb_server *s, struct gdb_scan *scan)
{
    struct guest_registers r;
    uint64_t number;
    if (!may_change(s) || !find_registers(s, &r))
        return;
    const bool done = gdb_scan_number(scan, &number) && number < GDB_REGISTERS && gdb_scan_word(scan, "=") &&
                      gdb_register_take(&r, (unsigned)number, scan);
    answer(s, done ? 0 : EINVAL);
}

/* ADDRESS,LENGTH */
static bool request_range(struct gdb_scan *scan, uint64_t *address, uint64_t *length)
{
    return gdb_scan_number(scan, address) && gdb_scan_word(scan, ",") && gdb_scan_number(scan, length);
}

static void request_memory(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t address, length;
    uint8_t data[GDB_PACKET_BYTES / 2];
    if (!request_range(scan, &address, &length)) {
        refuse_request(s, EINVAL);
        return;
    }
    const size_t most = length < sizeof data ? (size_t)length : sizeof data,
                 done = gdb_breaks_read(&s->breaks, s->guest, address, data, most);
    gdb_reply_hex(&s->reply, data, done);
    if (done == 0 && most != 0)
        refuse_request(s, EFAULT);
}

static void put_memory(struct gdb_server *s, uint64_t address, const void *data, size_t size_bytes)
{
    answer(s, gdb_breaks_write(&s->breaks, s->guest, address, data, size_bytes) == size_bytes ? 0 : EFAULT);
}

static void request_set_memory(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t address, length;
    uint8_t data[GDB_PACKET_BYTES / 2];
    if (!may_change(s))
        return;
    if (!request_range(scan, &address, &length) || !gdb_scan_word(scan, ":") || length > sizeof data ||
        gdb_scan_hex(scan, data, (size_t)length) != length)
        refuse_request(s, EINVAL);
    else
        put_memory(s, address, data, (size_t)length);
}

static void request_set_binary(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t address, length;
    if (!may_change(s))
        return;
    if (!request_range(scan, &address, &length) || !gdb_scan_word(scan, ":") ||
        (uint64_t)(scan->end - scan->at) != length)
        refuse_request(s, EINVAL);
    else
        put_memory(s, address, scan->at, (size_t)length);
}

/* KIND,ADDRESS,LENGTH; what follows, conditions and commands, is not announced. */
static bool take_point(struct gdb_scan *scan, struct gdb_point *p)
{
    uint64_t kind;
    if (!gdb_scan_number(scan, &kind) || kind > GDB_WATCH_ACCESS || !gdb_scan_word(scan, ","))
        return false;
    *p = (struct gdb_point){.kind = (enum gdb_break)kind};
    return request_range(scan, &p->address, &p->size_bytes);
}

static void request_insert(struct gdb_server *s, struct gdb_scan *scan)
{
    struct gdb_point p;
    answer(s, take_point(scan, &p) ? gdb_breaks_insert(&s->breaks, s->guest, &p, !is_inside_run(s)) : EINVAL);
}

static void request_remove(struct gdb_server *s, struct gdb_scan *scan)
{
    struct gdb_point p;
    answer(s, take_point(scan, &p) ? gdb_breaks_remove(&s->breaks, s->guest, &p, !is_inside_run(s)) : EINVAL);
}

/* ---- threads ---- */

static void request_select(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t tid;
    const bool is_general = gdb_scan_word(scan, "g");
    if ((!is_general && !gdb_scan_word(scan, "c")) || !gdb_scan_thread(scan, &tid)) {
        refuse_request(s, EINVAL);
        return;
    }
    if (is_general)
        s->general_thread = tid == UINT64_MAX ? 0 : tid;
    accept_request(s);
}

static void request_is_alive(struct gdb_server *s, struct gdb_scan *scan)
{
    struct guest_registers r;
    uint64_t tid;
    const bool exists = gdb_scan_thread(scan, &tid) && tid <= UINT32_MAX &&
                        guest_find_registers(s->guest, (uint32_t)tid, &r);
    answer(s, exists ? 0 : ESRCH);
}

static void request_list(struct gdb_server *s, struct gdb_scan *scan)
{
    uint32_t tid[GDB_THREADS_MAX];
    (void)scan;
    const size_t count = guest_list_threads(s->guest, tid, GDB_THREADS_MAX),
                 most = (GDB_PACKET_BYTES - 1) / sizeof "ffffffff";
    for (size_t i = 0; i < count && i < most; i++)
        gdb_reply_text(&s->reply, "%c%x", i == 0 ? 'm' : ',', tid[i]);
}

static void request_list_more(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_reply_text(&s->reply, "l");
}

static void request_current(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_reply_text(&s->reply, "QC%x", gdb_resume_thread(s));
}

/* ---- running ---- */

static void request_why(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_resume_tell_stop(s);
}

static void go(struct gdb_server *s, struct gdb_run run)
{
    if (run.tid == 0 && run.kind != GDB_RUN_ON)
        run.tid = gdb_resume_thread(s);
    gdb_resume_begin(s, &run);
}

/* c [ADDRESS] and s [ADDRESS]; C and S with SIGNAL[;ADDRESS]. */
static void go_from(struct gdb_server *s, struct gdb_scan *scan, struct gdb_run run, bool has_signal)
{
    struct guest_registers r;
    uint64_t value;
    if (has_signal && !gdb_scan_number(scan, &value)) {
        refuse_request(s, EINVAL);
        return;
    }
    run.signal = has_signal ? gdb_signal_of(value) : 0;
    if (has_signal)
        (void)gdb_scan_word(scan, ";");
    if (gdb_scan_number(scan, &value)) {
        if (!may_change(s) || !find_registers(s, &r))
            return;
        *r.pc = value & ~UINT64_C(1);
    }
    go(s, run);
}

static void request_continue(struct gdb_server *s, struct gdb_scan *scan)
{
    go_from(s, scan, (struct gdb_run){.kind = GDB_RUN_ON}, false);
}

static void request_continue_with(struct gdb_server *s, struct gdb_scan *scan)
{
    go_from(s, scan, (struct gdb_run){.kind = GDB_RUN_ON}, true);
}

static void request_step(struct gdb_server *s, struct gdb_scan *scan)
{
    go_from(s, scan, (struct gdb_run){.kind = GDB_RUN_STEP}, false);
}

static void request_step_with(struct gdb_server *s, struct gdb_scan *scan)
{
    go_from(s, scan, (struct gdb_run){.kind = GDB_RUN_STEP}, true);
}

static void request_actions(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_reply_text(&s->reply, "vCont;c;C;s;S;r");
}

/* One action of vCont: c, C SIGNAL, s, S SIGNAL, r START,END; with :THREAD, or for all threads. */
static bool take_action(struct gdb_scan *scan, struct gdb_run *run)
{
    uint64_t number = 0, tid = UINT64_MAX;
    *run = (struct gdb_run){.kind = GDB_RUN_ON};
    const bool has_signal = gdb_scan_word(scan, "C") || (gdb_scan_word(scan, "S") && (run->kind = GDB_RUN_STEP));
    if (has_signal && !gdb_scan_number(scan, &number))
        return false;
    run->signal = has_signal ? gdb_signal_of(number) : 0;
    if (!has_signal && gdb_scan_word(scan, "r")) {
        run->kind = GDB_RUN_RANGE;
        if (!request_range(scan, &run->start, &run->end))
            return false;
    } else if (!has_signal && gdb_scan_word(scan, "s")) {
        run->kind = GDB_RUN_STEP;
    } else if (!has_signal && !gdb_scan_word(scan, "c")) {
        return false;
    }
    if (gdb_scan_word(scan, ":") && !gdb_scan_thread(scan, &tid))
        return false;
    run->tid = tid <= UINT32_MAX ? (uint32_t)tid : 0;
    return true;
}

/* All threads run whatever the actions; one of them may step. The first action that steps or has a signal counts. */
static void request_run(struct gdb_server *s, struct gdb_scan *scan)
{
    struct gdb_run run = {.kind = GDB_RUN_ON}, next;
    while (gdb_scan_word(scan, ";")) {
        if (!take_action(scan, &next)) {
            refuse_request(s, EINVAL);
            return;
        }
        if (run.kind == GDB_RUN_ON && run.signal == 0)
            run = next;
    }
    if (gdb_scan_is_over(scan))
        go(s, run);
    else
        refuse_request(s, EINVAL);
}

static void request_back_step(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_reverse_step(s);
}

static void request_back_continue(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_reverse_continue(s);
}

static void request_kill(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    s->is_over = s->leaves = true;
    accept_request(s);
}

static void request_detach(struct gdb_server *s, struct gdb_scan *scan)
{
    const struct gdb_run run = {.kind = GDB_RUN_ON};
    (void)scan;
    if (!may_change(s))
        return;
    gdb_breaks_remove_all(&s->breaks, s->guest);
    gdb_resume_begin(s, &run);
    s->is_active = false;
    accept_request(s);
}

/* ---- the session ---- */

static void request_supported(struct gdb_server *s, struct gdb_scan *scan)
{
    while (gdb_scan_word(scan, ":") || gdb_scan_word(scan, ";")) {
        s->knows_swbreak |= gdb_scan_word(scan, "swbreak+");
        s->knows_hwbreak |= gdb_scan_word(scan, "hwbreak+");
        s->knows_exec |= gdb_scan_word(scan, "exec-events+");
        while (scan->at < scan->end && *scan->at != ';')
            scan->at++;
    }
    gdb_reply_text(&s->reply,
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:auxv:read+;qXfer:exec-file:read+;"
                   "qXfer:threads:read+;vContSupported+;swbreak+;hwbreak+;exec-events+;QPassSignals+",
                   (unsigned)GDB_PACKET_BYTES);
    if (s->is_functional)
        gdb_reply_text(&s->reply, ";ReverseStep+;ReverseContinue+");
}

static void request_no_acks(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    s->without_acks = true;
    accept_request(s);
}

static void request_pass_signals(struct gdb_server *s, struct gdb_scan *scan)
{
    uint64_t number;
    s->passed = 0;
    while (gdb_scan_number(scan, &number)) {
        const int signal = gdb_signal_of(number);
        s->passed |= signal != 0 ? UINT64_C(1) << (signal - 1) : 0;
        (void)gdb_scan_word(scan, ";");
    }
    accept_request(s);
}

static void request_is_attached(struct gdb_server *s, struct gdb_scan *scan)
{
    (void)scan;
    gdb_reply_text(&s->reply, "0"); /* this process has started the guest: gdb's quit kills it */
}

static void request_monitor(struct gdb_server *s, struct gdb_scan *scan)
{
    char command[1024], *output;
    size_t output_bytes;
    struct errmsg err = {"there are no commands of monitor: this run has no co-processor to debug"};
    const size_t length = gdb_scan_hex(scan, command, sizeof command - 1);
    command[length] = '\0';
    FILE *out = xopen_text(&output, &output_bytes);
    if (!gdb_scan_is_over(scan))
        fprintf(out, "monitor: expected a command of at most %zu bytes\n", sizeof command - 1);
    else if (!gdb_reverse_command(s, command, out) &&
             (s->services.monitor == NULL || s->services.monitor(s->services.ctx, command, out, &err) != ST_OK))
        fprintf(out, "%s\n", err.text);
    xclose_text(out);
    struct gdb_reply text = {0};
    for (size_t at = 0, part; at < output_bytes; at += part) { /* a packet of output for each part */
        part = output_bytes - at < GDB_PACKET_BYTES / 4 ? output_bytes - at : GDB_PACKET_BYTES / 4;
        gdb_reply_clear(&text);
        gdb_reply_text(&text, "O");
        gdb_reply_hex(&text, output + at, part);
        (void)gdb_send(s, &text);
    }
    gdb_reply_free(&text);
    free(output);
    accept_request(s);
}

static const struct {
    const char *name;
    bool is_whole;
    void (*execute)(struct gdb_server *s, struct gdb_scan *scan);
} requests[] = {
#define REQUEST(name, is_whole, function) {name, is_whole, function},
#include "core-model/gdb/requests.def"
};

void gdb_request(struct gdb_server *s, const char *data, size_t size_bytes)
{
    gdb_reply_clear(&s->reply);
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct gdb_scan scan = gdb_scan_from(data, size_bytes);
        if (gdb_scan_word(&scan, requests[i].name) && (!requests[i].is_whole || gdb_scan_is_over(&scan))) {
            requests[i].execute(s, &scan);
            return;
        }
    }
    /* The reply to an unknown request is empty. */
}
