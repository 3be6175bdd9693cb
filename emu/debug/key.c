/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ctrl-C: the handler sets a flag and stops the core. The next reader of the flag decides its meaning. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/ending.h"
#include "emu/debug/debugger.h"

static volatile sig_atomic_t pressed;
static volatile int *stop_core;
static pid_t owner; /* forks made by the guest are not debugged */

static void key_on_interrupt(int signal)
{
    if (getpid() != owner)
        ending_by(signal);
    pressed = 1;
    if (stop_core != NULL)
        *stop_core = 1;
}

void key_begin(volatile int *stop)
{
    struct sigaction act = {.sa_handler = key_on_interrupt, .sa_flags = SA_RESTART};
    memset(&act.sa_mask, 0xff, sizeof act.sa_mask);
    owner = getpid();
    stop_core = stop;
    sigaction(SIGINT, &act, NULL);
}

void key_end(void) { stop_core = NULL; }

bool key_is_ours(void) { return getpid() == owner; }

bool key_was_pressed(void) { return pressed != 0; }

bool key_take(void)
{
    bool was = pressed != 0;
    pressed = 0;
    return was;
}
