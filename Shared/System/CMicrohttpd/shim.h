#include <microhttpd.h>

/* Functions with a variable number of arguments, which Swift cannot call. */

static inline struct MHD_Daemon *microhttpd_start(
    unsigned int flags, MHD_socket listening, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    void *owner, unsigned int connections, size_t connectionBytes, unsigned int idleSeconds) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, owner, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_NOTIFY_COMPLETED,
        completed, owner, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        connectionBytes, MHD_OPTION_CONNECTION_TIMEOUT, idleSeconds, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static inline int microhttpd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

static inline unsigned int microhttpd_connections(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info == NULL ? 0 : info->num_connections;
}

static inline ssize_t microhttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline uint64_t microhttpd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }
