/* Once a second libdispatch reads the state of each of its threads from /proc/TID/stat, and stops the program by an
 * illegal instruction when it cannot (_dispatch_workq_monitor_pools, "registered worker exited prematurely"). Without
 * bubblewrap Landlock can allow this process's own directory in /proc, not those of threads that are still to come;
 * the same file lies in /proc/self/task/TID. So whoever opens the one gets the other. */
#define _GNU_SOURCE
#include "program.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 64 };

/* The place of a thread's state among our own; false: the path is another one. */
static int thread_state(const char *path, char own[PATH_BYTES]) {
    static const char folder[] = "/proc/";
    if (strncmp(path, folder, sizeof folder - 1) != 0) return 0;
    const char *thread = path + sizeof folder - 1;
    size_t digits = 0;
    while (isdigit((unsigned char)thread[digits])) digits++;
    if (digits == 0 || digits > 10 || strcmp(thread + digits, "/stat") != 0) return 0;
    snprintf(own, PATH_BYTES, "/proc/self/task/%s", thread);
    return 1;
}

SHOWN int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    char own[PATH_BYTES];
    return openat(AT_FDCWD, thread_state(path, own) ? own : path, flags, mode);
}
