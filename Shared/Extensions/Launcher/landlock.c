/* Landlock through its system calls, because headers of older distributions lack its newer parts. Numbers and
   layouts are those of linux/landlock.h in Linux 6.12. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define ASK_VERSION 1U
#define RULE_PATH_BENEATH 1

/* handled_access_fs */
#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR (UINT64_C(1) << 3)
#define FS_REMOVE_DIR (UINT64_C(1) << 4)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_DIR (UINT64_C(1) << 7)
#define FS_MAKE_REG (UINT64_C(1) << 8)
#define FS_MAKE_SYM (UINT64_C(1) << 12)
#define FS_REFER (UINT64_C(1) << 13)
#define FS_TRUNCATE (UINT64_C(1) << 14)
/* All rights of each version of the interface: versions 1, 2, 3 and 4, 5 and later. */
static const uint64_t fs_known[] = {
    0, (UINT64_C(1) << 13) - 1, (UINT64_C(1) << 14) - 1, (UINT64_C(1) << 15) - 1,
    (UINT64_C(1) << 15) - 1, (UINT64_C(1) << 16) - 1,
};
/* Rights that a rule for a regular file may contain. */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)

/* Above the descriptors that a program knows by number. */
#define PINNED_MIN 10

#define NET_ALL UINT64_C(3)    /* bind and connect of TCP, from version 4 */
#define SCOPED_ALL UINT64_C(3) /* abstract sockets and signals, from version 6 */

struct ruleset {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

struct path_rule {
    uint64_t access;
    int32_t parent;
} __attribute__((packed));

static uint64_t rights(enum use use) {
    switch (use) {
    case USE_READ:
    case USE_PINNED: return FS_READ_FILE | FS_READ_DIR;
    case USE_EXECUTE: return FS_READ_FILE | FS_EXECUTE;
    case USE_WRITE:
        return FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR
            | FS_MAKE_REG | FS_MAKE_SYM | FS_REFER | FS_TRUNCATE;
    }
    return 0;
}

/* A rule applies to an inode. The inode of a file in /proc exists only while it is in use: when the kernel reclaims
   memory, a new one replaces it, without the rule. Therefore the program inherits a descriptor of it. */
static bool pin(int descriptor) { return fcntl(descriptor, F_DUPFD, PINNED_MIN) >= 0; }

/* Returns false if the path exists and the rule was refused. A missing path needs no rule. */
static bool allow(int ruleset, const struct allowed_path *allowed, uint64_t handled) {
    int descriptor = open(allowed->path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return errno == ENOENT || errno == EACCES;
    struct stat status;
    uint64_t access = rights(allowed->use) & handled;
    if (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode)) access &= FS_OF_FILES;
    struct path_rule rule = {.access = access, .parent = descriptor};
    bool allowed_now = syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
    if (allowed_now && allowed->use == USE_PINNED) allowed_now = pin(descriptor);
    int error = errno;
    close(descriptor);
    errno = error;
    return allowed_now;
}

void apply_landlock(const struct allowed_path *paths, size_t count, struct report *report) {
    long version = syscall(CALL_CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1) {
        report_add(report, "!landlock: %s; use Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK and lsm=landlock",
                   strerror(errno));
        return;
    }
    struct ruleset attributes = {
        .fs = fs_known[version < 5 ? version : 5],
        .net = version >= 4 ? NET_ALL : 0,
        .scoped = version >= 6 ? SCOPED_ALL : 0,
    };
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(CALL_CREATE_RULESET, &attributes, size, 0);
    bool applied = ruleset >= 0;
    for (size_t index = 0; applied && index < count; index++)
        applied = allow(ruleset, &paths[index], attributes.fs);
    applied = applied && syscall(CALL_RESTRICT_SELF, ruleset, 0) == 0;
    if (applied)
        report_add(report, "landlock %ld", version);
    else
        report_add(report, "!landlock: %s", strerror(errno));
    if (ruleset >= 0) close(ruleset);
}
