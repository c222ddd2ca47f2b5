#define _GNU_SOURCE
#include "accept_limit.h"

#include "greeting.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Descriptors that a connection may have. */
#define DESCRIPTORS_MAX 65536
#define DOORS_MAX 512

/* A socket that is bound, and what became of connections to it since somebody asked. */
struct door {
    unsigned char is_used;
    /* Empty once another is bound there. */
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    struct accept_input input;
    /* Bytes that came over the connections that are open. */
    uint64_t bytes;
    struct accept_news news;
};

/* One accepted connection. Nobody says when it is closed: it is looked for when its number counts. */
struct connection {
    int descriptor;
    pid_t pid;
    ino_t inode;
    uint64_t serial;
    struct door *door;
    uint64_t bytes;
    struct greeting greeting;
    enum greeting_state state;
    /* It left before it had said anything, or was counted as one that did not greet. */
    unsigned char is_settled;
    /* It was disconnected: what is still in the kernel is not taken. */
    unsigned char is_ended;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection connections[ACCEPT_CONNECTIONS_MAX];
static size_t count;
/* Where in `connections` a descriptor's is, plus one; 0: nowhere. */
static uint16_t places[DESCRIPTORS_MAX];
/* Descriptors of which each byte that is received is looked at. */
static _Atomic unsigned char is_watched[DESCRIPTORS_MAX];
static struct door doors[DOORS_MAX];
static uint64_t last_serial;
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

static struct connection *at(int descriptor) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS_MAX || places[descriptor] == 0) return NULL;
    return &connections[places[descriptor] - 1];
}

static void settle_ungreeted(struct connection *connection) {
    if (connection->state == GREETING_DONE || connection->is_settled) return;
    connection->is_settled = 1;
    if (connection->door == NULL) return;
    connection->door->news.ungreeted++;
    connection->door->news.pid = connection->pid;
}

static void forget(struct connection *connection) {
    settle_ungreeted(connection);
    if (connection->door != NULL) connection->door->bytes -= connection->bytes;
    places[connection->descriptor] = 0;
    atomic_store(&is_watched[connection->descriptor], 0);
    struct connection *last = &connections[--count];
    if (connection == last) return;
    *connection = *last;
    places[connection->descriptor] = (uint16_t)(connection - connections + 1);
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
            forget(&connections[index]);
        }
    }
    return left;
}

static struct door *door(int number) {
    return number > 0 && number <= DOORS_MAX && doors[number - 1].is_used ? &doors[number - 1] : NULL;
}

int accept_open_door(const char *path, struct accept_input input) {
    int number = 0;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < DOORS_MAX; index++) {
        if (number == 0 && !doors[index].is_used) number = index + 1;
        if (strncmp(doors[index].path, path, sizeof doors[index].path) == 0) doors[index].path[0] = 0;
    }
    if (number > 0) {
        doors[number - 1] = (struct door){.is_used = 1, .input = input};
        strncpy(doors[number - 1].path, path, sizeof doors[number - 1].path - 1);
    }
    pthread_mutex_unlock(&lock);
    if (number == 0) errno = ENFILE;
    return number;
}

void accept_close_door(int number) {
    pthread_mutex_lock(&lock);
    struct door *closed = door(number);
    for (size_t index = 0; closed != NULL && index < count; index++)
        if (connections[index].door == closed) connections[index].door = NULL;
    if (closed != NULL) *closed = (struct door){0};
    pthread_mutex_unlock(&lock);
}

struct accept_news accept_take_news(int number, int looks) {
    struct accept_news news = {0};
    pthread_mutex_lock(&lock);
    if (looks) look_again(-1);
    struct door *asked = door(number);
    if (asked != NULL) {
        news = asked->news;
        asked->news = (struct accept_news){0};
    }
    pthread_mutex_unlock(&lock);
    return news;
}

uint64_t accept_connection(int descriptor) {
    pthread_mutex_lock(&lock);
    const struct connection *connection = at(descriptor);
    uint64_t serial = connection != NULL ? connection->serial : 0;
    pthread_mutex_unlock(&lock);
    return serial;
}

