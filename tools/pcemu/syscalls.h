/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --list-syscalls. */
#ifndef TOOLS_PCEMU_SYSCALLS_H
#define TOOLS_PCEMU_SYSCALLS_H

#include <stdio.h>

#include "host/report/formats.h"

/* Prints the guest's system calls as text, JSON or CSV. */
void print_syscalls(FILE *out, enum report_form form);

#endif
