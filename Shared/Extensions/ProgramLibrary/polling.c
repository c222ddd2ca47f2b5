/* poll and select keep a reference to each file they wait for, even if another thread closes it meanwhile, and the host
 * could not find such a file. Therefore the filter allows them only KERNEL_MAX files. These versions wait for any number
 * of files with epoll, which keeps no reference. */
#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { KERNEL_MAX = 2, MASK_BYTES = 8 };

static const int64_t never = INT64_MAX;

static int kernel_poll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    /* The kernel writes the remaining time. */
    struct timespec left;
    if (timeout) left = *timeout;
    return (int)syscall(SYS_ppoll, files, count, timeout ? &left : NULL, mask, MASK_BYTES);
}

/* On the real clock, even under a virtual one. */
static int64_t now_ns(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t due_ns(const struct timespec *timeout) {
    int64_t now = now_ns();
    if (!timeout || timeout->tv_sec > (never - now) / 1000000000 - 1) return never;
    return now + timeout->tv_sec * INT64_C(1000000000) + timeout->tv_nsec;
}

/* Remaining milliseconds, as epoll expects them: -1 for no limit. */
static int left_ms(int64_t due) {
    if (due == never) return -1;
    int64_t left = (due - now_ns() + 999999) / 1000000;
    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

/* Polls each file separately, without waiting. Returns the number of files with events. */
static int ask(struct pollfd *files, nfds_t count) {
    static const struct timespec at_once;
    int ready = 0;
    for (nfds_t index = 0; index < count; index++) {
        files[index].revents = 0;
        if (files[index].fd >= 0 && kernel_poll(&files[index], 1, &at_once, NULL) > 0) ready++;
    }
    return ready;
}

/* All events requested for a descriptor, which may be listed several times. */
static uint32_t wanted(const struct pollfd *files, nfds_t count, int descriptor) {
    uint32_t events = 0;
    for (nfds_t index = 0; index < count; index++)
        if (files[index].fd == descriptor) events |= (uint16_t)files[index].events;
    return events;
}

/* Adds the files to a new epoll; -1 with errno on failure. */
static int gather(const struct pollfd *files, nfds_t count) {
    int gathered = epoll_create1(EPOLL_CLOEXEC);
    for (nfds_t index = 0; gathered >= 0 && index < count; index++) {
        if (files[index].fd < 0) continue;
        struct epoll_event event = {.events = wanted(files, count, files[index].fd)};
        /* A regular file is always ready, a file that is listed twice is added already, and one that was closed
           meanwhile is reported by the next poll. */
        if (epoll_ctl(gathered, EPOLL_CTL_ADD, files[index].fd, &event) == 0 || errno == EPERM || errno == EEXIST
            || errno == EBADF)
            continue;
        int error = errno;
        syscall(SYS_close, gathered);
        errno = error;
        return -1;
    }
    return gathered;
}

SHOWN int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    if (count <= KERNEL_MAX) return kernel_poll(files, count, timeout, mask);
    int64_t due = due_ns(timeout);
    int ready = ask(files, count);
    if (ready > 0 || left_ms(due) == 0) return ready;
    int gathered = gather(files, count);
    if (gathered < 0) return -1;
    int woken;
    do {
        struct epoll_event event;
        woken = epoll_pwait(gathered, &event, 1, left_ms(due), mask);
        if (woken >= 0) ready = ask(files, count);
    } while (woken > 0 && ready == 0);
    int error = errno;
    syscall(SYS_close, gathered);
    errno = error;
    return woken < 0 ? -1 : ready;
}

SHOWN int poll(struct pollfd *files, nfds_t count, int timeout_ms) {
    struct timespec timeout = {.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000L};
    return ppoll(files, count, timeout_ms < 0 ? NULL : &timeout, NULL);
}

/* Called by programs that were compiled with _FORTIFY_SOURCE. */
SHOWN int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t bytes) {
    if (bytes / sizeof *files < count) __builtin_trap();
    return poll(files, count, timeout_ms);
}
SHOWN int __ppoll_chk(
    struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t bytes) {
    if (bytes / sizeof *files < count) __builtin_trap();
    return ppoll(files, count, timeout, mask);
}

/* The kernel's meaning of the three sets. */
static const struct { short asked, told; } sets[] = {
    {POLLIN | POLLRDNORM | POLLRDBAND, POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR},
    {POLLOUT | POLLWRNORM | POLLWRBAND, POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR},
    {POLLPRI, POLLPRI},
};

SHOWN int pselect(
    int end, fd_set *reading, fd_set *writing, fd_set *other, const struct timespec *timeout, const sigset_t *mask) {
    fd_set *const given[] = {reading, writing, other};
    struct pollfd files[FD_SETSIZE];
    nfds_t count = 0;
    if (end < 0 || end > FD_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    for (int descriptor = 0; descriptor < end; descriptor++) {
        struct pollfd file = {.fd = descriptor};
        for (int set = 0; set < 3; set++)
            if (given[set] && FD_ISSET(descriptor, given[set])) file.events |= sets[set].asked;
        if (file.events) files[count++] = file;
    }
    if (ppoll(files, count, timeout, mask) < 0) return -1;
    for (nfds_t index = 0; index < count; index++) {
        if (!(files[index].revents & POLLNVAL)) continue;
        errno = EBADF;
        return -1;
    }
    int ready = 0;
    for (nfds_t index = 0; index < count; index++) {
        for (int set = 0; set < 3; set++) {
            if (!given[set] || !FD_ISSET(files[index].fd, given[set])) continue;
            if (files[index].revents & sets[set].told)
                ready++;
            else
                FD_CLR(files[index].fd, given[set]);
        }
    }
    return ready;
}

SHOWN int select(int end, fd_set *reading, fd_set *writing, fd_set *other, struct timeval *timeout) {
    if (!timeout) return pselect(end, reading, writing, other, NULL, NULL);
    struct timespec wanted_time = {.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
    int64_t due = due_ns(&wanted_time);
    int ready = pselect(end, reading, writing, other, &wanted_time, NULL);
    int error = errno;
    if (due != never) {
        /* As the kernel does: the remaining time. */
        int64_t left = due - now_ns();
        *timeout = (struct timeval){0};
        if (left > 0) *timeout = (struct timeval){.tv_sec = left / 1000000000, .tv_usec = left % 1000000000 / 1000};
    }
    errno = error;
    return ready;
}
