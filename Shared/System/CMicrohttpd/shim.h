#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <microhttpd.h>
#include <string.h>
#include <unistd.h>

/* Functions with a variable number of arguments, which Swift cannot call. */

static inline int microhttpd_digit(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* Decodes %XX in a path or an argument, but not %00, which would end it, so that something else would be asked for. */
static inline size_t microhttpd_unescape(void *cls, struct MHD_Connection *connection, char *text) {
    char *out = text;
    (void)cls, (void)connection;
    for (const char *in = text; *in != 0; out++) {
        int high = in[0] == '%' ? microhttpd_digit(in[1]) : -1, low = high < 0 ? -1 : microhttpd_digit(in[2]);
        int byte = low < 0 ? 0 : high * 16 + low;
        *out = byte != 0 ? (char)byte : in[0];
        in += byte != 0 ? 3 : 1;
    }
    *out = 0;
    return (size_t)(out - text);
}

static inline struct MHD_Daemon *microhttpd_start(
    unsigned int flags, MHD_socket listening, MHD_AcceptPolicyCallback accepts, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, void *owner, unsigned int connections, size_t connectionBytes,
    unsigned int idleSeconds) {
    return MHD_start_daemon(
        flags, 0, accepts, owner, handler, owner, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_NOTIFY_COMPLETED,
        completed, owner, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        connectionBytes, MHD_OPTION_CONNECTION_TIMEOUT, idleSeconds, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, microhttpd_unescape, NULL, MHD_OPTION_END);
}

static inline int microhttpd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

static inline unsigned int microhttpd_connections(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info == NULL ? 0 : info->num_connections;
}

static inline int microhttpd_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

static inline ssize_t microhttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline uint64_t microhttpd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

/* The uid that owns the socket of loopback (IPv4) from which `client` is connected to `port`, by sock_diag(7): TCP has
   no SO_PEERCRED. Port numbers in network order. -1 if the kernel does not tell. */
static inline long loopback_peer_uid(in_port_t client, in_port_t port) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } request;
    union {
        struct nlmsghdr head;
        char bytes[4096];
    } answer;
    long uid = -1;
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) return -1;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = sizeof request;
    request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.head.nlmsg_flags = NLM_F_REQUEST;
    request.body.sdiag_family = AF_INET;
    request.body.sdiag_protocol = IPPROTO_TCP;
    request.body.idiag_states = ~0u;
    request.body.id.idiag_sport = client;
    request.body.id.idiag_dport = port;
    request.body.id.idiag_src[0] = request.body.id.idiag_dst[0] = htonl(INADDR_LOOPBACK);
    request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    if (send(netlink, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        ssize_t count = recv(netlink, &answer, sizeof answer, 0);
        if (count >= (ssize_t)(NLMSG_HDRLEN + sizeof(struct inet_diag_msg)) &&
            answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY)
            uid = ((struct inet_diag_msg *)NLMSG_DATA(&answer.head))->idiag_uid;
    }
    close(netlink);
    return uid;
}
