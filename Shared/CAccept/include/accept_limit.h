/* Bounds the connections that a process accepts, below libzmq.
 *
 * libzmq 4.3.4 ends the process when accept4(2) fails for want of descriptors (ipc_listener.cpp, the assertion after
 * accept4). So accept4 is defined here, in the executable, and libzmq's call comes to it: a connection that
 * there is no room for is closed at once, and libzmq hears ECONNABORTED, which it takes as one that was gone too
 * soon. At this place the kernel already says who is connected, before a single byte is read; ZAP is asked only
 * once a peer has greeted, and is never told that one left. */
#ifndef SCREENTIME_ACCEPT_LIMIT_H
#define SCREENTIME_ACCEPT_LIMIT_H

#include <stdint.h>

/* The most that `total` can be. */
#define ACCEPT_CONNECTIONS_MAX 4096

struct accept_limits {
    /* Connections of one process (SO_PEERCRED's pid) to this one at a time. */
    uint32_t peer;
    /* Connections of all. */
    uint32_t total;
    /* Descriptors of the soft limit that connections leave to everything else; a quarter of a small limit. */
    uint32_t descriptors_kept;
};

/* Before anything is bound: sets the limits, and opens the descriptor that is given up to take, and close, a
 * connection when there is no other. Without it every connection is taken that there is a descriptor for. */
void accept_limit_prepare(struct accept_limits limits);

/* Disconnects those of the accepted connections to the socket bound at `path` whose peer has so many bytes unread in
 * the kernel, or more. libzmq sees the end of each connection and lets go of what it holds for it.
 * Returns how many; `pid` is set to the process of the last one. */
uint32_t accept_end_unread(const char *path, uint32_t unread_min, int32_t *pid);

/* The process whose connection was refused last; 0: none, or one of another pid namespace. */
int32_t accept_refused_pid(void);

#endif
