/* Bounds the connections that a process accepts and what they may say, below libzmq.
 *
 * libzmq 4.3.4 ends the process when accept4(2) fails for want of descriptors (ipc_listener.cpp, the assertion after
 * accept4). So accept4 is defined here, in the executable, and libzmq's call comes to it: a connection that
 * there is no room for is closed at once, and libzmq hears ECONNABORTED, which it takes as one that was gone too
 * soon. At this place the kernel already says who is connected, before a single byte is read; ZAP is asked only
 * once a peer has greeted, and is never told that one left.
 *
 * recv is defined here, too: each connection's greeting is judged (greeting.h) before libzmq has the last byte of it,
 * and the bytes that come over a connection are counted where subscriptions come, because libzmq keeps each
 * subscription of a peer, at about sixty times its size, before anybody is shown it. */
#ifndef SCREENTIME_ACCEPT_LIMIT_H
#define SCREENTIME_ACCEPT_LIMIT_H

#include <stdint.h>

/* The most that `total` can be. */
#define ACCEPT_CONNECTIONS_MAX 4096

struct accept_limits {
    /* Connections of one process (SO_PEERCRED's pid) to this one at a time. */
    uint32_t peer;
    /* Connections of all; over it, the process that has the most loses its newest to one that has fewer. */
    uint32_t total;
    /* Descriptors of the soft limit that connections leave to everything else; a quarter of a small limit. */
    uint32_t descriptors_kept;
};

/* Before anything is bound: sets the limits, and opens the descriptor that is given up to take, and close, a
 * connection when there is no other. Without it every connection is taken that there is a descriptor for. */
void accept_limit_prepare(struct accept_limits limits);

/* What the connections to one socket may send; a peer of 0: whatever they like. */
struct accept_input {
    /* Bytes of one connection while it is open; over it, it is disconnected. */
    uint32_t peer;
    /* Bytes of all that are open; over it, the one that sent the most is disconnected. */
    uint32_t all;
};

/* Connections to one socket, since the last word of them. */
struct accept_news {
    /* Those that ended before they had greeted, or greeted wrongly. One that left without a byte is none. */
    uint32_t ungreeted;
    /* Those that were disconnected to make room for a process that had fewer. */
    uint32_t crowded;
    /* Those that were disconnected because of what they sent. */
    uint32_t overrun;
    /* The process of the last one. */
    int32_t pid;
};

/* Before a socket is bound at `path`. Returns its number, to be given back once; 0, with ENFILE: there are too many of
 * them (512). */
int accept_open_door(const char *path, struct accept_input input);
void accept_close_door(int door);

/* - looks: whether connections are looked for that were closed meanwhile. */
struct accept_news accept_take_news(int door, int looks);

/* A number for the connection that was accepted on this descriptor, which no other has; 0: there is none. */
uint64_t accept_connection(int descriptor);

/* Whether the connection with this number is open, at both ends. */
int accept_is_open(int descriptor, uint64_t connection);

/* Disconnects those of the connections through a door whose peer has so many bytes unread in the kernel, or more. libzmq sees the end of each connection and lets go of what it holds for it.
 * Returns how many; `pid` is set to the process of the last one. */
uint32_t accept_end_unread(int door, uint32_t unread_min, int32_t *pid);

/* The process whose connection was refused last; 0: none, or one of another pid namespace. */
int32_t accept_refused_pid(void);

#endif