int accept_is_open(int descriptor, uint64_t serial) {
    pthread_mutex_lock(&lock);
    const struct connection *connection = at(descriptor);
    struct pollfd end = {.fd = descriptor};
    int result = connection != NULL && connection->serial == serial && !connection->is_ended &&
                 is_open(connection) && poll(&end, 1, 0) == 0;
    pthread_mutex_unlock(&lock);
    return result;
}

/* The door that a connection came through: the accepted end has the name of the listener. */
static struct door *door_of(int descriptor) {
    struct sockaddr_un address = {.sun_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0 || address.sun_family != AF_UNIX)
        return NULL;
    for (size_t index = 0; index < DOORS_MAX; index++)
        if (doors[index].path[0] != 0 && strncmp(doors[index].path, address.sun_path, sizeof address.sun_path) == 0)
            return &doors[index];
    return NULL;
}

uint32_t accept_end_unread(int number, uint32_t unread_min, int32_t *pid) {
    uint32_t ended = 0;
    pthread_mutex_lock(&lock);
    const struct door *asked = door(number);
    for (size_t index = 0; index < count; index++) {
        int unread = 0;
        if (asked == NULL || connections[index].door != asked) continue;
        if (!is_open(&connections[index])) continue;
        if (ioctl(connections[index].descriptor, SIOCOUTQ, &unread) != 0 || unread < (int)unread_min) continue;
        /* Not closed: the number stays libzmq's. */
        if (shutdown(connections[index].descriptor, SHUT_RDWR) != 0) continue;
        *pid = connections[index].pid;
        ended++;
    }
    pthread_mutex_unlock(&lock);
    return ended;
}

/* libzmq sees the end, and closes it. */
static void end(struct connection *connection) {
    shutdown(connection->descriptor, SHUT_RDWR);
    connection->is_ended = 1;
}

static int by_number(const void *left, const void *right) {
    return (*(const pid_t *)left > *(const pid_t *)right) - (*(const pid_t *)left < *(const pid_t *)right);
}

/* The process with the most connections, and how many; nobody is protected from this one itself. */
static pid_t most_crowded(size_t *most) {
    static pid_t pids[ACCEPT_CONNECTIONS_MAX];
    size_t left = 0, run = 0;
    pid_t crowded = 0;
    for (size_t index = 0; index < count; index++)
        if (!connections[index].is_ended && connections[index].pid != getpid()) pids[left++] = connections[index].pid;
    qsort(pids, left, sizeof pids[0], by_number);
    for (size_t index = 0; index < left; index++) {
        run = index > 0 && pids[index] == pids[index - 1] ? run + 1 : 1;
        if (run > *most) {
            *most = run;
            crowded = pids[index];
        }
    }
    return crowded;
}

/* Ends the newest connection of the process that has the most, if that has more than one with `own` and a new one. */
static int make_place(size_t own) {
    size_t most = 0;
    pid_t crowded = most_crowded(&most);
    struct connection *newest = NULL;
    if (most <= own + 1) return 0;
    for (size_t index = 0; index < count; index++)
        if (connections[index].pid == crowded && !connections[index].is_ended &&
            (newest == NULL || connections[index].serial > newest->serial))
            newest = &connections[index];
    if (newest->door != NULL) {
        newest->door->news.crowded++;
        newest->door->news.pid = crowded;
    }
    end(newest);
    return 1;
}

/* Connections that were not ended. */
static size_t held(void) {
    size_t sum = 0;
    for (size_t index = 0; index < count; index++) sum += !connections[index].is_ended;
    return sum;
}

/* Whether a new connection of a process that has `own` has room, also by another's end. Numbers are given from the
 * lowest free one on: a high one says how many are taken. One that is ended keeps its number for a moment. */
static int has_place(int descriptor, size_t own) {
    struct rlimit limit;
    rlim_t most = DESCRIPTORS_MAX;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most) most = limit.rlim_cur;
    rlim_t kept = most / 4 < limits.descriptors_kept ? most / 4 : limits.descriptors_kept;
    int is_low = (rlim_t)descriptor < most - kept;
    if (is_low && held() < limits.total) return 1;
    look_again(-1);
    if (is_low && held() < limits.total) return 1;
    if (count >= ACCEPT_CONNECTIONS_MAX || (rlim_t)descriptor >= most - kept / 2) return 0;
    return make_place(own);
}

