/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that exits at once, without a library: all system calls of its run are the tools'. */
    .globl _start
_start:
    li a0, 0
    li a7, 93
    ecall
