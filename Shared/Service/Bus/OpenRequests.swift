package import Contract
package import Loop

/// A request that was taken and has no answer yet, and what is kept for it.
@LoopActor package final class OpenRequest {
    let pid: Int32
    let bytes: Int
    /// Over which it came; nil: its asker wants no answer, and may leave.
    let connection: Connection?
    private weak var all: OpenRequests?
    /// Ends it, with an error, while it waits for others.
    fileprivate var end: (@LoopActor (ServiceError) -> Void)?
    fileprivate var isCounted = true

    /// Bytes of everything that is not its parameters: no part of it is longer than a name.
    nonisolated static let envelopeBytes = 2_048

    fileprivate init(pid: Int32, bytes: Int, connection: Connection?, in all: OpenRequests) {
        self.pid = pid
        self.bytes = bytes
        self.connection = connection
        self.all = all
    }

    /// From now on it waits: for a position in a log, for another service, for the person.
    /// - Parameter end: called once, at most, and before ``goesOn()``: when there is no room for all that
    ///   waits, or nobody is there any more to be answered. It lets go of what is kept, and answers with the
    ///   error.
    package func waits(orEnds end: @escaping @LoopActor (ServiceError) -> Void) {
        // It may have lost its place while it went on.
        guard isCounted else { return }
        self.end = end
        all?.waits(self)
    }

    /// What it waited for is there.
    package func goesOn() {
        guard end != nil else { return }
        end = nil
        all?.goesOn(self)
    }
}

/// Requests that were taken and have no answer yet, and the answers of batches that are not complete: what
/// waits for a person, for another service or for a position in a log must not become this process's memory.
/// Counted by process, since a peer may come back on another connection before its requests have ended.
///
/// When all is too much, the process that keeps the most loses what waits, not the one who comes; and what
/// waits for an answer goes with the connection that it came over.
@LoopActor final class OpenRequests {
    private final class Holder {
        var count = 0
        var bytes = 0
        var waiting: [ObjectIdentifier: OpenRequest] = [:]
        var isEmpty: Bool { count == 0 && bytes == 0 }
    }

    private var holders: [Int32: Holder] = [:]

    /// Requests, and the bytes that are kept for them.
    private(set) var count = 0
    private(set) var bytes = 0
    /// Those that wait and want an answer, by the descriptor over which they came.
    private var wanted: [Int32: [ObjectIdentifier: OpenRequest]] = [:]
    /// Called with a process that lost what waited.
    var onLoss: (@LoopActor (_ pid: Int32) -> Void)?

    /// - Returns: the request, counted until ``end(_:)``; or why there is no room for it.
    func begin(
        pid: Int32, bytes: Int, connection: Connection? = nil
    ) -> Result<OpenRequest, ServiceError> {
        if holders[pid]?.count ?? 0 >= Limits.openRequestsMax {
            return .failure(Self.refusal("open_requests_max is \(Limits.openRequestsMax)"))
        }
        if let refusal = makeRoom(for: bytes, of: pid) { return .failure(refusal) }
        add(1, bytes, pid)
        return .success(OpenRequest(pid: pid, bytes: bytes, connection: connection, in: self))
    }

    func end(_ request: OpenRequest) {
        request.goesOn()
        guard request.isCounted else { return }
        request.isCounted = false
        add(-1, -request.bytes, request.pid)
    }

    /// Counts bytes that an open request of `pid` keeps besides.
    /// - Returns: why there is no room for them; then they are not counted.
    func keep(_ bytes: Int, of pid: Int32) -> ServiceError? {
        if let refusal = makeRoom(for: bytes, of: pid) { return refusal }
        add(0, bytes, pid)
        return nil
    }

    func letGo(_ bytes: Int, of pid: Int32) { add(0, -bytes, pid) }

    private func add(_ count: Int, _ bytes: Int, _ pid: Int32) {
        let own = holders[pid] ?? Holder()
        own.count += count
        own.bytes += bytes
        self.count += count
        self.bytes += bytes
        holders[pid] = own.isEmpty ? nil : own
    }

    /// Nobody is told any more: what waits holds its server otherwise.
    func close() {
        for holder in holders.values { holder.waiting.values.forEach { $0.goesOn() } }
        onLoss = nil
    }

    // MARK: waiting

    fileprivate func waits(_ request: OpenRequest) {
        // It may have left before its turn came.
        guard request.connection?.isOpen ?? true else { return lose(request, Self.gone) }
        let id = ObjectIdentifier(request)
        holders[request.pid]?.waiting[id] = request
        if let connection = request.connection { wanted[connection.descriptor, default: [:]][id] = request }
    }

    fileprivate func goesOn(_ request: OpenRequest) {
        let id = ObjectIdentifier(request)
        holders[request.pid]?.waiting[id] = nil
        guard let descriptor = request.connection?.descriptor else { return }
        wanted[descriptor]?[id] = nil
        if wanted[descriptor]?.isEmpty == true { wanted[descriptor] = nil }
    }

    /// The connection that had this descriptor has ended: what waits for its sake goes.
    func endUnwanted(_ descriptor: Int32) {
        for request in (wanted[descriptor] ?? [:]).values where request.connection?.isOpen == false {
            lose(request, Self.gone)
        }
    }

    /// It does not count any more, also when its end takes a moment.
    private func lose(_ request: OpenRequest, _ error: ServiceError) {
        guard let lost = request.end else { return }
        end(request)
        lost(error)
    }

    /// - Returns: why there is no room for it.
    private func makeRoom(for more: Int, of pid: Int32) -> ServiceError? {
        let own = (holders[pid]?.bytes ?? 0) + more
        guard own <= Limits.openBytesPerPeerMax else {
            return Self.refusal("open_bytes_per_peer_max is \(Limits.openBytesPerPeerMax)")
        }
        while bytes + more > Limits.openBytesMax {
            guard let greatest = greatestHolder(but: pid), greatest.bytes > own else { break }
            for request in greatest.holder.waiting.values { lose(request, Self.lost) }
            onLoss?(greatest.pid)
        }
        // Whoever keeps little is served, also when nobody can lose anything.
        guard bytes + more <= Limits.openBytesMax || own <= Limits.openBytesReserved else {
            return Self.refusal("open_bytes_max is \(Limits.openBytesMax), for all peers together")
        }
        return nil
    }

    /// Of those who have something to lose.
    private func greatestHolder(but pid: Int32) -> (pid: Int32, bytes: Int, holder: Holder)? {
        holders.lazy.filter { $0.key != pid && !$0.value.waiting.isEmpty }
            .max { $0.value.bytes < $1.value.bytes }.map { ($0.key, $0.value.bytes, $0.value) }
    }

    private static let gone = ServiceError(
        .unavailable, "the connection over which it was asked has ended", remedy: "Connect and ask again.")
    private static let lost = refusal(
        "open_bytes_max is \(Limits.openBytesMax), for all peers together, and this process keeps the most")

    static func refusal(_ limit: String) -> ServiceError {
        ServiceError(
            .tooManyRequests, "too much waits for an answer: \(limit)",
            remedy: "Wait for some answers first, and ask again.")
    }
}
