/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry to and exit from translated code: see host.h. The registers are those of stencils/stencils.c, and the pinned
 * ones those of stencil.h, a0 to a5, at the start of the hart. The stack pointer is as at the entry of a function. */
#if defined(__x86_64__)
        .text
        .globl  translated_enter
        .type   translated_enter, @function
translated_enter:
        push    %rbx
        push    %rbp
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        push    %r8
        sub     $8, %rsp
        mov     %rdi, %rbx
        mov     %rsi, %rax
        mov     %rdx, %rbp
        mov     %rcx, %r14
        mov     (%r8), %r15
        mov     80(%rbx), %rdi
        mov     88(%rbx), %r8
        mov     96(%rbx), %r9
        mov     104(%rbx), %r10
        mov     112(%rbx), %r11
        mov     120(%rbx), %r12
        jmp     *%rax
        .size   translated_enter, . - translated_enter

        .globl  translated_leave
        .type   translated_leave, @function
translated_leave:
        mov     %rdi, 80(%rbx)
        mov     %r8, 88(%rbx)
        mov     %r9, 96(%rbx)
        mov     %r10, 104(%rbx)
        mov     %r11, 112(%rbx)
        mov     %r12, 120(%rbx)
        .globl  translated_leave_watched
        .type   translated_leave_watched, @function
translated_leave_watched:
        add     $8, %rsp
        pop     %r8
        mov     %r15, (%r8)
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbp
        pop     %rbx
        ret
        .size   translated_leave, . - translated_leave
        .size   translated_leave_watched, . - translated_leave_watched
#endif
        .section .note.GNU-stack, "", @progbits
