/* Declarations shared by the parts of the clock library. The library is preloaded (LD_PRELOAD) into a program that
 * uses the clock page named by SCREENTIME_CLOCK_PAGE. Without that variable all functions are the C library's. */
#ifndef SCREENTIME_FOLLOWED_H
#define SCREENTIME_FOLLOWED_H

#include <clock_page.h>
#include <stdint.h>
#include <time.h>

#define SHOWN __attribute__((visibility("default")))

/* The page of this process's clock; NULL if it uses the machine's clocks. */
const struct clock_page *followed_page(void);

/* The next definition of a function after this library's: the C library's. Ends the process if there is none. */
void *next_function(const char *name);

/* The C library's own function of this name, looked up once. */
#define NEXT(name) \
    ({ \
        static __typeof__(&name) found_; \
        __typeof__(&name) next_ = __atomic_load_n(&found_, __ATOMIC_ACQUIRE); \
        if (!next_) { \
            next_ = (__typeof__(&name))next_function(#name); \
            __atomic_store_n(&found_, next_, __ATOMIC_RELEASE); \
        } \
        next_; \
    })

/* The field of the page for a clock: CLOCK_REALTIME, CLOCK_BOOTTIME or CLOCK_MONOTONIC with their variants. NULL for
 * a clock that is not moved, such as the processor time of a thread. */
const int64_t *followed_field(const struct clock_page *page, clockid_t clock);

/* The time of a clock of the machine, in nanoseconds. */
int64_t machine_ns(clockid_t clock);

/* The time of a clock moved by the page, in nanoseconds. */
int64_t followed_ns(const struct clock_page *page, clockid_t clock);

/* The machine's instant at which a moved clock reaches `due_ns`, unless it is moved again before. A fixed clock is
 * treated as running: waiting with a deadline takes real time. */
struct timespec machine_deadline(const struct clock_page *page, clockid_t clock, int64_t due_ns);

static inline int64_t nanoseconds(struct timespec time) { return time.tv_sec * INT64_C(1000000000) + time.tv_nsec; }

/* Never before 1970, which no call accepts. */
static inline struct timespec timespec_of(int64_t ns) {
    if (ns < 0) ns = 0;
    return (struct timespec){.tv_sec = ns / INT64_C(1000000000), .tv_nsec = ns % INT64_C(1000000000)};
}

#endif
