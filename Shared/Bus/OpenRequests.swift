import Contract

/// What a request keeps here until it has its answer.
struct OpenRequest {
    /// Whose it is, by the kernel.
    var pid: Int32
    var bytes: Int

    /// Bytes of everything that is not its parameters: no part of it is longer than a name.
    static let envelopeBytes = 2_048
}

/// Requests that were taken and have no answer yet, and the answers of batches that are not complete: what
/// waits for a person, for another service or for a position in a log must not become this process's memory.
/// Counted by process, since a peer may come back on another connection before its requests have ended.
@BusActor final class OpenRequests {
    private struct Sum {
        var count = 0
        var bytes = 0
    }

    private var peers: [Int32: Sum] = [:]
    private var all = Sum()

    /// Requests, and the bytes that are kept for them.
    var count: Int { all.count }
    var bytes: Int { all.bytes }

    /// - Returns: why there is no room for it; nil: it is counted until ``end(_:)``.
    func begin(_ request: OpenRequest) -> ServiceError? {
        let own = peers[request.pid] ?? Sum()
        if own.count >= Limits.openRequestsMax {
            return Self.refusal("open_requests_max is \(Limits.openRequestsMax)")
        }
        if own.bytes + request.bytes > Limits.openBytesPerPeerMax {
            return Self.refusal("open_bytes_per_peer_max is \(Limits.openBytesPerPeerMax)")
        }
        if all.bytes + request.bytes > Limits.openBytesMax {
            return Self.refusal("open_bytes_max is \(Limits.openBytesMax), for all peers together")
        }
        add(1, request.bytes, request.pid)
        return nil
    }

    func end(_ request: OpenRequest) { add(-1, -request.bytes, request.pid) }

    /// Counts bytes that an open request of `pid` keeps besides.
    /// - Returns: false when there is no room for them; then they are not counted.
    func keep(_ bytes: Int, of pid: Int32) -> Bool {
        guard (peers[pid]?.bytes ?? 0) + bytes <= Limits.openBytesPerPeerMax,
            all.bytes + bytes <= Limits.openBytesMax
        else { return false }
        add(0, bytes, pid)
        return true
    }

    func letGo(_ bytes: Int, of pid: Int32) { add(0, -bytes, pid) }

    private func add(_ count: Int, _ bytes: Int, _ pid: Int32) {
        var own = peers[pid] ?? Sum()
        own.count += count
        own.bytes += bytes
        all.count += count
        all.bytes += bytes
        peers[pid] = own.count == 0 && own.bytes == 0 ? nil : own
    }

    static func refusal(_ limit: String) -> ServiceError {
        ServiceError(
            .tooManyRequests, "too much waits for an answer: \(limit)",
            remedy: "Wait for some answers first, and ask again.")
    }
}
