#define _GNU_SOURCE
#include "followed.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct clock_page *page;

/* Running with the wrong clock would be worse than not starting. EX_CONFIG, as in sysexits.h. */
static void refuse(const char *what, const char *why) {
    fprintf(stderr, "screentime-clock: %s: %s. Correct or leave out " CLOCK_PAGE_KEY ".\n", what, why);
    _exit(78);
}

static void open_page(void) {
    const char *path = getenv(CLOCK_PAGE_KEY);
    if (!path || !*path) return;
    page = clock_page_map(path, 0);
    if (!page) refuse(path, errno == EBADMSG ? "it is no clock page" : strerror(errno));
    clock_page_guard(page, path);
}

const struct clock_page *followed_page(void) {
    pthread_once(&once, open_page);
    return page;
}

void *next_function(const char *name) {
    /* An unversioned lookup may find the condition variables of before 2003 on x86-64. */
    void *found = strcmp(name, "pthread_cond_timedwait") == 0 ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
    if (!found) found = dlsym(RTLD_NEXT, name);
    if (!found) refuse(name, "the C library does not have it");
    return found;
}

const int64_t *followed_field(const struct clock_page *page, clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_REALTIME_ALARM: return &page->realtime_ns;
        case CLOCK_BOOTTIME:
        case CLOCK_BOOTTIME_ALARM: return &page->boottime_ns;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW: return &page->monotonic_ns;
        default: return NULL;
    }
}

int64_t machine_ns(clockid_t clock) {
    struct timespec now = {0};
    NEXT(clock_gettime)(clock, &now);
    return nanoseconds(now);
}

int64_t followed_ns(const struct clock_page *page, clockid_t clock) {
    const int64_t *field = followed_field(page, clock);
    if (!field) return machine_ns(clock);
    int64_t value = field == &page->realtime_ns
        ? clock_page_realtime_ns(page, machine_ns(clock)) : machine_ns(clock) + clock_page_load_ns(field);
    clock_page_check(page);
    return value;
}

struct timespec machine_deadline(const struct clock_page *page, clockid_t clock, int64_t due_ns) {
    return timespec_of(due_ns - followed_ns(page, clock) + machine_ns(clock));
}
