/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The few host instructions that are no stencils: jumps, and how translated code is entered and left (enter.S). Where
 * HOST_TRANSLATES is 0 there are none, and all code is interpreted. */
#ifndef CORE_MODEL_RISCV_TRANSLATE_HOST_H
#define CORE_MODEL_RISCV_TRANSLATE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core-model/riscv/hart.h"

#if defined(__x86_64__)
enum { HOST_TRANSLATES = 1 };
#else
enum { HOST_TRANSLATES = 0 };
#endif

/* Executes translated code from `code` on. *budget: instructions that may be executed; afterwards what is left. Returns
 * the number of the way out, or WAY_INDIRECT: h->pc is the target of an indirect jump. The second one is for code with
 * an observer, which may be called and of which clock and log are used. */
#define WAY_INDIRECT UINT32_MAX
#if defined(__x86_64__)
uint32_t translated_enter(struct hart *h, const uint8_t *code, uint8_t *base, const uint16_t *perm, int64_t *budget);
uint32_t translated_enter_watched(struct hart *h, const uint8_t *code, uint8_t *base, struct rv_watch *watch,
                                  int64_t *budget);
/* What translated code with an observer calls before an access, to be copied beside it: a routine at a distance of
 * HOST_ROUTINE_BYTES for each kind (watch.h). */
extern const uint8_t watched_routines[], watched_routines_end[];
/* Where translated code goes at the end of a run: without an observer, or with one. */
void translated_leave(void);
void translated_leave_watched(void);
#else
#define translated_enter(h, code, base, perm, budget) ((void)(code), WAY_INDIRECT) /* never called */
#define translated_enter_watched(h, code, base, watch, budget) ((void)(code), WAY_INDIRECT)
static const uint8_t watched_routines[1], *const watched_routines_end = watched_routines;
static inline void translated_leave(void) {}
static inline void translated_leave_watched(void) {}
#endif

/* x86-64: a jump is an opcode and the distance from behind it; a stub has
 * the number of its way out before one. */
enum { HOST_JUMP_DISTANCE = 1, HOST_STUB_BYTES = 10, HOST_LEAVE_BYTES = 12, HOST_ROUTINE_BYTES = 64 };

/* `distance`: from the place that is written. */
static inline void host_write_distance(uint8_t *at, int64_t distance)
{
    const int32_t d = (int32_t)(distance - 4);
    memcpy(at, &d, sizeof d);
}

static inline void host_write_jump(uint8_t *at, int64_t distance)
{
    *at = 0xe9; /* jmp */
    host_write_distance(at + HOST_JUMP_DISTANCE, distance - HOST_JUMP_DISTANCE);
}

static inline void host_write_stub(uint8_t *at, uint32_t number, int64_t distance)
{
    *at = 0xb8; /* mov $number, %eax */
    memcpy(at + 1, &number, sizeof number);
    host_write_jump(at + 5, distance - 5);
}

/* A jump to one of those functions, from any distance. */
static inline void host_write_leave(uint8_t *at, bool is_watched)
{
    static const uint8_t load[] = {0x48, 0xb9}, jump[] = {0xff, 0xe1}; /* mov $address, %rcx; jmp *%rcx */
    void (*const to)(void) = is_watched ? translated_leave_watched : translated_leave;
    memcpy(at, load, sizeof load);
    memcpy(at + sizeof load, &to, sizeof to);
    memcpy(at + sizeof load + sizeof to, jump, sizeof jump);
}

/* Whether the host has the instructions of the stencils of fused multiply-add. */
static inline bool host_has_fused(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") != 0;
#else
    return false;
#endif
}

#endif
