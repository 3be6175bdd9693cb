/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/gdb/gdb.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ending.h"
#include "core-model/gdb/server.h"

/* ---- Ctrl-C ---- */

static volatile int *alerted_stop; /* the guest's stop flag */
static pid_t alerted_process;

static volatile sig_atomic_t alerted_by_user; /* since the guest's last stop */
static bool ignores_user;                     /* SIGINT was ignored at the start */

/* F_SETSIG's codes are from POLL_IN to POLL_HUP. */
static bool is_input(const siginfo_t *info) { return info->si_code >= POLL_IN && info->si_code <= POLL_HUP; }

/* SIGINT: the connection has input, or the user has pressed Ctrl-C in the terminal of this process. */
static void on_alert(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (getpid() != alerted_process)
        ending_by(signal);
    if (!is_input(info)) {
        if (ignores_user)
            return;
        alerted_by_user = 1;
    }
    *alerted_stop = HART_STOP;
}

bool gdb_alert_is_interrupt(void) { return alerted_by_user != 0; }

static void catch_alert(struct guest *g)
{
    struct sigaction act = {.sa_sigaction = on_alert, .sa_flags = SA_RESTART | SA_SIGINFO};
    memset(&act.sa_mask, 0xff, sizeof act.sa_mask);
    ignores_user = ending_is_ignored(SIGINT);
    alerted_by_user = 0;
    alerted_stop = &g->hart.stop;
    alerted_process = getpid();
    (void)sigaction(SIGINT, &act, NULL);
}

/* ---- packets ---- */

bool gdb_send(struct gdb_server *s, const struct gdb_reply *r)
{
    free(s->sent);
    s->sent = gdb_reply_frame(r, &s->sent_bytes);
    return gdb_link_write(&s->link, s->sent, s->sent_bytes);
}

static void acknowledge(struct gdb_server *s, bool is_right)
{
    if (!s->without_acks && !gdb_link_write(&s->link, is_right ? "+" : "-", 1))
        s->is_over = true;
}

/* The reply to a request that lets the guest run is its next stop. */
static void serve_request(struct gdb_server *s)
{
    acknowledge(s, true);
    gdb_request(s, s->reader.data, s->reader.size_bytes);
    if ((!s->leaves || !s->is_active || s->is_over) && !gdb_send(s, &s->reply))
        s->is_over = true;
}

static void serve_byte(struct gdb_server *s, int byte)
{
    if (byte < 0) {
        s->is_over = true;
        return;
    }
    switch (gdb_reader_take(&s->reader, (uint8_t)byte)) {
    case GDB_INPUT_REQUEST:
        serve_request(s);
        break;
    case GDB_INPUT_DAMAGED:
        acknowledge(s, false);
        break;
    case GDB_INPUT_REPEAT:
        if (!s->without_acks && s->sent != NULL)
            s->is_over |= !gdb_link_write(&s->link, s->sent, s->sent_bytes);
        break;
    case GDB_INPUT_INTERRUPT: /* the guest has stopped already */
    case GDB_INPUT_NONE:
        break;
    }
}

static void tell_stop(struct gdb_server *s)
{
    gdb_reply_clear(&s->reply);
    gdb_resume_tell_stop(s);
    s->is_over |= !gdb_send(s, &s->reply);
    s->owes_stop = false;
}

/* The guest is debugged no longer: SIGINT is that of the process again. */
static void leave_guest(struct gdb_server *s)
{
    s->is_active = false;
    guest_set_tracer(s->guest, NULL);
    ending_catch(SIGINT);
    gdb_link_close(&s->link);
}

static void serve(struct gdb_server *s)
{
    gdb_link_set_alert(&s->link, false);
    s->leaves = false;
    if (s->owes_stop)
        alerted_by_user = 0; /* the guest has stopped */
    if (s->owes_stop && !s->is_over)
        tell_stop(s);
    while (!s->leaves && !s->is_over)
        serve_byte(s, gdb_link_read(&s->link));
    gdb_link_set_alert(&s->link, s->is_active && !s->is_over);
    if (s->is_active && gdb_link_has_input(&s->link))
        s->guest->hart.stop = HART_STOP;
    if (!s->is_active)
        leave_guest(s);
}

/* ---- the public interface ---- */

enum status gdb_server_new(struct gdb_server **out, const char *where, struct errmsg *err)
{
    struct gdb_server *s = xcalloc(1, sizeof *s);
    enum status st = gdb_link_open(&s->link, where, err);
    if (st != ST_OK) {
        gdb_server_free(s);
        return st;
    }
    *out = s;
    return ST_OK;
}

void gdb_server_free(struct gdb_server *s)
{
    if (s == NULL)
        return;
    gdb_link_close(&s->link);
    gdb_files_close(s);
    gdb_history_free(&s->history);
    gdb_reply_free(&s->reply);
    free(s->sent);
    free(s);
}

const char *gdb_server_place(const struct gdb_server *s) { return s->link.place; }

enum status gdb_server_begin(struct gdb_server *s, struct guest *g, bool is_functional,
                             const struct gdb_services *services, struct errmsg *err)
{
    catch_alert(g);
    s->link.interrupted = &alerted_by_user;
    enum status st = gdb_link_accept(&s->link, err);
    if (st != ST_OK)
        return st;
    s->guest = g;
    s->is_functional = is_functional;
    s->services = *services;
    s->owner = getpid();
    s->tracer = (struct guest_tracer){gdb_resume_withholds, s};
    s->event = (struct gdb_event){.kind = GDB_EVENT_START, .tid = guest_thread_on(g, 0)};
    s->is_active = true;
    guest_set_tracer(g, &s->tracer);
    serve(s);
    return ST_OK;
}

bool gdb_server_is_active(const struct gdb_server *s) { return s->is_active && getpid() == s->owner; }

bool gdb_server_is_over(const struct gdb_server *s) { return s->is_over; }

bool gdb_server_is_interrupted(const struct gdb_server *s) { return s->is_over && alerted_by_user != 0; }

void gdb_server_stop(struct gdb_server *s)
{
    gdb_breaks_apply(&s->breaks, s->guest);
    if (s->event.kind != GDB_EVENT_NONE)
        serve(s);
}

void gdb_server_pause(struct gdb_server *s, const char *words)
{
    struct gdb_reply text = {0};
    if (!gdb_server_is_active(s))
        return;
    s->event = (struct gdb_event){.kind = GDB_EVENT_PAUSE, .tid = guest_thread_on(s->guest, 0)};
    gdb_reply_text(&text, "O");
    gdb_reply_hex(&text, words, strlen(words));
    if (!gdb_send(s, &text))
        s->is_over = true;
    gdb_reply_free(&text);
    serve(s);
    if (gdb_server_steps(s) || !gdb_breaks_are_applied(&s->breaks))
        s->guest->hart.stop = HART_STOP;
}

void gdb_server_end(struct gdb_server *s)
{
    if (!gdb_server_is_active(s) || s->is_over)
        return;
    s->event = (struct gdb_event){.kind = GDB_EVENT_EXIT};
    gdb_link_set_alert(&s->link, false);
    tell_stop(s);
    leave_guest(s);
}
