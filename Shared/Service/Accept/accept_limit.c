#define _GNU_SOURCE
#include "accept_limit.h"

#include "frames.h"
#include "greeting.h"
#include "subscriptions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
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

/* Highest descriptor of a connection, plus one. */
#define DESCRIPTORS_MAX 65536
#define ENDPOINTS_MAX 512

/* A bound socket, and what happened to its connections since the last report. */
struct endpoint {
    unsigned char is_used;
    /* Empty after another socket is bound at the same path. */
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    /* Topics that may be subscribed to; NULL if the socket publishes nothing. */
    char *topics;
    struct accept_report report;
};

/* One accepted connection. No call reports its close, so it is checked whenever its number matters. */
struct connection {
    int descriptor;
    pid_t pid;
    ino_t inode;
    uint64_t serial;
    struct endpoint *endpoint;
    struct greeting greeting;
    enum greeting_state state;
    /* NULL if its input is not filtered. */
    struct subscriber *subscriber;
    /* For a connection that is not a subscriber. */
    struct message message;
    /* It left by itself, or was counted as one that did not greet. */
    unsigned char is_settled;
    /* It was disconnected: input that is still in the kernel is discarded. */
    unsigned char is_ended;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection connections[ACCEPT_CONNECTIONS_MAX];
static size_t count;
/* Index in `connections` by descriptor, plus one; 0 for none. */
static uint16_t places[DESCRIPTORS_MAX];
/* Descriptors whose input is inspected. */
static _Atomic unsigned char is_watched[DESCRIPTORS_MAX];
static struct endpoint endpoints[ENDPOINTS_MAX];
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
    if (connection->endpoint == NULL) return;
    connection->endpoint->report.ungreeted++;
    connection->endpoint->report.pid = connection->pid;
}

static void forget(struct connection *connection) {
    settle_ungreeted(connection);
    free(connection->subscriber);
    places[connection->descriptor] = 0;
    atomic_store(&is_watched[connection->descriptor], 0);
    struct connection *last = &connections[--count];
    if (connection == last) return;
    *connection = *last;
    places[connection->descriptor] = (uint16_t)(connection - connections + 1);
}

/* Forgets closed connections of one process, or of all (pid -1). Returns the number of those that are open. */
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

static struct endpoint *endpoint(int number) {
    return number > 0 && number <= ENDPOINTS_MAX && endpoints[number - 1].is_used ? &endpoints[number - 1] : NULL;
}

/* Copies a list of texts, each ending with a zero byte, and an empty one at the end. */
static char *copy_texts(const char *texts) {
    size_t size = 1;
    for (const char *text = texts; *text != 0; text += strlen(text) + 1) size += strlen(text) + 1;
    char *copy = malloc(size);
    return copy != NULL ? memcpy(copy, texts, size) : NULL;
}

static int are_bounded(const char *topics) {
    size_t number = 0;
    for (const char *topic = topics; *topic != 0; topic += strlen(topic) + 1)
        if (++number > ACCEPT_TOPICS_MAX || strlen(topic) > ACCEPT_TOPIC_BYTES_MAX) return 0;
    return 1;
}

int accept_open_endpoint(const char *path, const char *topics) {
    int number = 0;
    char *copy = topics != NULL && are_bounded(topics) ? copy_texts(topics) : NULL;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < ENDPOINTS_MAX; index++) {
        if (number == 0 && !endpoints[index].is_used) number = index + 1;
        if (strncmp(endpoints[index].path, path, sizeof endpoints[index].path) == 0) endpoints[index].path[0] = 0;
    }
    if (topics != NULL && copy == NULL) number = 0;
    if (number > 0) {
        endpoints[number - 1] = (struct endpoint){.is_used = 1, .topics = copy};
        strncpy(endpoints[number - 1].path, path, sizeof endpoints[number - 1].path - 1);
    } else {
        free(copy);
    }
    pthread_mutex_unlock(&lock);
    if (number == 0) errno = ENFILE;
    return number;
}

void accept_close_endpoint(int number) {
    pthread_mutex_lock(&lock);
    struct endpoint *closed = endpoint(number);
    for (size_t index = 0; closed != NULL && index < count; index++) {
        if (connections[index].endpoint != closed) continue;
        connections[index].endpoint = NULL;
        free(connections[index].subscriber);
        connections[index].subscriber = NULL;
    }
    if (closed != NULL) {
        free(closed->topics);
        *closed = (struct endpoint){0};
    }
    pthread_mutex_unlock(&lock);
}

