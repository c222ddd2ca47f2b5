/* Calls in which a thread can block forever with a file that is open nowhere else. The host could not find such a file,
 * so the filter refuses them. These versions use calls that do not block, or block without a file. */
#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PIECE_BYTES = 16384 };

/* On the real clock, even under a virtual one. */
static void wait_a_moment(void) {
    struct timespec moment = {.tv_nsec = 5000000};
    syscall(SYS_nanosleep, &moment, NULL);
}

SHOWN int flock(int descriptor, int operation) {
    while (1) {
        int result = (int)syscall(SYS_flock, descriptor, operation | LOCK_NB);
        if (result == 0 || errno != EWOULDBLOCK || (operation & LOCK_NB)) return result;
        wait_a_moment();
    }
}

SHOWN int fcntl(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    while (1) {
        int result = (int)syscall(SYS_fcntl, descriptor, command == F_SETLKW ? F_SETLK : command, argument);
        if (result >= 0 || command != F_SETLKW || (errno != EAGAIN && errno != EACCES)) return result;
        wait_a_moment();
    }
}

SHOWN int fcntl64(int descriptor, int command, ...) __attribute__((alias("fcntl")));

/* As in the kernel, it may send less than requested. */
SHOWN ssize_t sendfile(int target, int source, off_t *offset, size_t count) {
    char piece[PIECE_BYTES];
    size_t wanted = count < sizeof piece ? count : sizeof piece;
    off_t start = offset ? *offset : lseek(source, 0, SEEK_CUR);
    if (start < 0) return -1;
    ssize_t got = pread(source, piece, wanted, start);
    if (got <= 0) return got;
    ssize_t sent = write(target, piece, (size_t)got);
    if (sent < 0) return sent;
    if (offset)
        *offset += sent;
    else if (lseek(source, start + sent, SEEK_SET) < 0)
        return -1;
    return sent;
}

SHOWN ssize_t sendfile64(int target, int source, off64_t *offset, size_t count) __attribute__((alias("sendfile")));
