/* Bounds the connections that a process accepts and what they may say, below libzmq.
 *
 * libzmq 4.3.4 ends the process when accept4(2) fails for want of descriptors (ipc_listener.cpp, the assertion after
 * accept4). So accept4 is defined here, in the executable, and libzmq's call comes to it: a connection that
 * there is no room for is closed at once, and libzmq hears ECONNABORTED, which it takes as one that was gone too
 * soon. At this place the kernel already says who is connected, before a single byte is read; ZAP is asked only
 * once a peer has greeted, and is never told that one left.
 *
 * recv is defined here, too: each connection's greeting is judged (greeting.h) before libzmq has the last byte of it,
 * what a subscriber says is sifted (subscriptions.h), and messages of clients are bounded (frames.h). send is, too, to tell who left from who is silent. */
#ifndef SCREENTIME_ACCEPT_LIMIT_H
#define SCREENTIME_ACCEPT_LIMIT_H

#include <stdint.h>

/* The most that `total` can be. */
#define ACCEPT_CONNECTIONS_MAX 4096
/* Topics of its own that one subscriber may have, and their bytes. */
#define ACCEPT_OWN_TOPICS 8
#define ACCEPT_OWN_TOPIC_BYTES 64
/* Topics that may be subscribed to at one door, and the bytes of each. */
#define ACCEPT_TOPICS_MAX 128
#define ACCEPT_TOPIC_BYTES_MAX 63
/* Changes of its subscriptions that a subscriber may make at once, and so many more each second. */
#define ACCEPT_CHANGES_MAX 512
#define ACCEPT_CHANGES_PER_SECOND 256
/* Bytes that are sifted at once. */
#define ACCEPT_SIFTED_MAX 8192

struct accept_limits {
    /* Connections of one process (SO_PEERCRED's pid) to this one at a time. */
    uint32_t peer;
    /* Connections of all; over it, the process that has the most loses its newest to one that has fewer. */
    uint32_t total;
    /* Descriptors of the soft limit that connections leave to everything else; a quarter of a small limit. */
    uint32_t descriptors_kept;
    /* Topics of their own that all subscribers have; over it, the process that has the most loses a connection. */
    uint32_t own_topics;
    /* Bytes of one message of a client, in all its frames. */
    uint64_t message_bytes;
    /* What topics of a subscriber's own begin with; it stays. */
    const char *own_prefix;
};

/* Before anything is bound: sets the limits, and opens the descriptor that is given up to take, and close, a
 * connection when there is no other. Without it every connection is taken that there is a descriptor for. */
void accept_limit_prepare(struct accept_limits limits);

/* Connections to one socket, since the last word of them. */
struct accept_news {
    /* Those that greeted wrongly, or not in time. One that left by itself is none. */
    uint32_t ungreeted;
    /* Those that were disconnected to make room for a process that had fewer. */
    uint32_t crowded;
    /* Those that were disconnected because of their topics, or of changes of them. */
    uint32_t overrun;
    /* Subscriptions to what nobody publishes, and subscribers that were disconnected for what is none. */
    uint32_t unknown;
    /* Clients that were disconnected because a message had too many bytes or frames, or for a wrong command. */
    uint32_t overlong;
    /* The process of the last one. */
    int32_t pid;
};

/* Before a socket is bound at `path`. Returns its number, to be given back once; 0, with ENFILE: there are too many of
 * them (512) or of its topics, a topic is too long, or no memory.
 * - topics: what may be subscribed to, texts with a zero each and an empty one at the end; NULL: it is no publisher. */
int accept_open_door(const char *path, const char *topics);
void accept_close_door(int door);

/* - looks: whether connections are looked for that were closed meanwhile. */
struct accept_news accept_take_news(int door, int looks);

/* A number for the connection that was accepted on this descriptor, which no other has; 0: there is none. */
uint64_t accept_connection(int descriptor);

/* Whether the connection with this number is open, at both ends. */
int accept_is_open(int descriptor, uint64_t connection);

/* Disconnects those of the connections through a door whose peer has so many bytes unread in the kernel, or more.
 * libzmq sees the end of each connection and lets go of what it holds for it.
 * Returns how many; `pid` is set to the process of the last one. */
uint32_t accept_end_unread(int door, uint32_t unread_min, int32_t *pid);

/* The process whose connection was refused last; 0: none, or one of another pid namespace. */
int32_t accept_refused_pid(void);

#endif