struct accept_report accept_take_report(int number, int looks) {
    struct accept_report report = {0};
    pthread_mutex_lock(&lock);
    if (looks) look_again(-1);
    struct endpoint *asked = endpoint(number);
    if (asked != NULL) {
        report = asked->report;
        asked->report = (struct accept_report){0};
    }
    pthread_mutex_unlock(&lock);
    return report;
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

/* The listening socket of a connection: getsockname on the accepted end returns the listener's path. */
static struct endpoint *endpoint_of(int descriptor) {
    struct sockaddr_un address = {.sun_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0 || address.sun_family != AF_UNIX)
        return NULL;
    for (size_t index = 0; index < ENDPOINTS_MAX; index++)
        if (endpoints[index].path[0] != 0 && strncmp(endpoints[index].path, address.sun_path, sizeof address.sun_path) == 0)
            return &endpoints[index];
    return NULL;
}

uint32_t accept_end_unread(int number, uint32_t unread_min, int32_t *pid) {
    uint32_t ended = 0;
    pthread_mutex_lock(&lock);
    const struct endpoint *asked = endpoint(number);
    for (size_t index = 0; index < count; index++) {
        int unread = 0;
        if (asked == NULL || connections[index].endpoint != asked) continue;
        if (!is_open(&connections[index])) continue;
        if (ioctl(connections[index].descriptor, SIOCOUTQ, &unread) != 0 || unread < (int)unread_min) continue;
        /* Not closed: the descriptor belongs to libzmq. */
        if (shutdown(connections[index].descriptor, SHUT_RDWR) != 0) continue;
        *pid = connections[index].pid;
        ended++;
    }
    pthread_mutex_unlock(&lock);
    return ended;
}

/* libzmq notices the shutdown and closes the descriptor. */
static void end(struct connection *connection) {
    shutdown(connection->descriptor, SHUT_RDWR);
    connection->is_ended = 1;
}

struct crowd {
    pid_t pid;
    size_t size;
};

static int by_process(const void *left, const void *right) {
    pid_t one = ((const struct crowd *)left)->pid, other = ((const struct crowd *)right)->pid;
    return (one > other) - (one < other);
}

static size_t one_each(const struct connection *connection) {
    /* This process itself is not limited. */
    return !connection->is_ended && connection->pid != getpid();
}

static size_t own_topics(const struct connection *connection) {
    return !connection->is_ended && connection->subscriber != NULL ? subscriber_own(connection->subscriber) : 0;
}

/* The process of a connection. Connections of processes that have exited count as one process, because the kernel
 * does not name their present holders. */
static pid_t owner(const struct connection *connection) {
    return connection->pid > 0 && kill(connection->pid, 0) != 0 && errno == ESRCH ? 0 : connection->pid;
}

/* The process whose connections weigh the most together; `all` is set to the weight of all connections. */
static struct crowd greatest(size_t (*weigh)(const struct connection *), size_t *all) {
    static struct crowd crowds[ACCEPT_CONNECTIONS_MAX];
    struct crowd most = {0}, run = {0};
    *all = 0;
    for (size_t index = 0; index < count; index++) {
        crowds[index] = (struct crowd){owner(&connections[index]), weigh(&connections[index])};
        *all += crowds[index].size;
    }
    qsort(crowds, count, sizeof crowds[0], by_process);
    for (size_t index = 0; index < count; index++) {
        run = (struct crowd){crowds[index].pid, crowds[index].size + (run.pid == crowds[index].pid ? run.size : 0)};
        if (run.size > most.size) most = run;
    }
    return most;
}

/* The newest connection of a process with a weight above 0; NULL if the process has exited meanwhile. */
static struct connection *newest(pid_t pid, size_t (*weigh)(const struct connection *)) {
    struct connection *found = NULL;
    for (size_t index = 0; index < count; index++)
        if (owner(&connections[index]) == pid && weigh(&connections[index]) > 0 &&
            (found == NULL || connections[index].serial > found->serial))
            found = &connections[index];
    return found;
}

/* Ends the newest connection of the process with the most, unless that process has no more than the new one's. */
static int make_place(size_t own) {
    size_t all;
    struct crowd most = greatest(one_each, &all);
    if (most.size <= own + 1) return 0;
    struct connection *found = newest(most.pid, one_each);
    if (found == NULL) return 0;
    if (found->endpoint != NULL) {
        found->endpoint->report.crowded++;
        found->endpoint->report.pid = most.pid;
    }
    end(found);
    return 1;
}

/* Number of connections that were not ended. */
static size_t held(void) {
    size_t sum = 0;
    for (size_t index = 0; index < count; index++) sum += !connections[index].is_ended;
    return sum;
}

/* Whether no descriptor from `number` on is used, not counting connections that were ended. */
static int is_free_above(rlim_t number) {
    for (size_t index = 0; index < count; index++)
        if (!connections[index].is_ended && (rlim_t)connections[index].descriptor >= number) return 0;
    return 1;
}

/* Whether a new connection of a process with `own` connections has room, possibly by ending another one. The kernel
 * assigns the lowest free descriptor, so a high one shows how many are in use. It counts as long as it is open: a
 * lower one that became free meanwhile is room for the next connection only. An ended connection keeps its
 * descriptor for a moment. */
static int has_place(int descriptor, size_t own) {
    struct rlimit limit;
    rlim_t most = DESCRIPTORS_MAX;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most) most = limit.rlim_cur;
    rlim_t kept = most / 4 < limits.descriptors_kept ? most / 4 : limits.descriptors_kept;
    if ((rlim_t)descriptor < most - kept && held() < limits.total && is_free_above(most - kept)) return 1;
    look_again(-1);
    if ((rlim_t)descriptor < most - kept && held() < limits.total && is_free_above(most - kept)) return 1;
    if (count >= ACCEPT_CONNECTIONS_MAX || (rlim_t)descriptor >= most - kept / 2) return 0;
    return make_place(own);
}

