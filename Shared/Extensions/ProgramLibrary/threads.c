/* Once a second libdispatch reads the state of each of its threads from /proc/TID/stat, and if it cannot, it crashes the
 * program (_dispatch_workq_monitor_pools, "registered worker exited prematurely"). A program may not read the files of
 * its threads there, because other files in the same directory reveal information about other processes. Opening such a
 * file therefore returns a state derived from the thread's processor time, which does not advance while it waits. */
#define _GNU_SOURCE
#include "program.h"

#include <ctype.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    /* The maximum of libdispatch; further ones count as running. */
    KNOWN_MAX = 256,
    /* A thread that used less of the time since its last sample counts as waiting. With many threads on few processors,
     * each uses little. */
    RUNNING_SHARE = 64,
};

/* libdispatch samples all its threads together, once a second; samples less apart than this belong together. */
static const int64_t second_ns = INT64_C(1000000000), together_ns = INT64_C(100000000);

static struct known {
    pid_t thread;
    int64_t used_ns;
    int64_t seen_ns;
} known[KNOWN_MAX];
/* Start of the present and of the previous round of samples; 0 if none. */
static int64_t looks_ns, former_looks_ns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The thread whose state a path names; 0 for any other path. */
static pid_t asked_thread(const char *path) {
    static const char folder[] = "/proc/";
    if (!path || strncmp(path, folder, sizeof folder - 1) != 0) return 0;
    const char *number = path + sizeof folder - 1;
    size_t digits = 0;
    while (isdigit((unsigned char)number[digits])) digits++;
    if (digits == 0 || digits > 9 || strcmp(number + digits, "/stat") != 0) return 0;
    pid_t thread = (pid_t)strtol(number, NULL, 10);
    return thread == getpid() ? 0 : thread;
}

/* Nanoseconds of a real clock, even under a virtual one; -1 if there is no such clock. */
static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    return syscall(SYS_clock_gettime, clock, &now) == 0 ? now.tv_sec * INT64_C(1000000000) + now.tv_nsec : -1;
}

/* The clock of a thread of this process; CPUCLOCK_PERTHREAD (4) and CPUCLOCK_SCHED (2) are from linux/posix-timers.h. */
static clockid_t clock_of(pid_t thread) { return (clockid_t)((~(unsigned)thread << 3) | 6); }

static struct known *place_of(pid_t thread) {
    struct known *oldest = &known[0];
    for (size_t index = 0; index < KNOWN_MAX; index++) {
        if (known[index].thread == thread) return &known[index];
        if (known[index].seen_ns < oldest->seen_ns) oldest = &known[index];
    }
    *oldest = (struct known){.thread = thread};
    return oldest;
}

/* Time since the previous round of samples. */
static int64_t since_former_looks(int64_t now_ns) {
    if (now_ns - looks_ns > together_ns) {
        former_looks_ns = looks_ns;
        looks_ns = now_ns;
    }
    return former_looks_ns ? now_ns - former_looks_ns : second_ns;
}

/* R if it used the processor since its last sample. A new thread started since the previous round. */
static char state_of(pid_t thread, int64_t used_ns) {
    int64_t now_ns = read_clock(CLOCK_MONOTONIC);
    pthread_mutex_lock(&lock);
    int64_t since_ns = since_former_looks(now_ns);
    struct known *place = place_of(thread);
    int64_t used = used_ns - place->used_ns, passed = now_ns - place->seen_ns;
    /* The number was reused for another thread, which has used less. */
    if (place->seen_ns == 0 || used < 0) {
        used = used_ns;
        passed = since_ns;
    }
    *place = (struct known){thread, used_ns, now_ns};
    pthread_mutex_unlock(&lock);
    return used >= passed / RUNNING_SHARE ? 'R' : 'S';
}

/* A file with the beginning of the kernel's text: number, name, state. It is an eventfd, whose eight bytes use no
 * memory. -1 if there is no such thread. */
static int open_state(pid_t thread) {
    int64_t used_ns = read_clock(clock_of(thread));
    if (used_ns < 0) return -1;
    char text[8] = "0 (t) ";
    text[6] = state_of(thread, used_ns);
    int file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (file >= 0 && write(file, text, sizeof text) != sizeof text) {
        close(file);
        return -1;
    }
    return file;
}

SHOWN int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    pid_t thread = asked_thread(path);
    int state = thread > 0 ? open_state(thread) : -1;
    return state >= 0 ? state : openat(AT_FDCWD, path, flags, mode);
}
