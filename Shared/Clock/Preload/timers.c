/* timerfd(2) on the moved clocks. Each timer is a timer of the machine, set to the machine's instant at which the moved
 * clock will reach the requested time. When the page changes, a thread of this library sets all timers again, so that
 * polls wake up. A descriptor that was duplicated (dup(2)) or inherited keeps its setting. */
#define _GNU_SOURCE
#include "followed.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Timers with higher descriptors use the machine's clock. */
#define DESCRIPTORS_MAX 4096

struct timer {
    int is_ours;
    clockid_t clock;
    int is_armed;
    /* On the moved clock. */
    int64_t due_ns;
    int64_t interval_ns;
    /* TFD_TIMER_CANCEL_ON_SET: the count of settings of the clock when it was armed, and whether it was set since. */
    int may_be_cancelled;
    uint32_t sets;
    int is_cancelled;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timer timers[DESCRIPTORS_MAX];
/* Above the highest descriptor of a timer in the table. */
static int descriptors_end;
static int thread_runs;
/* The page that the timers are set for: the state before the change that is being applied. */
static struct clock_page taken;

static struct timer *timer_of(int descriptor) {
    int is_known = descriptor >= 0 && descriptor < DESCRIPTORS_MAX
        && __atomic_load_n(&timers[descriptor].is_ours, __ATOMIC_ACQUIRE);
    return is_known ? &timers[descriptor] : NULL;
}

static void set_machine(int descriptor, struct timer *timer, int64_t due_ns) {
    struct itimerspec when = {.it_value = timespec_of(due_ns), .it_interval = timespec_of(timer->interval_ns)};
    /* Zero would disarm it; an instant in the past is due immediately. */
    if (due_ns <= 0) when.it_value = (struct timespec){.tv_nsec = 1};
    int flags = TFD_TIMER_ABSTIME | (timer->may_be_cancelled ? TFD_TIMER_CANCEL_ON_SET : 0);
    NEXT(timerfd_settime)(descriptor, flags, &when, NULL);
}

static void arm(const struct clock_page *page, int descriptor, struct timer *timer) {
    int stands = clock_page_load(&page->stands) && followed_field(page, timer->clock) == &page->realtime_ns;
    if (stands && followed_ns(page, timer->clock) < timer->due_ns) {
        NEXT(timerfd_settime)(descriptor, 0, &(struct itimerspec){0}, NULL);
    } else {
        set_machine(descriptor, timer, nanoseconds(machine_deadline(page, timer->clock, timer->due_ns)));
    }
}

/* Advances a periodic timer to its first instant after `now_ns`. 0 for a one-shot timer, which has expired. */
static int move_on(struct timer *timer, int64_t now_ns) {
    if (timer->due_ns > now_ns) return 1;
    if (timer->interval_ns == 0) return 0;
    timer->due_ns += ((now_ns - timer->due_ns) / timer->interval_ns + 1) * timer->interval_ns;
    return 1;
}

static void take_change(const struct clock_page *page) {
    pthread_mutex_lock(&lock);
    uint32_t sets = clock_page_load(&page->sets);
    for (int descriptor = 0; descriptor < descriptors_end; descriptor++) {
        struct timer *timer = timer_of(descriptor);
        if (!timer || !timer->is_armed) continue;
        if (timer->may_be_cancelled && timer->sets != sets) {
            timer->is_cancelled = 1;
            set_machine(descriptor, timer, 0);
        } else if (move_on(timer, followed_ns(&taken, timer->clock))) {
            arm(page, descriptor, timer);
        }
    }
    taken = *page;
    pthread_mutex_unlock(&lock);
}

static void *follow(void *unused) {
    const struct clock_page *page = followed_page();
    for (;;) {
        uint32_t generation = clock_page_load(&page->generation);
        take_change(page);
        syscall(SYS_futex, &page->generation, FUTEX_WAIT, generation, NULL, NULL, 0);
    }
    return unused;
}

/* Call it with the lock held. */
static void start_thread(const struct clock_page *page) {
    if (thread_runs) return;
    taken = *page;
    /* The thread must not handle the program's signals. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t thread;
    thread_runs = pthread_create(&thread, NULL, follow, NULL) == 0;
    if (thread_runs) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

SHOWN int timerfd_create(int clock, int flags) {
    int descriptor = NEXT(timerfd_create)(clock, flags);
    const struct clock_page *page = followed_page();
    if (!page || descriptor < 0 || descriptor >= DESCRIPTORS_MAX || !followed_field(page, clock)) return descriptor;
    pthread_mutex_lock(&lock);
    timers[descriptor] = (struct timer){.clock = clock};
    if (descriptor >= descriptors_end) descriptors_end = descriptor + 1;
    __atomic_store_n(&timers[descriptor].is_ours, 1, __ATOMIC_RELEASE);
    start_thread(page);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static struct itimerspec setting(const struct clock_page *page, const struct timer *timer) {
    struct itimerspec result = {.it_interval = timespec_of(timer->interval_ns)};
    if (!timer->is_armed) return (struct itimerspec){0};
    struct timer copy = *timer;
    int64_t now_ns = followed_ns(page, timer->clock);
    if (move_on(&copy, now_ns)) result.it_value = timespec_of(copy.due_ns - now_ns);
    return result;
}

/* As the kernel: it arms the timer even if it fails with ECANCELED because the clock was set since the last read. */
static int set_followed(
    const struct clock_page *page, int descriptor, struct timer *timer, int flags, const struct itimerspec *when) {
    int is_absolute = flags & TFD_TIMER_ABSTIME;
    int was_cancelled = timer->is_cancelled && flags & TFD_TIMER_CANCEL_ON_SET;
    int is_realtime = followed_field(page, timer->clock) == &page->realtime_ns;
    timer->is_cancelled = 0;
    timer->is_armed = nanoseconds(when->it_value) != 0 && (is_absolute || !is_realtime);
    /* Disarmed; or relative to CLOCK_REALTIME, which setting the clock does not affect. */
    if (!timer->is_armed) return NEXT(timerfd_settime)(descriptor, flags, when, NULL);
    timer->due_ns = nanoseconds(when->it_value) + (is_absolute ? 0 : followed_ns(page, timer->clock));
    timer->interval_ns = nanoseconds(when->it_interval);
    timer->may_be_cancelled = is_realtime && flags & TFD_TIMER_CANCEL_ON_SET;
    timer->sets = clock_page_load(&page->sets);
    arm(page, descriptor, timer);
    if (!was_cancelled) return 0;
    errno = ECANCELED;
    return -1;
}

SHOWN int timerfd_settime(int descriptor, int flags, const struct itimerspec *when, struct itimerspec *old) {
    struct timer *timer = timer_of(descriptor);
    int is_valid = when && when->it_value.tv_sec >= 0 && (uint64_t)when->it_value.tv_nsec < UINT64_C(1000000000)
        && (uint64_t)when->it_interval.tv_nsec < UINT64_C(1000000000);
    if (!timer || !is_valid) return NEXT(timerfd_settime)(descriptor, flags, when, old);
    const struct clock_page *page = followed_page();
    pthread_mutex_lock(&lock);
    if (old) *old = setting(page, timer);
    int result = set_followed(page, descriptor, timer, flags, when);
    int reason = errno;
    pthread_mutex_unlock(&lock);
    errno = reason;
    return result;
}

SHOWN int timerfd_gettime(int descriptor, struct itimerspec *now) {
    struct timer *timer = timer_of(descriptor);
    if (!timer || !now || !timer->is_armed) return NEXT(timerfd_gettime)(descriptor, now);
    pthread_mutex_lock(&lock);
    *now = setting(followed_page(), timer);
    pthread_mutex_unlock(&lock);
    return 0;
}

/* A read that finds the clock set: it consumes the wake-up, and the timer stays armed. */
static int takes_cancellation(int descriptor, struct timer *timer) {
    const struct clock_page *page = followed_page();
    pthread_mutex_lock(&lock);
    int is_cancelled = timer->is_cancelled;
    if (is_cancelled) {
        timer->is_cancelled = 0;
        timer->sets = clock_page_load(&page->sets);
        arm(page, descriptor, timer);
    }
    pthread_mutex_unlock(&lock);
    return is_cancelled;
}

SHOWN ssize_t read(int descriptor, void *buffer, size_t size) {
    struct timer *timer = timer_of(descriptor);
    if (!timer || !takes_cancellation(descriptor, timer)) {
        ssize_t count = NEXT(read)(descriptor, buffer, size);
        /* A blocked read was woken by the thread. */
        if (!timer || count < 0 || !takes_cancellation(descriptor, timer)) return count;
    }
    errno = ECANCELED;
    return -1;
}

SHOWN int close(int descriptor) {
    struct timer *timer = timer_of(descriptor);
    if (!timer) return NEXT(close)(descriptor);
    pthread_mutex_lock(&lock);
    __atomic_store_n(&timer->is_ours, 0, __ATOMIC_RELEASE);
    int result = NEXT(close)(descriptor);
    int reason = errno;
    pthread_mutex_unlock(&lock);
    errno = reason;
    return result;
}
