/* The functions that wait until an instant: deadlines on a moved clock are converted to the machine's clock. Calls
 * inside the C library do not reach these functions, so each function is replaced separately. */
#define _GNU_SOURCE
#include "followed.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

/* A condition variable does not reveal its clock. The deadline does: an instant since 1970 differs by decades from one
 * since the boot. */
static clockid_t clock_of(const struct clock_page *page, int64_t due_ns) {
    int64_t from_realtime = due_ns - followed_ns(page, CLOCK_REALTIME);
    int64_t from_monotonic = due_ns - followed_ns(page, CLOCK_MONOTONIC);
    int is_realtime = llabs(from_realtime) <= llabs(from_monotonic);
    return is_realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

SHOWN int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    const struct clock_page *page = followed_page();
    if (!page) return NEXT(pthread_cond_timedwait)(condition, mutex, until);
    int64_t due_ns = nanoseconds(*until);
    struct timespec deadline = machine_deadline(page, clock_of(page, due_ns), due_ns);
    return NEXT(pthread_cond_timedwait)(condition, mutex, &deadline);
}

SHOWN int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
    const struct timespec *restrict until) {
    const struct clock_page *page = followed_page();
    if (!page) return NEXT(pthread_cond_clockwait)(condition, mutex, clock, until);
    struct timespec deadline = machine_deadline(page, clock, nanoseconds(*until));
    return NEXT(pthread_cond_clockwait)(condition, mutex, clock, &deadline);
}

SHOWN int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    const struct clock_page *page = followed_page();
    if (!page) return NEXT(sem_timedwait)(semaphore, until);
    struct timespec deadline = machine_deadline(page, CLOCK_REALTIME, nanoseconds(*until));
    return NEXT(sem_timedwait)(semaphore, &deadline);
}

SHOWN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
    const struct clock_page *page = followed_page();
    if (!page || !(flags & TIMER_ABSTIME)) return NEXT(clock_nanosleep)(clock, flags, until, left);
    struct timespec deadline = machine_deadline(page, clock, nanoseconds(*until));
    return NEXT(clock_nanosleep)(clock, flags, &deadline, left);
}
