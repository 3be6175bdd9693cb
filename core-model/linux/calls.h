/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system calls of the guest, for listings: the rows of syscall.def. */
#ifndef CORE_MODEL_LINUX_CALLS_H
#define CORE_MODEL_LINUX_CALLS_H

enum guest_call_state {
    CALL_SUPPORTED,
    CALL_LIMITED,  /* the note states the limit */
    CALL_DENIED,   /* EPERM */
    CALL_DECLINED, /* ENOSYS, which programs expect; the note states the reason */
    CALL_ABSENT,   /* ENOSYS, with one warning */
};

struct guest_call {
    unsigned number;
    const char *name;
    enum guest_call_state state;
    const char *note; /* or empty */
};

/* The words for the states. */
extern const char *const guest_call_states[];

/* The call with the next number; that after NULL is the first one. NULL: none. */
const struct guest_call *guest_next_call(const struct guest_call *call);

#endif
