/* The boot id: SCREENTIME_CLOCK_BOOT_ID names a file to read instead of the kernel's, to simulate a reboot. */
#define _GNU_SOURCE
#include "followed.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *shown_path(const char *path) {
    if (!path || strcmp(path, "/proc/sys/kernel/random/boot_id") != 0) return path;
    const char *other = getenv("SCREENTIME_CLOCK_BOOT_ID");
    return other && *other ? other : path;
}

#define OPENED(name) \
    ({ \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list rest; \
            va_start(rest, flags); \
            mode = va_arg(rest, mode_t); \
            va_end(rest); \
        } \
        NEXT(name)(shown_path(path), flags, mode); \
    })

SHOWN int open(const char *path, int flags, ...) { return OPENED(open); }

SHOWN int open64(const char *path, int flags, ...) { return OPENED(open64); }
