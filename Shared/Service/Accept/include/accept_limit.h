/* Limits the connections that a process accepts, and their input, below libzmq.
 *
 * libzmq 4.3.4 aborts the process when accept4(2) fails for lack of descriptors (ipc_listener.cpp, the assertion
 * after accept4). Therefore accept4 is defined here, in the executable, and libzmq calls it: a connection without
 * room is closed immediately, and libzmq receives ECONNABORTED, which it treats as a peer that left early. At this
 * point the kernel already identifies the peer, before a byte is read; ZAP runs only after the greeting, and is not
 * informed when a peer leaves.
 *
 * recv is defined here, too: each greeting is checked (greeting.h) before libzmq has its last byte, subscriptions
 * are filtered (subscriptions.h), and messages of clients are limited (frames.h). So is send, to distinguish peers
 * that left from silent ones. */
#ifndef SCREENTIME_ACCEPT_LIMIT_H
#define SCREENTIME_ACCEPT_LIMIT_H

#include <stdint.h>

/* Upper bound of `total`. */
#define ACCEPT_CONNECTIONS_MAX 4096
/* Topics that one subscriber may choose itself, and their bytes. */
#define ACCEPT_OWN_TOPICS 8
#define ACCEPT_OWN_TOPIC_BYTES 64
/* Topics that may be subscribed to at one socket, and the bytes of each. */
#define ACCEPT_TOPICS_MAX 128
#define ACCEPT_TOPIC_BYTES_MAX 63
/* Changes of its subscriptions that a subscriber may make at once, and per second. */
#define ACCEPT_CHANGES_MAX 512
#define ACCEPT_CHANGES_PER_SECOND 256
/* Bytes that are filtered at once. */
#define ACCEPT_SIFTED_MAX 8192

struct accept_limits {
    /* Connections of one process (SO_PEERCRED's pid) to this one at a time. */
    uint32_t peer;
    /* Connections of all processes; beyond it, the process with the most loses its newest to one that has fewer. */
    uint32_t total;
    /* Descriptors of the soft limit that connections leave free; a quarter of it if the limit is small. */
    uint32_t descriptors_kept;
    /* Self-chosen topics of all subscribers; beyond it, the process with the most loses a connection. */
    uint32_t own_topics;
    /* Bytes of one message of a client, over all its frames. */
    uint64_t message_bytes;
    /* Prefix of self-chosen topics; the text must stay valid. */
    const char *own_prefix;
};

/* Call before any socket is bound. Sets the limits and opens the reserve descriptor, which is used to accept and
 * close a connection when no other is free. Without this call every connection is accepted while there are
 * descriptors. */
void accept_limit_prepare(struct accept_limits limits);

/* Connections to one socket since the last report. */
struct accept_report {
    /* Those that greeted wrongly or too late, not counting peers that left by themselves. */
    uint32_t ungreeted;
    /* Those that were disconnected to make room for a process that had fewer. */
    uint32_t crowded;
    /* Those that were disconnected for too many self-chosen topics or too many changes. */
    uint32_t overrun;
    /* Subscriptions to unpublished topics, and subscribers that were disconnected for other input. */
    uint32_t unknown;
    /* Clients that were disconnected for a message with too many bytes or frames, or for an invalid command. */
    uint32_t overlong;
    /* The process of the last one. */
    int32_t pid;
};

/* Registers a socket that will be bound at `path`. Returns its number, which must be closed once; 0 with ENFILE if
 * there are too many sockets (512) or topics, a topic is too long, or memory is missing.
 * - topics: topics that may be subscribed to, each ending with a zero byte, and an empty one at the end; NULL if the
 *   socket publishes nothing. */
int accept_open_endpoint(const char *path, const char *topics);
void accept_close_endpoint(int endpoint);

/* Returns and resets the report of a socket. - looks: whether to check first for connections that were closed. */
struct accept_report accept_take_report(int endpoint, int looks);

/* A unique number for the connection accepted on this descriptor; 0 if there is none. */
uint64_t accept_connection(int descriptor);

/* Whether the connection with this number is open at both ends. */
int accept_is_open(int descriptor, uint64_t connection);

/* Disconnects those connections of a socket whose peer has at least `unread_min` unread bytes in the kernel. libzmq
 * notices each disconnection and frees what it queued. Returns their number; `pid` is set to the process of the last
 * one. */
uint32_t accept_end_unread(int endpoint, uint32_t unread_min, int32_t *pid);

/* The process whose connection was refused last; 0 if none, or if it belongs to another pid namespace. */
int32_t accept_refused_pid(void);

#endif
