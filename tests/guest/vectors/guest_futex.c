/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of futex: on two words, with conditions, between threads and between processes; and what they reject. The
 * expected output is that of the same file compiled for the host, because threads must wait before they are woken. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))
#define FUTEX(...) syscall(SYS_futex, __VA_ARGS__)

static uint32_t one, two, *const bad = (void *)16;
static const struct timespec at_once = {0, 1}, far_away = {1000, 0};

static void operations(void)
{
    for (unsigned op = 0; op < 7; op++)
        for (unsigned compare = 0; compare < 7; compare++) {
            two = 5;
            errno = 0;
            long r = FUTEX(&one, FUTEX_WAKE_OP, 1, 1, &two, op << 28 | compare << 24 | 3 << 12 | 5);
            printf("operation %u, comparison %u: %ld %d, %u\n", op, compare, r, errno, two);
        }
    two = 1;
    SHOW(FUTEX(&one, FUTEX_WAKE_OP, 1, 1, &two, FUTEX_OP(FUTEX_OP_OPARG_SHIFT | FUTEX_OP_OR, 4, FUTEX_OP_CMP_LT, 0)));
    printf("%u\n", two);
    SHOW(FUTEX(&one, FUTEX_WAKE_OP, 1, 1, bad, 0));
    SHOW(FUTEX(&one, FUTEX_WAKE_OP, 1, 1, (char *)&two + 1, 0));
    SHOW(FUTEX(&one, FUTEX_REQUEUE, 1, 1, &two, 0));
    SHOW(FUTEX(&one, FUTEX_REQUEUE, -1, 1, &two, 0));
    SHOW(FUTEX(&one, FUTEX_REQUEUE, 1, -1, &two, 0));
    SHOW(FUTEX(&one, FUTEX_REQUEUE, 1, 1, (char *)&two + 1, 0));
    SHOW(FUTEX(&one, FUTEX_REQUEUE, 1, 1, bad, 0));
    SHOW(FUTEX(&one, FUTEX_CMP_REQUEUE, 1, 1, &two, one + 1));
    SHOW(FUTEX(&one, FUTEX_CMP_REQUEUE, 1, 1, &two, one));
    SHOW(FUTEX(&one, FUTEX_WAIT_BITSET, one, &at_once, NULL, 0));
    SHOW(FUTEX(&one, FUTEX_WAIT_BITSET, one, &at_once, NULL, 1));
    SHOW(FUTEX(&one, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, one, &at_once, NULL, 1));
    SHOW(FUTEX(&one, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0));
    SHOW(FUTEX(&one, FUTEX_WAKE_BITSET, 1, NULL, NULL, 1));
    SHOW(FUTEX((char *)&one + 1, FUTEX_WAKE, 1, NULL, NULL, 0));
    SHOW(FUTEX(&one, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
    one = 0;
    SHOW(FUTEX(&one, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
    SHOW(one == (uint32_t)gettid());
    SHOW(FUTEX(&one, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
    SHOW(FUTEX(&one, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0));
    SHOW(FUTEX(&one, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
    SHOW(one);
    one = 1 << 22;
    SHOW(FUTEX(&one, FUTEX_LOCK_PI, 0, &at_once, NULL, 0));
    SHOW(FUTEX(bad, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
    SHOW(FUTEX(bad, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
    one = 0;
}

static void *wait_for_change(void *bits)
{
    FUTEX(&one, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, (uint32_t)(uintptr_t)bits);
    return NULL;
}

/* Waits until as many threads wait as are wanted: those that do not would be woken for nothing. */
static void threads(void)
{
    pthread_t t[4];
    for (uintptr_t i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, wait_for_change, (void *)(i < 2 ? 1 : 2));
    usleep(20000);
    SHOW(FUTEX(&one, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 9, NULL, NULL, 4));
    SHOW(FUTEX(&one, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 1));
    SHOW(FUTEX(&one, FUTEX_CMP_REQUEUE | FUTEX_PRIVATE_FLAG, 0, 2, &two, 0));
    SHOW(FUTEX(&two, FUTEX_REQUEUE | FUTEX_PRIVATE_FLAG, 0, 9, &two, 0));
    SHOW(FUTEX(&two, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0));
    two = 0;
    SHOW(FUTEX(&one, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 9, 9, &two, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    SHOW(two);
}

static void processes(void)
{
    uint32_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;
    fflush(stdout);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            while (__atomic_load_n(&shared[0], __ATOMIC_SEQ_CST) == 0)
                FUTEX(&shared[0], FUTEX_WAIT, 0, i == 0 ? NULL : &far_away, NULL, 0);
            __atomic_add_fetch(&shared[1], 1, __ATOMIC_SEQ_CST);
            FUTEX(&shared[1], FUTEX_WAKE, 9, NULL, NULL, 0);
            _exit(0);
        }
    usleep(20000);
    __atomic_store_n(&shared[0], 1, __ATOMIC_SEQ_CST);
    FUTEX(&shared[0], FUTEX_WAKE, 9, NULL, NULL, 0);
    for (uint32_t n; (n = __atomic_load_n(&shared[1], __ATOMIC_SEQ_CST)) != 2;)
        FUTEX(&shared[1], FUTEX_WAIT, n, NULL, NULL, 0);
    wait(&status);
    wait(&status);
    SHOW(FUTEX(&shared[1], FUTEX_WAIT, 2, &at_once, NULL, 0));
    SHOW(shared[1]);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    operations();
    threads();
    processes();
    return 0;
}