/* Whether a new connection has room; if so, it is registered. */
static int admit(int descriptor, pid_t pid, ino_t inode) {
    if (descriptor >= DESCRIPTORS_MAX) return 0;
    /* A descriptor that is assigned again was closed meanwhile. */
    struct connection *before = at(descriptor);
    if (before != NULL) forget(before);
    size_t own = 0;
    for (size_t index = 0; index < count; index++) own += connections[index].pid == pid;
    /* This process itself is not limited. */
    if (own >= limits.peer && pid != getpid() && (own = look_again(pid)) >= limits.peer) return 0;
    if (!has_place(descriptor, own)) return 0;
    connections[count] = (struct connection){
        .descriptor = descriptor, .pid = pid, .inode = inode, .serial = ++last_serial, .endpoint = endpoint_of(descriptor)};
    places[descriptor] = (uint16_t)++count;
    atomic_store(&is_watched[descriptor], 1);
    return 1;
}

/* Accepts one connection on the reserve descriptor and closes it. Left in the queue, it would keep waking the
 * listener. */
static void shed(int listener) {
    if (reserve >= 0) close(reserve);
    reserve = -1;
    int descriptor = (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor >= 0) {
        close(descriptor);
    } else if (errno != EAGAIN) {
        /* Other threads use the last descriptor. Waits, so that the listener does not spin. */
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    open_reserve();
    refused_pid = 0;
}

static int judge(int descriptor) {
    struct ucred peer = {.pid = 0};
    socklen_t length = sizeof peer;
    struct stat facts;
    int domain = AF_UNSPEC;
    socklen_t size = sizeof domain;
    /* Not a connection of libzmq: it is neither counted nor filtered. (Of TCP the kernel tells a peer without a pid.) */
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX) return 1;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return 1;
    if (fstat(descriptor, &facts) != 0) return 1;
    if (admit(descriptor, peer.pid, facts.st_ino)) return 1;
    refused_pid = peer.pid;
    return 0;
}

/* accept4(2) as libzmq calls it: symbols of the executable precede those of the C library. */
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

static void end_subscriber(struct connection *connection) {
    connection->endpoint->report.overrun++;
    connection->endpoint->report.pid = connection->pid;
    end(connection);
}

/* Bounds the topics that subscribers choose themselves, over all subscribers: the process with the most loses a
 * connection. */
static void bound_own_topics(void) {
    for (;;) {
        size_t all;
        struct crowd most = greatest(own_topics, &all);
        if (all <= limits.own_topics) return;
        struct connection *found = newest(most.pid, own_topics);
        if (found != NULL) end_subscriber(found);
    }
}

/* Whether a subscriber may make so many changes now: libzmq reports each, and queues those that are not read yet. */
static int may_change(struct subscriber *subscriber, uint32_t changes) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    uint64_t regained = (now_ms - subscriber->changed_ms) * ACCEPT_CHANGES_PER_SECOND / 1000;
    if (regained > 0) {
        subscriber->changes = regained < subscriber->changes ? subscriber->changes - (uint32_t)regained : 0;
        subscriber->changed_ms = now_ms;
    }
    subscriber->changes += changes;
    return subscriber->changes <= ACCEPT_CHANGES_MAX;
}

/* Filters a subscriber's input. Returns the bytes that remain; -1 if the connection is ended. */
static ssize_t sift(struct connection *connection, unsigned char *bytes, size_t size) {
    struct endpoint *endpoint = connection->endpoint;
    size_t own = subscriber_own(connection->subscriber);
    struct sifted sifted = subscriber_sift(connection->subscriber, endpoint->topics, limits.own_prefix, bytes, size);
    endpoint->report.unknown += sifted.refused + sifted.is_malformed;
    if (sifted.refused > 0 || sifted.is_malformed) endpoint->report.pid = connection->pid;
    if (sifted.is_too_much || !may_change(connection->subscriber, sifted.changes)) end_subscriber(connection);
    if (sifted.is_malformed) end(connection);
    if (subscriber_own(connection->subscriber) > own) bound_own_topics();
    return connection->is_ended ? -1 : (ssize_t)sifted.left;
}

