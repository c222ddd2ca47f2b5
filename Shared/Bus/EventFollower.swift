internal import CZeroMQ
package import Contract
internal import JSON

/// One event as the log or the live stream gave it.
package struct ReceivedEvent: Sendable {
    package var event: AnyEvent
    package var sequence: Int64 { event.head.sequence.value }
    package var type: String { event.head.type }
}

/// Where a follower stands in a source's log: committed by its owner together with the effects.
package struct Cursor: Equatable, Sendable {
    package var epoch: String
    package var sequence: Int64
    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}

/// What a follower hands to its owner. All calls come on the reactor's thread.
@BusActor package struct FollowerOutput {
    /// Events in order, without gap and without repeat. The owner commits their effects and the cursor
    /// together.
    package var deliver: @BusActor ([ReceivedEvent], Cursor) -> Void
    /// The source has a log of another epoch, or one trimmed beyond the cursor: forget what was built from
    /// it. What follows begins at 0, or with the events of a snapshot.
    package var reset: @BusActor () -> Void
    /// The source's head lies before the cursor: its database was restored from a backup. Following has
    /// stopped.
    package var rewound: @BusActor (_ head: Int64, _ cursor: Int64) -> Void
    /// Something that could not be taken; counted and logged by the owner.
    package var refused: @BusActor (RefusalReason, String) -> Void

    package init(
        deliver: @escaping @BusActor ([ReceivedEvent], Cursor) -> Void, reset: @escaping @BusActor () -> Void,
        rewound: @escaping @BusActor (Int64, Int64) -> Void,
        refused: @escaping @BusActor (RefusalReason, String) -> Void
    ) {
        self.deliver = deliver
        self.reset = reset
        self.rewound = rewound
        self.refused = refused
    }
}