/* Whether a new connection has room; then it is remembered. */
static int admit(int descriptor, pid_t pid, ino_t inode) {
    if (descriptor >= DESCRIPTORS_MAX) return 0;
    /* A number that comes again was closed meanwhile. */
    struct connection *before = at(descriptor);
    if (before != NULL) forget(before);
    size_t own = 0;
    for (size_t index = 0; index < count; index++) own += connections[index].pid == pid;
    /* Nobody is protected from itself. */
    if (own >= limits.peer && pid != getpid() && (own = look_again(pid)) >= limits.peer) return 0;
    if (!has_place(descriptor, own)) return 0;
    connections[count] = (struct connection){
        .descriptor = descriptor, .pid = pid, .inode = inode, .serial = ++last_serial, .door = door_of(descriptor)};
    places[descriptor] = (uint16_t)++count;
    atomic_store(&is_watched[descriptor], 1);
    return 1;
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
    if (admit(descriptor, peer.pid, facts.st_ino)) return 1;
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

static void end_overrun(struct connection *connection) {
    connection->door->news.overrun++;
    connection->door->news.pid = connection->pid;
    connection->door->bytes -= connection->bytes;
    connection->bytes = 0;
    end(connection);
}

/* Ends the connections that sent the most until the others have room. */
static void make_room(struct door *door) {
    if (door->bytes > door->input.all) look_again(-1);
    while (door->bytes > door->input.all) {
        struct connection *most = NULL;
        for (size_t index = 0; index < count; index++)
            if (connections[index].door == door && (most == NULL || connections[index].bytes > most->bytes))
                most = &connections[index];
        if (most == NULL || most->bytes == 0) return;
        end_overrun(most);
    }
}

static void judge_input(struct connection *connection, const unsigned char *bytes, size_t size) {
    struct door *door = connection->door;
    if (connection->state == GREETING_GOES_ON) {
        connection->state = greeting_take(&connection->greeting, bytes, size);
        if (connection->state == GREETING_REFUSED) {
            settle_ungreeted(connection);
            return end(connection);
        }
    }
    if (door == NULL || door->input.peer == 0) {
        if (connection->state == GREETING_DONE) atomic_store(&is_watched[connection->descriptor], 0);
        return;
    }
    connection->bytes += size;
    door->bytes += size;
    if (connection->bytes > door->input.peer) return end_overrun(connection);
    make_room(door);
}

/* Whether what came over a watched descriptor may be taken. */
static int is_welcome(int descriptor, const unsigned char *bytes, size_t size) {
    struct connection *connection = at(descriptor);
    if (connection == NULL) return 1;
    if (!is_open(connection)) {
        /* The number is somebody else's now. */
        forget(connection);
        return 1;
    }
    if (connection->is_ended) return 0;
    if (size == 0) {
        /* Who connects, says nothing and leaves wanted to know whether anybody is there. */
        if (connection->greeting.part == 0 && connection->greeting.at == 0) connection->is_settled = 1;
        return 1;
    }
    judge_input(connection, bytes, size);
    /* Others may have been forgotten, and this one have another place. */
    connection = at(descriptor);
    return connection != NULL && !connection->is_ended;
}

/* recv(2), as libzmq finds it: see accept4. */
ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
    ssize_t came = syscall(SYS_recvfrom, descriptor, buffer, size, flags, NULL, NULL);
    if (descriptor < 0 || descriptor >= DESCRIPTORS_MAX || !atomic_load(&is_watched[descriptor])) return came;
    if (came < 0 || flags & MSG_PEEK) return came;
    int failure = errno;
    pthread_mutex_lock(&lock);
    if (!is_welcome(descriptor, buffer, (size_t)came)) came = 0;
    pthread_mutex_unlock(&lock);
    errno = failure;
    return came;
}