/* Checks the input of a connection. Returns the bytes that libzmq may receive; -1 if the connection is ended. */
static ssize_t judge_input(struct connection *connection, unsigned char *bytes, size_t size) {
    size_t greeted = 0;
    if (connection->state == GREETING_GOES_ON) {
        connection->state = greeting_take(&connection->greeting, bytes, size, &greeted);
        if (connection->state == GREETING_GOES_ON) return (ssize_t)size;
        if (connection->state == GREETING_REFUSED) {
            settle_ungreeted(connection);
            end(connection);
            return -1;
        }
        if (connection->endpoint != NULL && connection->endpoint->topics != NULL &&
            (connection->subscriber = calloc(1, sizeof *connection->subscriber)) == NULL) {
            end(connection);
            return -1;
        }
    }
    if (connection->endpoint == NULL) {
        atomic_store(&is_watched[connection->descriptor], 0);
        return (ssize_t)size;
    }
    if (connection->subscriber == NULL) {
        if (message_take(&connection->message, bytes + greeted, size - greeted, limits.message_bytes)) return (ssize_t)size;
        connection->endpoint->report.overlong++;
        connection->endpoint->report.pid = connection->pid;
        end(connection);
        return -1;
    }
    ssize_t left = sift(connection, bytes + greeted, size - greeted);
    return left < 0 ? -1 : (ssize_t)greeted + left;
}

/* The same for a watched descriptor. */
static ssize_t judge_received(int descriptor, unsigned char *bytes, size_t size) {
    struct connection *connection = at(descriptor);
    if (connection->is_ended) return -1;
    if (size > 0) return judge_input(connection, bytes, size);
    /* A peer that disconnects by itself did nothing wrong: it probed for a server, or exited. */
    connection->is_settled = 1;
    return 0;
}

/* Number of bytes that may be received at once, leaving room for held bytes of a subscriber. */
static size_t receivable(int descriptor, size_t size) {
    const struct connection *connection = at(descriptor);
    if (connection->subscriber == NULL || size <= connection->subscriber->held) return size;
    size -= connection->subscriber->held;
    return size < ACCEPT_SIFTED_MAX ? size : ACCEPT_SIFTED_MAX;
}

/* Whether a watched descriptor still belongs to the connection that was accepted with it. */
static int is_ours(int descriptor) {
    struct connection *connection = at(descriptor);
    if (connection != NULL && is_open(connection)) return 1;
    atomic_store(&is_watched[descriptor], 0);
    if (connection != NULL) forget(connection);
    return 0;
}

/* Whether a call failed because the peer is gone. With unread data, this is an error and not an end of file. */
static int tells_of_end(int failure) { return failure == ECONNRESET || failure == EPIPE; }

static ssize_t receive_watched(int descriptor, void *buffer, size_t size, int flags) {
    ssize_t came = syscall(SYS_recvfrom, descriptor, buffer, receivable(descriptor, size), flags, NULL, NULL);
    if (came < 0) {
        if (tells_of_end(errno)) at(descriptor)->is_settled = 1;
        return -1;
    }
    ssize_t left = judge_received(descriptor, buffer, (size_t)came);
    if (left < 0) return 0;
    if (left > 0 || came == 0) return left;
    /* All of it was taken out; zero bytes would be the end. */
    errno = EAGAIN;
    return -1;
}

static int is_candidate(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS_MAX && atomic_load(&is_watched[descriptor]);
}

/* recv(2), as libzmq finds it: see accept4. Its connections never wait. */
ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
    if (is_candidate(descriptor) && (flags & MSG_PEEK) == 0) {
        pthread_mutex_lock(&lock);
        int ours = is_ours(descriptor);
        ssize_t came = ours ? receive_watched(descriptor, buffer, size, flags) : 0;
        int failure = errno;
        pthread_mutex_unlock(&lock);
        errno = failure;
        if (ours) return came;
    }
    return syscall(SYS_recvfrom, descriptor, buffer, size, flags, NULL, NULL);
}

/* send(2), as libzmq finds it: who left before it had read our greeting did nothing wrong, either. */
ssize_t send(int descriptor, const void *buffer, size_t size, int flags) {
    ssize_t went = syscall(SYS_sendto, descriptor, buffer, size, flags, NULL, 0);
    if (went >= 0 || !tells_of_end(errno) || !is_candidate(descriptor)) return went;
    int failure = errno;
    pthread_mutex_lock(&lock);
    if (is_ours(descriptor)) at(descriptor)->is_settled = 1;
    pthread_mutex_unlock(&lock);
    errno = failure;
    return -1;
}
