internal import CMicrohttpd
import Glibc

/// Whose program is connected. On loopback the programs of every user reach a port; the kernel knows which
/// socket is whose, so that a cookie or a ticket that another user got hold of is worth nothing to them.
enum PeerUser {
    /// The uid of the client at `port` of loopback (network order) that is connected to ours; nil if the
    /// kernel does not say, also because the client has left.
    static func uid(of port: UInt16, connectedTo own: UInt16) -> uid_t? {
        let uid = loopback_peer_uid(port, own.bigEndian)
        return uid < 0 ? nil : uid_t(uid)
    }
}
