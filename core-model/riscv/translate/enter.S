/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry to and exit from translated code: see host.h. The registers are those of stencils/stencils.c. The stack pointer
 * is as at the entry of a function. */
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
        mov     %rdx, %rbp
        mov     %rcx, %r14
        mov     (%r8), %r15
        jmp     *%rsi
        .size   translated_enter, . - translated_enter

        .globl  translated_leave
        .type   translated_leave, @function
translated_leave:
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
#endif
        .section .note.GNU-stack, "", @progbits
