/* extension-launcher: confines itself, then executes an extension's program. The host starts it, inside
   bubblewrap where that works.

       extension-launcher OPTION… -- PROGRAM
       extension-launcher --probe

   --env KEY=VALUE     an entry of the program's environment, which has no others
   --directory PATH    its working directory
   --read PATH         a path it may read, with everything below
   --pin PATH          a file of /proc it may read; it inherits a descriptor of it, 10 or above
   --write PATH        a path it may read and change, with everything below
   --limit NAME=N      a resource limit: as, data, fsize, stack (bytes), nofile (descriptors) or nproc (tasks)
   --locks yes|no      whether it may lock files (flock, fcntl); default no
   --user N            the user and group it changes to, without other groups; only for root
   --keep N            the highest descriptor it inherits
   --report FD         a socket of type SOCK_SEQPACKET to the host, see below

   The report is one packet of lines. Each line is a confinement in effect ("landlock 7", "seccomp") or, after
   a "!", one that could not be applied, with the reason. The kernel adds the sender's process id. Then the
   program is executed, and the socket is closed; if that fails, a second packet has "!start: " and the reason,
   and the exit code is 126. With --probe the lines are written to standard output, and nothing is started. A
   wrong command line: exit code 64. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATHS_MAX = 64, ENTRIES_MAX = 32 };

struct order {
    char *environment[ENTRIES_MAX + 1];
    size_t entries;
    struct allowed_path paths[PATHS_MAX];
    size_t path_count;
    const char *directory;
    uid_t user;
    int keep;
    int report;
    bool locks;
    bool probe;
    char **program;
};

void report_add(struct report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof report->text - report->length;
    int count = vsnprintf(report->text + report->length, room, format, arguments);
    va_end(arguments);
    if (count < 0 || (size_t)count + 1 >= room) return;
    report->length += (size_t)count;
    report->text[report->length++] = '\n';
}

static void tell(const struct order *order, const struct report *report) {
    /* A host that died needs no report; the program dies with it. */
    if (order->report >= 0 && send(order->report, report->text, report->length, MSG_NOSIGNAL) < 0) return;
    if (order->probe) fwrite(report->text, 1, report->length, stdout);
}

static void wrong(const char *what) {
    fprintf(stderr, "extension-launcher: %s; monitor-runner, shield-service or report-service start it\n", what);
    exit(64);
}

static void allow(struct order *order, enum use use, const char *path) {
    if (order->path_count == PATHS_MAX) wrong("too many paths");
    order->paths[order->path_count++] = (struct allowed_path){use, path};
}

static void set_limit(const char *text) {
    static const struct { const char *name; int resource; } known[] = {
        {"as=", RLIMIT_AS}, {"data=", RLIMIT_DATA}, {"fsize=", RLIMIT_FSIZE}, {"nofile=", RLIMIT_NOFILE},
        {"stack=", RLIMIT_STACK}, {"nproc=", RLIMIT_NPROC},
    };
    for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
        size_t length = strlen(known[index].name);
        if (strncmp(text, known[index].name, length) != 0) continue;
        struct rlimit limit;
        rlim_t value = strtoull(text + length, NULL, 10);
        /* The parent may have a lower limit already. */
        if (getrlimit(known[index].resource, &limit) == 0 && limit.rlim_max < value) value = limit.rlim_max;
        limit = (struct rlimit){value, value};
        if (setrlimit(known[index].resource, &limit) != 0) wrong("a limit was refused");
        return;
    }
    wrong("an unknown limit");
}

static void read_option(struct order *order, const char *name, char *value) {
    if (strcmp(name, "--env") == 0) {
        if (order->entries == ENTRIES_MAX) wrong("too many entries of the environment");
        order->environment[order->entries++] = value;
    } else if (strcmp(name, "--directory") == 0) {
        order->directory = value;
    } else if (strcmp(name, "--read") == 0) {
        allow(order, USE_READ, value);
    } else if (strcmp(name, "--pin") == 0) {
        allow(order, USE_PINNED, value);
    } else if (strcmp(name, "--write") == 0) {
        allow(order, USE_WRITE, value);
    } else if (strcmp(name, "--limit") == 0) {
        set_limit(value);
    } else if (strcmp(name, "--locks") == 0) {
        order->locks = strcmp(value, "yes") == 0;
    } else if (strcmp(name, "--user") == 0) {
        order->user = (uid_t)strtoul(value, NULL, 10);
        if (order->user == 0) wrong("a user that is root, or no number");
    } else if (strcmp(name, "--keep") == 0) {
        order->keep = atoi(value);
    } else if (strcmp(name, "--report") == 0) {
        order->report = atoi(value);
    } else {
        wrong("an unknown option");
    }
}

static void read_order(struct order *order, int count, char **words) {
    int index = 1;
    for (; index < count && strcmp(words[index], "--") != 0; index++) {
        if (strcmp(words[index], "--probe") == 0) {
            order->probe = true;
            continue;
        }
        if (index + 1 == count) wrong("an option without its value");
        read_option(order, words[index], words[index + 1]);
        index++;
    }
    order->program = words + index + (index < count);
    if (!order->probe && *order->program == NULL) wrong("no program");
}

static void close_others(const struct order *order) {
    unsigned first = (unsigned)order->keep + 1;
    if (order->report >= (int)first) {
        if (order->report > (int)first) close_range(first, (unsigned)order->report - 1, 0);
        fcntl(order->report, F_SETFD, FD_CLOEXEC);
        first = (unsigned)order->report + 1;
    }
    close_range(first, ~0U, 0);
}

/* Drops root's rights and all capabilities. Returns false on failure, with errno set. */
static bool become(uid_t user) {
    if (user != 0 && (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0))
        return false;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) == 0;
}

/* Sets limits to zero for resources that the kernel counts for all programs of a user together, so that a program
   can neither use up nor observe those of others; and for core dumps. Lowering a limit cannot fail. */
static void give_up_shares(void) {
    static const int none[] = {
        RLIMIT_CORE, RLIMIT_SIGPENDING, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO,
    };
    for (size_t index = 0; index < sizeof none / sizeof *none; index++)
        setrlimit(none[index], &(struct rlimit){0, 0});
}

/* The exit code of a program that could not be started. */
static int cannot_start(const struct order *order, const char *what) {
    struct report failure = {.length = 0};
    report_add(&failure, "!start: %s%s", what, strerror(errno));
    tell(order, &failure);
    return 126;
}

int main(int count, char **words) {
    static struct order order = {.keep = 2, .report = -1};
    static struct report report;
    read_order(&order, count, words);
    close_others(&order);
    if (!become(order.user)) return cannot_start(&order, "becoming a user without rights: ");
    /* The program dies with its parent (changing the user later would reset that), and never gains privileges. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    give_up_shares();
    if (order.directory && chdir(order.directory) != 0) report_add(&report, "!directory: %s", strerror(errno));
    if (!order.probe) {
        allow(&order, USE_EXECUTE, order.program[0]);
        const char *loader = program_loader(order.program[0]);
        if (loader) allow(&order, USE_EXECUTE, loader);
    }
    apply_landlock(order.paths, order.path_count, &report);
    apply_seccomp(order.locks, &report);
    tell(&order, &report);
    if (order.probe) return 0;
    execve(order.program[0], order.program, order.environment);
    return cannot_start(&order, "");
}
