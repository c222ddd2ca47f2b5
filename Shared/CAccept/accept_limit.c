#define _GNU_SOURCE
#include "accept_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* One accepted connection. Nobody says when it is closed: it is looked for when its number counts. */
struct connection {
    int descriptor;
    pid_t pid;
    ino_t inode;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection connections[ACCEPT_CONNECTIONS_MAX];
static size_t count;
static struct accept_limits limits;
static pid_t refused_pid;
static int reserve = -1;

static void open_reserve(void) {
    if (reserve < 0) reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void accept_limit_prepare(struct accept_limits new_limits) {
    pthread_mutex_lock(&lock);
    limits = new_limits;
    if (limits.total > ACCEPT_CONNECTIONS_MAX) limits.total = ACCEPT_CONNECTIONS_MAX;
    open_reserve();
    pthread_mutex_unlock(&lock);
}

int32_t accept_refused_pid(void) {
    pthread_mutex_lock(&lock);
    pid_t pid = refused_pid;
    pthread_mutex_unlock(&lock);
    return pid;
}

static int is_open(const struct connection *connection) {
    struct stat facts;
    return fstat(connection->descriptor, &facts) == 0 && S_ISSOCK(facts.st_mode) &&
           facts.st_ino == connection->inode;
}

/* Forgets what was closed: of one process, or of all (pid -1). Returns how many are left of it. */
static size_t look_again(pid_t pid) {
    size_t left = 0;
    for (size_t index = 0; index < count;) {
        if (pid != -1 && connections[index].pid != pid) {
            index++;
        } else if (is_open(&connections[index])) {
            left++;
            index++;
        } else {
            connections[index] = connections[--count];
        }
    }
    return left;
}

static int is_at(const struct connection *connection, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    /* The accepted end has the name of the listener. */
    return is_open(connection) &&
           getsockname(connection->descriptor, (struct sockaddr *)&address, &length) == 0 &&
           address.sun_family == AF_UNIX && strncmp(address.sun_path, path, sizeof address.sun_path) == 0;
}

uint32_t accept_end_unread(const char *path, uint32_t unread_min, int32_t *pid) {
    uint32_t ended = 0;
    pthread_mutex_lock(&lock);
    for (size_t index = 0; index < count; index++) {
        int unread = 0;
        if (!is_at(&connections[index], path)) continue;
        if (ioctl(connections[index].descriptor, SIOCOUTQ, &unread) != 0 || unread < (int)unread_min) continue;
        /* Not closed: the number stays libzmq's. */
        if (shutdown(connections[index].descriptor, SHUT_RDWR) != 0) continue;
        *pid = connections[index].pid;
        ended++;
    }
    pthread_mutex_unlock(&lock);
    return ended;
}

/* Whether a new connection has room; then it is remembered. */
static int admit(int descriptor, pid_t pid, ino_t inode) {
    size_t own = 0;
    for (size_t index = 0; index < count;) {
        /* A number that comes again was closed meanwhile. */
        if (connections[index].descriptor == descriptor) {
            connections[index] = connections[--count];
            continue;
        }
        if (connections[index].pid == pid) own++;
        index++;
    }
    /* Nobody is protected from itself. */
    if (own >= limits.peer && pid != getpid() && look_again(pid) >= limits.peer) return 0;
    if (count >= limits.total && look_again(-1) >= limits.total) return 0;
    connections[count++] = (struct connection){descriptor, pid, inode};
    return 1;
}

/* Numbers are given from the lowest free one on: a high one says how many are taken. */
static int leaves_enough(int descriptor) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 1;
    rlim_t quarter = limit.rlim_cur / 4;
    rlim_t kept = quarter < limits.descriptors_kept ? quarter : limits.descriptors_kept;
    return (rlim_t)descriptor < limit.rlim_cur - kept;
}

/* Takes one connection on the descriptor kept for it, and closes it: left in the queue, it would wake the listener
 * again and again. */
static void shed(int listener) {
    if (reserve >= 0) close(reserve);
    reserve = -1;
    int descriptor = (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor >= 0) {
        close(descriptor);
    } else if (errno != EAGAIN) {
        /* Other threads have the last one. Not as fast as the listener could ask. */
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    open_reserve();
    refused_pid = 0;
}

static int judge(int descriptor) {
    struct ucred peer = {.pid = 0};
    socklen_t length = sizeof peer;
    struct stat facts;
    /* Not of this machine: not ours to count. */
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return 1;
    if (fstat(descriptor, &facts) != 0) return 1;
    if (leaves_enough(descriptor) && admit(descriptor, peer.pid, facts.st_ino)) return 1;
    refused_pid = peer.pid;
    return 0;
}

/* accept4(2), as libzmq finds it: the executable's own symbols come before those of the C library. */
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    int descriptor = (int)syscall(SYS_accept4, listener, address, length, flags);
    int failure = errno;
    pthread_mutex_lock(&lock);
    open_reserve();
    if (descriptor >= 0 && limits.total > 0 && !judge(descriptor)) {
        close(descriptor);
        descriptor = -1;
        failure = ECONNABORTED;
    } else if (descriptor >= 0) {
        failure = 0;
    } else if (failure == EMFILE || failure == ENFILE || failure == ENOBUFS || failure == ENOMEM) {
        shed(listener);
        failure = ECONNABORTED;
    } else if (failure == EPERM) {
        failure = ECONNABORTED;
    }
    pthread_mutex_unlock(&lock);
    if (descriptor < 0) errno = failure;
    return descriptor;
}
