package import Contract
package import Loop

/// A received request that has no answer yet, and the bytes kept for it.
@LoopActor package final class OpenRequest {
    let pid: Int32
    let bytes: Int
    /// The connection it came over; nil for a notification, whose sender may disconnect.
    let connection: Connection?
    fileprivate let holder: OpenRequests.Holder
    private let all: OpenRequests
    /// Ends the request with an error while it waits.
    fileprivate var end: (@LoopActor (ServiceError) -> Void)?
    fileprivate var isCounted = true

    /// Bytes counted for everything but the parameters: no such part is longer than a name.
    nonisolated static let envelopeBytes = 2_048

    fileprivate init(
        pid: Int32, bytes: Int, connection: Connection?, of holder: OpenRequests.Holder, in all: OpenRequests
    ) {
        self.pid = pid
        self.holder = holder
        self.bytes = bytes
        self.connection = connection
        self.all = all
    }

    /// Marks the request as waiting: for a log position, another service or the person.
    /// - Parameter end: called at most once, before ``resume()``, if the limit for waiting requests is
    ///   reached or the peer has disconnected. It releases what is kept for the request and answers with the
    ///   error.
    package func suspend(onEnd end: @escaping @LoopActor (ServiceError) -> Void) {
        // It may have lost its slot before it began to wait.
        guard isCounted else { return }
        self.end = end
        all.suspend(self)
    }

    /// Marks the request as no longer waiting.
    package func resume() {
        guard end != nil else { return }
        end = nil
        all.resume(self)
    }
}

/// Requests without an answer and answers of incomplete batches. Requests that wait for a person, another
/// service or a log position must not fill this process's memory. They are counted per process, since a peer
/// can reconnect before its requests have ended.
///
/// At the overall limit the process that holds the most loses its waiting requests, not the newcomer. A
/// request that waits for an answer ends when its connection closes.
@LoopActor final class OpenRequests {
    fileprivate final class Holder {
        let pid: Int32
        var count = 0
        var bytes = 0
        var waiting: [ObjectIdentifier: OpenRequest] = [:]
        var isEmpty: Bool { count == 0 && bytes == 0 }

        init(_ pid: Int32) { self.pid = pid }
    }

    /// All that are not empty, and the recent one.
    private var holders: [Int32: Holder] = [:]
    /// The one of the last request: many requests in a row come from the same process.
    private var recent: Holder?

    /// Number of requests, and bytes kept for them.
    private(set) var count = 0
    private(set) var bytes = 0
    /// Waiting requests that expect an answer, by the descriptor of their connection.
    private var wanted: [Int32: [ObjectIdentifier: OpenRequest]] = [:]
    private let isOpen: @LoopActor (Connection) -> Bool
    /// Called with each process whose waiting requests were ended at the limit.
    var onLoss: (@LoopActor (_ pid: Int32) -> Void)?

    /// - Parameter isOpen: whether the peer of a connection is still connected.
    init(isOpen: @escaping @LoopActor (Connection) -> Bool) { self.isOpen = isOpen }

    /// - Returns: the request, which counts until ``end(_:)``, or the error if there is no room.
    func begin(
        pid: Int32, bytes: Int, connection: Connection? = nil
    ) -> Result<OpenRequest, ServiceError> {
        if holder(pid).count >= Limits.openRequestsMax {
            return .failure(Self.refusal("open_requests_max is \(Limits.openRequestsMax)"))
        }
        if let refusal = makeRoom(for: bytes, of: holder(pid)) { return .failure(refusal) }
        // Making room may have ended requests, and handled others.
        let holder = holder(pid)
        add(1, bytes, holder)
        return .success(OpenRequest(pid: pid, bytes: bytes, connection: connection, of: holder, in: self))
    }

    func end(_ request: OpenRequest) {
        request.resume()
        guard request.isCounted else { return }
        request.isCounted = false
        add(-1, -request.bytes, request.holder)
    }

