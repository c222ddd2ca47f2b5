/* The functions that read clocks. */
#define _GNU_SOURCE
#include "followed.h"

#include <sys/time.h>
#include <sys/timex.h>

SHOWN int clock_gettime(clockid_t clock, struct timespec *time) {
    const struct clock_page *page = followed_page();
    if (!page || !followed_field(page, clock)) return NEXT(clock_gettime)(clock, time);
    *time = timespec_of(followed_ns(page, clock));
    return 0;
}

SHOWN int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    const struct clock_page *page = followed_page();
    if (!page) return NEXT(gettimeofday)(time, zone);
    struct timespec now = timespec_of(followed_ns(page, CLOCK_REALTIME));
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

SHOWN time_t time(time_t *result) {
    const struct clock_page *page = followed_page();
    if (!page) return NEXT(time)(result);
    time_t now = timespec_of(followed_ns(page, CLOCK_REALTIME)).tv_sec;
    if (result) *result = now;
    return now;
}

SHOWN int timespec_get(struct timespec *time, int base) {
    const struct clock_page *page = followed_page();
    if (!page || base != TIME_UTC) return NEXT(timespec_get)(time, base);
    *time = timespec_of(followed_ns(page, CLOCK_REALTIME));
    return base;
}

SHOWN int adjtimex(struct timex *state) {
    const struct clock_page *page = followed_page();
    int result = NEXT(adjtimex)(state);
    uint32_t discipline = page ? clock_page_load(&page->discipline) : 0;
    if (discipline == 0 || result < 0) return result;
    state->status = discipline == 1 ? state->status & ~STA_UNSYNC : state->status | STA_UNSYNC;
    return discipline == 1 ? TIME_OK : TIME_ERROR;
}