/// Follows every event of one service, from a cursor on. The live stream is the hint, the log the truth:
/// - after each connect the source tells its head on `~sync.<id>`, and the log is read up to it (joining
///   race, restart);
/// - after a drain of half the queue or more the head is asked for again (lost tail);
/// - a live event that is not the next one is a gap, and the log is read up to it.
@BusActor package final class EventFollower {
    package enum Phase: Equatable, Sendable {
        /// The head is not known: live events are held.
        case syncing
        /// The log is read up to the head: live events are held.
        case reading
        /// In step.
        case live
        /// The owner could not keep what it was given: live events are let go, the log has them.
        case paused
        case stopped
    }

    package let service: ServiceName
    package private(set) var phase = Phase.syncing
    /// Whether the live stream is connected now.
    package private(set) var isConnected = false
    package private(set) var cursor: Cursor
    /// The source's head as last heard.
    package private(set) var head: Int64 = 0

    private let output: FollowerOutput
    private let client: RequestClient
    private let socket: Socket
    private let monitor: Socket
    private var tokens: [Reactor.Token] = []
    private let queuedMax: Int
    private var syncTopic = ""
    private var syncTimer: TimerToken?
    private var held: [ReceivedEvent] = []
    private var drained = 0
    private var target: Int64 = 0
    /// The source as the last head named it; events of another one wait for their own head.
    private var source = ""
    private var headIsFresh = false
    /// Changes whenever an open read becomes meaningless.
    private var generation = 0

    /// - Parameters:
    ///   - cursor: what the owner has committed; an empty epoch: nothing yet.
    ///   - queuedMax: high-water mark of the live stream at this end, messages.
    package init(
        _ service: ServiceName, in directory: RuntimeDirectory, client: RequestClient, cursor: Cursor,
        queuedMax: Int = Limits.queuedMessagesMax, output: FollowerOutput
    ) throws(SocketError) {
        self.service = service
        self.client = client
        self.cursor = cursor
        self.queuedMax = queuedMax
        self.output = output
        socket = try Socket(.subscriber, queuedMax: queuedMax)
        monitor = try Socket(.pair)
        let endpoint = "inproc://monitor.\(freshID())"
        try socket.monitor(endpoint, events: ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED)
        try monitor.connect(endpoint)
        for type in Registry.eventTypes(of: service) { try socket.set(ZMQ_SUBSCRIBE, Array(type.utf8)) }
        try renewSync()
        try socket.connect(directory.endpoint(service, .events))
        tokens = [
            Reactor.shared.watch(socket: monitor.raw) { [weak self] in self?.takeConnectionChanges() },
            Reactor.shared.watch(socket: socket.raw) { [weak self] in self?.takeMessages() },
        ]
    }

    /// A socket must not be polled after it is closed, and it closes with this object.
    isolated deinit {
        socket.stopMonitoring()
        tokens.forEach(Reactor.shared.forget)
        if let syncTimer { Reactor.shared.cancel(syncTimer) }
    }

    package func close() {
        phase = .stopped
        generation += 1
        tokens.forEach(Reactor.shared.forget)
        cancelSyncTimer()
    }

    /// Goes back to what the owner has really committed, after a commit of its own failed. Nothing is handed
    /// on until ``resume()``.
    package func pause(at cursor: Cursor) {
        guard phase != .stopped else { return }
        self.cursor = cursor
        held = []
        target = 0
        phase = .paused
        generation += 1
        cancelSyncTimer()
    }

    /// Goes on after the cursor: by the source's head, which is asked for, since whatever was heard of it
    /// before the pause may be of another log.
    package func resume() {
        guard phase == .paused else { return }
        phase = .syncing
        askForHead()
    }

    // MARK: sync

    private func renewSync() throws(SocketError) {
        if !syncTopic.isEmpty { try socket.set(ZMQ_UNSUBSCRIBE, Array(syncTopic.utf8)) }
        syncTopic = Topic.sync + TraceContext.hexText(freshID())
        try socket.set(ZMQ_SUBSCRIBE, Array(syncTopic.utf8))
    }

    private func askForHead() {
        guard phase != .stopped, phase != .paused else { return }
        do { try renewSync() } catch { output.refused(.malformedEvent, error.message) }
        armSyncTimer()
    }

    /// The answer may be lost like any message: ask again while connected.
    private func armSyncTimer() {
        cancelSyncTimer()
        syncTimer = Reactor.shared.after(milliseconds: Limits.syncRetryMs) { [weak self] in self?.askForHead()
        }
    }

    private func takeConnectionChanges() {
        var frame = Frame()
        do {
            while try monitor.receive(&frame) {
                let event = frame.withBytes { $0.loadUnaligned(as: UInt16.self) }
                try monitor.skipRest(after: &frame)
                connectionChanged(Int32(event) == ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
            }
        } catch { return }  // A signal; the poll comes back to it.
    }

    /// Each connection brings a head by itself, because libzmq repeats the subscriptions. Connection events
    /// and messages come through different pipes, so nothing here may depend on which is seen first.
    private func connectionChanged(_ connected: Bool) {
        guard phase != .stopped else { return }
        isConnected = connected
        if !connected {
            headIsFresh = false
            cancelSyncTimer()
        } else if !headIsFresh, phase != .paused {
            armSyncTimer()
        }
    }

    private func cancelSyncTimer() {
        if let syncTimer { Reactor.shared.cancel(syncTimer) }
        syncTimer = nil
    }

    private func takeHead(_ sync: SyncHead) {
        guard phase != .paused else { return }
        cancelSyncTimer()
        headIsFresh = true
        source = sync.source
        let epoch = Self.epoch(ofSource: sync.source)
        let isAnew = !cursor.epoch.isEmpty && epoch != cursor.epoch
        if epoch != cursor.epoch { startOver(epoch) }
        head = sync.head.value
        if head < cursor.sequence {
            let known = cursor.sequence
            close()
            output.rewound(head, known)
        } else if head > cursor.sequence {
            startReading(to: head)
        } else {
            // An empty log brings no event that would carry the reset.
            if isAnew { output.deliver([], cursor) }
            if phase == .syncing { goLive() }
        }
    }

    private func startOver(_ epoch: String) {
        let isFirst = cursor.epoch.isEmpty
        cursor = Cursor(epoch: epoch, sequence: 0)
        target = 0
        phase = .syncing
        held.removeAll { $0.event.head.source != source }
        if !isFirst { output.reset() }
    }

    /// The second part of `/<instance>/<log epoch>/<service>`.
    static func epoch(ofSource source: String) -> String {
        let parts = source.split(separator: "/")
        return parts.count == 3 ? String(parts[1]) : source
    }

    // MARK: the live stream

    private static let messagesPerTurnMax = 512

    private func takeMessages() {
        var frame = Frame()
        var batch: [ReceivedEvent] = []
        for _ in 0..<Self.messagesPerTurnMax {
            do {
                guard try socket.receive(&frame) else {
                    take(batch)
                    drainEnded()
                    return
                }
                drained += 1
                try takeMessage(&frame, &batch)
            } catch {
                output.refused(.malformedEvent, error.message)
                break
            }
        }
        take(batch)
    }

    private func drainEnded() {
        let wasLong = drained >= queuedMax / 2
        drained = 0
        if wasLong { askForHead() }
    }

    private func takeMessage(_ frame: inout Frame, _ batch: inout [ReceivedEvent]) throws(SocketError) {
        let isSync = frame.withBytes { $0.starts(with: Topic.sync.utf8) }
        // Who publishes needs no check per message: only the owner of the runtime directory could bind there.
        guard frame.hasMore, try socket.receive(&frame), !frame.hasMore else {
            try socket.skipRest(after: &frame)
            output.refused(.malformedEvent, "wrong frames")
            return
        }
        do {
            if isSync {
                let head = try frame.withBytes { bytes throws(JSONError) in try SyncHead.decode(bytes) }
                take(batch)
                batch = []
                takeHead(head)
            } else {
                let event = try frame.withBytes { bytes throws(JSONError) in try AnyEvent.decode(bytes) }
                batch.append(ReceivedEvent(event: event))
            }
        } catch {
            output.refused(.malformedEvent, error.message)
        }
    }

    private func take(_ batch: [ReceivedEvent]) {
        guard !batch.isEmpty, phase != .paused else { return }
        guard phase == .live else {
            hold(batch)
            return
        }
        var next: [ReceivedEvent] = []
        for (index, event) in batch.enumerated() {
            guard event.event.head.source == source else {
                deliver(next)
                phase = .syncing
                hold(batch[index...])
                askForHead()
                return
            }
            guard event.sequence > cursor.sequence else { continue }
            guard event.sequence == cursor.sequence + 1 else {
                deliver(next)
                hold(batch[index...])
                startReading(to: event.sequence - 1)
                return
            }
            cursor.sequence = event.sequence
            next.append(event)
        }
        deliver(next)
    }

    private func deliver(_ events: [ReceivedEvent]) {
        head = max(head, cursor.sequence)
        if !events.isEmpty { output.deliver(events, cursor) }
    }

    /// Keeps live events while the log is read; too many are let go, the log has them.
    private func hold(_ events: some Sequence<ReceivedEvent>) {
        held += events
        guard held.count > queuedMax else { return }
        target = max(target, held.last?.sequence ?? 0)
        held = []
    }

    private func goLive() {
        phase = .live
        let events = held
        held = []
        take(events)
    }

    // MARK: the log

    private func startReading(to sequence: Int64) {
        target = max(target, sequence)
        phase = .reading
        generation += 1
        readOn()
    }

    private func readOn() {
        guard cursor.sequence < target else { return goLive() }
        let generation = generation
        client.send(EventsRead.self, EventsRead.Params(after: cursor.sequence)) { [weak self] result in
            guard let self, self.generation == generation else { return }
            switch result {
            case .success(let page): takePage(page)
            case .failure(let error) where error.name == .logTrimmed: readSnapshot(page: nil, through: nil)
            case .failure: retryRead()
            }
        }
    }

    private func retryRead() {
        let generation = generation
        Reactor.shared.after(milliseconds: Limits.syncRetryMs) { [weak self] in
            guard let self, self.generation == generation else { return }
            readOn()
        }
    }

    private func takePage(_ page: EventsRead.Result) {
        guard page.epoch == cursor.epoch else { return askForHead() }
        let events = decode(page.events)
        target = min(target, max(page.head, cursor.sequence))
        cursor.sequence = max(cursor.sequence, page.through)
        head = max(head, page.head)
        output.deliver(events, cursor)
        readOn()
    }

    private func decode(_ raw: [RawJSON]) -> [ReceivedEvent] {
        raw.compactMap { raw in
            do throws(JSONError) { return ReceivedEvent(event: try AnyEvent.decode(raw.bytes)) } catch {
                output.refused(.malformedEvent, error.message)
                return nil
            }
        }
    }

    private func readSnapshot(page: String?, through: Int64?) {
        let generation = generation
        client.send(EventsSnapshot.self, EventsSnapshot.Params(page: page, through: through)) {
            [weak self] result in
            guard let self, self.generation == generation else { return }
            guard case .success(let answer) = result else { return retryRead() }
            if page == nil { output.reset() }
            let isLast = answer.nextPage == nil
            if isLast { cursor = Cursor(epoch: answer.epoch, sequence: answer.through) }
            // Until the last page is in, the cursor stays where it was: a restart begins again.
            output.deliver(decode(answer.events), isLast ? cursor : Cursor(epoch: answer.epoch, sequence: 0))
            if isLast { readOn() } else { readSnapshot(page: answer.nextPage, through: answer.through) }
        }
    }
}