    /// Counts further bytes that an open request of `pid` keeps.
    /// - Returns: the error if there is no room; then nothing is counted.
    func keep(_ bytes: Int, of pid: Int32) -> ServiceError? {
        if let refusal = makeRoom(for: bytes, of: holder(pid)) { return refusal }
        add(0, bytes, holder(pid))
        return nil
    }

    func release(_ bytes: Int, of pid: Int32) { add(0, -bytes, holder(pid)) }

    private func holder(_ pid: Int32) -> Holder {
        if let recent, recent.pid == pid { return recent }
        if let recent, recent.isEmpty { holders[recent.pid] = nil }
        let holder = holders[pid] ?? Holder(pid)
        holders[pid] = holder
        recent = holder
        return holder
    }

    private func add(_ count: Int, _ bytes: Int, _ holder: Holder) {
        holder.count += count
        holder.bytes += bytes
        self.count += count
        self.bytes += bytes
        if holder.isEmpty, holder !== recent { holders[holder.pid] = nil }
    }

    /// Resumes all waiting requests without reporting losses; otherwise they would keep their server alive.
    func close() {
        for holder in holders.values { holder.waiting.values.forEach { $0.resume() } }
        onLoss = nil
    }

    // MARK: waiting

    fileprivate func suspend(_ request: OpenRequest) {
        // Its peer may have disconnected before it was handled.
        guard request.connection.map(isOpen) ?? true else { return lose(request, Self.gone) }
        let id = ObjectIdentifier(request)
        request.holder.waiting[id] = request
        if let connection = request.connection { wanted[connection.descriptor, default: [:]][id] = request }
    }

    fileprivate func resume(_ request: OpenRequest) {
        let id = ObjectIdentifier(request)
        request.holder.waiting[id] = nil
        guard let descriptor = request.connection?.descriptor else { return }
        wanted[descriptor]?[id] = nil
        if wanted[descriptor]?.isEmpty == true { wanted[descriptor] = nil }
    }

    /// The connection with this descriptor has closed: ends the requests that wait for it.
    func endUnwanted(_ descriptor: Int32) {
        for request in (wanted[descriptor] ?? [:]).values where request.connection.map(isOpen) == false {
            lose(request, Self.gone)
        }
    }

    /// Stops counting the request before its end handler runs, which may take a moment.
    private func lose(_ request: OpenRequest, _ error: ServiceError) {
        guard let lost = request.end else { return }
        end(request)
        lost(error)
    }

    /// - Returns: the error if there is no room.
    private func makeRoom(for more: Int, of holder: Holder) -> ServiceError? {
        let own = holder.bytes + more
        guard own <= Limits.openBytesPerPeerMax else {
            return Self.refusal("open_bytes_per_peer_max is \(Limits.openBytesPerPeerMax)")
        }
        while bytes + more > Limits.openBytesMax {
            guard let greatest = greatestHolder(but: holder.pid), greatest.bytes > own else { break }
            for request in greatest.holder.waiting.values { lose(request, Self.lost) }
            onLoss?(greatest.pid)
        }
        // A process below the reserve is served even if nobody has waiting requests to end.
        guard bytes + more <= Limits.openBytesMax || own <= Limits.openBytesReserved else {
            return Self.refusal("open_bytes_max is \(Limits.openBytesMax), for all peers together")
        }
        return nil
    }

    /// Only processes with waiting requests are considered.
    private func greatestHolder(but pid: Int32) -> (pid: Int32, bytes: Int, holder: Holder)? {
        holders.lazy.filter { $0.key != pid && !$0.value.waiting.isEmpty }
            .max { $0.value.bytes < $1.value.bytes }.map { ($0.key, $0.value.bytes, $0.value) }
    }

    private static let gone = ServiceError(
        .unavailable, "the connection that sent the request has closed", remedy: "Connect and ask again.")
    private static let lost = refusal(
        "open_bytes_max is \(Limits.openBytesMax), for all peers together, and this process uses the most")

    static func refusal(_ limit: String) -> ServiceError {
        ServiceError(
            .tooManyRequests, "too many requests wait for an answer: \(limit)",
            remedy: "Wait for some answers, then send the request again.")
    }
}
