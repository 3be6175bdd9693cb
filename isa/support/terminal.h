/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terminals that a tool prints on. */
#ifndef ISA_SUPPORT_TERMINAL_H
#define ISA_SUPPORT_TERMINAL_H

/* The columns of the terminal behind a descriptor: COLUMNS of the environment, if that is a number from 1 on, as
 * POSIX has it; else the size of the window; else 80. 0: it is no terminal, and COLUMNS does not count. */
unsigned terminal_width(int fd);

#endif
