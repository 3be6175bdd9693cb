/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry to and exit from translated code: see host.h. The registers are those of stencils/stencils.c, and the pinned
 * ones those of stencil.h, a0 to a5, at the start of the hart. The stack pointer is as at the entry of a function.
 *
 * With an observer (watch.h), r14 is the observer instead of the permissions, r11 its clock and r12 the end of its log
 * instead of a4 and a5. */
#if defined(__x86_64__)
#define CLOCK 0   /* members of struct rv_watch */
#define PLACES 8
#define WITHIN 16
#define LOG 56
#define OBSERVE 64
#define PAIRS 128
#define DATA 0    /* members of struct lines_pair */
#define CODE 32
#define USED 16   /* of struct lines_place */

        .text
        .macro  enter
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
        .endm
        .macro  leave_pins
        mov     %rdi, 80(%rbx)
        mov     %r8, 88(%rbx)
        mov     %r9, 96(%rbx)
        mov     %r10, 104(%rbx)
        .endm
        .macro  return
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
        .endm

        .globl  translated_enter
        .type   translated_enter, @function
translated_enter:
        enter
        mov     112(%rbx), %r11
        mov     120(%rbx), %r12
        jmp     *%rax
        .size   translated_enter, . - translated_enter

        .globl  translated_enter_watched
        .type   translated_enter_watched, @function
translated_enter_watched:
        enter
        mov     CLOCK(%r14), %r11
        mov     LOG(%r14), %r12
        jmp     *%rax
        .size   translated_enter_watched, . - translated_enter_watched

        .globl  translated_leave
        .type   translated_leave, @function
translated_leave:
        leave_pins
        mov     %r11, 112(%rbx)
        mov     %r12, 120(%rbx)
        return
        .size   translated_leave, . - translated_leave

        .globl  translated_leave_watched
        .type   translated_leave_watched, @function
translated_leave_watched:
        leave_pins
        mov     %r11, CLOCK(%r14)
        mov     %r12, LOG(%r14)
        return
        .size   translated_leave_watched, . - translated_leave_watched

/* Routines that translated code calls before an access, with its address in rax, and before a fetch, with that of the
 * line. They preserve all registers but rcx and rdx, and are copied beside the translated code, so they are one piece
 * that can be anywhere. watched_routine_bytes from each other, they are: reads of 1, 2, 4 and 8 bytes, writes, fetch.
 */
        .macro  check kind, address, used
        .balign 64
        mov     %eax, %ecx
        and     PLACES(%r14), %ecx
        .if     \kind < 8
        mov     %rax, %rdx
        and     WITHIN + \kind % 4 * 8(%r14), %rdx
        cmp     %rdx, PAIRS + \address(%r14, %rcx)
        .else
        cmp     %rax, PAIRS + \address(%r14, %rcx)
        .endif
        jne     1f
        inc     %r11
        mov     PAIRS + \used(%r14, %rcx), %rdx
        mov     %r11, (%rdx)
        mov     PAIRS + \used + 8(%r14, %rcx), %rdx
        mov     %r11, (%rdx)
        ret
1:      mov     $\kind, %edx
        jmp     2f
        .endm

        .balign 64
        .globl  watched_routines
        .type   watched_routines, @object
watched_routines:
        .irp    kind, 0, 1, 2, 3
        check   \kind, DATA, DATA + USED
        .endr
        .irp    kind, 4, 5, 6, 7
        check   \kind, DATA + 8, DATA + USED
        .endr
        check   8, CODE, CODE + USED
/* The general case. It returns, or goes on at the address that the observer returns. */
2:      mov     (%rsp), %rcx
        mov     %r11, CLOCK(%r14)
        push    %rdi
        push    %r8
        push    %r9
        push    %r10
        push    %rax
        sub     $8, %rsp
        mov     %r14, %rdi
        mov     %rax, %rsi
        call    *OBSERVE(%r14)
        mov     %rax, %rcx
        add     $8, %rsp
        pop     %rax
        pop     %r10
        pop     %r9
        pop     %r8
        pop     %rdi
        mov     CLOCK(%r14), %r11
        test    %rcx, %rcx
        jne     3f
        ret
3:      add     $8, %rsp
        jmp     *%rcx
        .globl  watched_routines_end
watched_routines_end:
        .size   watched_routines, . - watched_routines
#endif
        .section .note.GNU-stack, "", @progbits
