/* Modes, owners and times of files. The kernel cannot allow a program to change those of its own files only, so the
 * seccomp filter refuses all changes. But Foundation sets the mode, owner and times of each copy and each file it
 * replaces to those of the original, and fails if it cannot. For files in directories that the program may change (their
 * paths are in the variable SCREENTIME_OWN_FILES, separated by colons) these functions report success without effect for:
 *
 * - a mode that gives the file to its owner, because nobody else can reach the directory;
 * - the owner it has;
 * - the times of a copy, set through a descriptor.
 *
 * Anything else fails as in the filter, with EPERM. */
#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a path without links is one of the program's own directories, or inside one. */
static int lies_within(const char *path) {
    const char *next = getenv("SCREENTIME_OWN_FILES");
    while (next && *next) {
        size_t length = strcspn(next, ":");
        if (strncmp(path, next, length) == 0 && (path[length] == '/' || path[length] == '\0')) return 1;
        next += length + (next[length] == ':');
    }
    return 0;
}

/* Whether an open file is the program's own; if not, sets errno. */
static int is_own(int descriptor) {
    char link[32], path[PATH_MAX];
    if (fcntl(descriptor, F_GETFD) < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    errno = EPERM;
    return lies_within(path);
}

/* Opens a path; -1 with errno on failure. */
static int reach(int directory, const char *path, int flags) {
    if (flags & AT_EMPTY_PATH && *path == '\0') return fcntl(directory, F_DUPFD_CLOEXEC, 0);
    return openat(directory, path, O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0));
}

static int leaves_it_to_the_owner(mode_t mode, int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return 0;
    mode_t needed = S_IRUSR | S_IWUSR | (S_ISDIR(status.st_mode) ? S_IXUSR : 0);
    errno = EPERM;
    return (mode & needed) == needed;
}

static int is_the_owner(uid_t user, gid_t group, int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return 0;
    errno = EPERM;
    return (user == (uid_t)-1 || user == status.st_uid) && (group == (gid_t)-1 || group == status.st_gid);
}

/* Applies a function for descriptors to a path. */
#define BY_PATH(directory, path, flags, answer) \
    do { \
        int descriptor = reach(directory, path, flags); \
        if (descriptor < 0) return -1; \
        int result = answer; \
        int error = errno; \
        close(descriptor); \
        errno = error; \
        return result; \
    } while (0)

SHOWN int fchmod(int descriptor, mode_t mode) {
    return is_own(descriptor) && leaves_it_to_the_owner(mode, descriptor) ? 0 : -1;
}
SHOWN int fchmodat(int directory, const char *path, mode_t mode, int flags) {
    BY_PATH(directory, path, flags, fchmod(descriptor, mode));
}
SHOWN int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }

SHOWN int fchown(int descriptor, uid_t user, gid_t group) {
    return is_own(descriptor) && is_the_owner(user, group, descriptor) ? 0 : -1;
}
SHOWN int fchownat(int directory, const char *path, uid_t user, gid_t group, int flags) {
    BY_PATH(directory, path, flags, fchown(descriptor, user, group));
}
SHOWN int chown(const char *path, uid_t user, gid_t group) { return fchownat(AT_FDCWD, path, user, group, 0); }
SHOWN int lchown(const char *path, uid_t user, gid_t group) {
    return fchownat(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW);
}

SHOWN int futimens(int descriptor, const struct timespec times[2]) {
    (void)times;
    return is_own(descriptor) ? 0 : -1;
}
