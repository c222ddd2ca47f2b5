package import Contract
internal import CZeroMQ
internal import JSON
package import Loop

/// Follows every event of one service, from a cursor on. The live stream is the hint, the log the truth:
/// - after each connect the source tells its head on `~sync.<id>`, and the log is read up to it (joining
///   race, restart);
/// - after a drain of half the queue or more the head is asked for again (lost tail);
/// - a live event that is not the next one is a gap, and the log is read up to it.
///
/// Whether the cursor is in this log at all is known as long as its run is the one that is live. After each
/// start of the owner the log is read with the cursor's run, and the owner says when that is not its own.
@LoopActor package final class EventFollower {
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
    /// The source and its run as the last head named them; events of others wait for their own head.
    private var source = ""
    private var liveRun: String?
    /// The owner was started since the cursor was set: the log is read even if nothing is to be read.
    private var mustCompare = false
    /// The run that made the event up to which the snapshot counts, by its first page.
    private var snapshotRun: String?
    private var headIsFresh = false
    /// Times the head was asked for since it was last told.
    private var unansweredSyncs = 0
    private var isStalled = false
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

    /// Reads the present state in place of going on after the cursor. During a pause it is kept in the cursor
    /// by the owner.
    package func rebuildNow() {
        guard phase != .stopped else { return }
        cursor.isRebuilding = true
        if phase != .paused, phase != .syncing { rebuild() }
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
        syncTimer = Reactor.shared.after(Limits.syncRetry) { [weak self] in
            self?.headIsOverdue()
        }
    }

    private func headIsOverdue() {
        if isConnected { unansweredSyncs += 1 }
        if unansweredSyncs >= Limits.syncRetriesMax {
            stall(
                ServiceError(
                    .deadlineExceeded, "\(service.rawValue) does not tell where its log ends",
                    remedy: "See `screentime logs \(service.rawValue)`."))
        }
        askForHead()
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
            unansweredSyncs = 0
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
        unansweredSyncs = 0
        source = sync.source
        liveRun = sync.run
        head = sync.head.value
        let epoch = Self.epoch(ofSource: sync.source)
        held.removeAll { !isLive($0) }
        if cursor.epoch.isEmpty {
            cursor = Cursor(epoch: epoch, sequence: 0, isRebuilding: cursor.isRebuilding)
        }
        guard epoch == cursor.epoch else { return findFork() }
        guard !cursor.isRebuilding else { return rebuild() }
        // A cursor of no run reads once to learn it; from then on a log that parts is noticed.
        mustCompare =
            head < cursor.sequence || (cursor.sequence > 0 && liveRun != nil && cursor.run != liveRun)
        if mustCompare || head > cursor.sequence {
            startReading(to: head)
        } else if phase == .syncing {
            goLive()
        }
    }

    private func isLive(_ event: ReceivedEvent) -> Bool {
        event.event.head.source == source && (liveRun == nil || event.run == liveRun)
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
            guard isLive(event) else {
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
            cursor.run = event.run
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
        endStall()
        let events = held
        held = []
        take(events)
        if phase == .live { output.live() }
    }

    // MARK: the log

    private func startReading(to sequence: Int64) {
        target = max(target, sequence)
        phase = .reading
        generation += 1
        readOn()
    }

    private func readOn() {
        guard cursor.sequence < target || mustCompare else { return goLive() }
        let generation = generation
        let run = cursor.sequence > 0 && !cursor.run.isEmpty ? cursor.run : nil
        client.send(EventsRead.self, EventsRead.Params(after: cursor.sequence, run: run)) {
            [weak self] result in
            guard let self, self.generation == generation else { return }
            switch result {
            case .success(let page): takePage(page)
            case .failure(let error) where error.name == .logTrimmed:
                output.reset == nil ? skipTrimmed() : rebuild()
            case .failure(let error) where error.name == .logForked: findFork()
            case .failure(let error): retry(after: error) { [weak self] in self?.readOn() }
            }
        }
    }

    /// Goes on where the log begins. Nothing lies after its head: the answer only says where that is.
    private func skipTrimmed() {
        let generation = generation
        client.send(EventsRead.self, EventsRead.Params(after: max(head, cursor.sequence), limit: 1)) {
            [weak self] result in
            guard let self, self.generation == generation else { return }
            switch result {
            case .success(let page) where page.epoch != cursor.epoch: askForHead()
            case .success(let page):
                if page.first - 1 > cursor.sequence {
                    output.lost(cursor.sequence + 1...page.first - 1)
                    cursor.sequence = page.first - 1
                    cursor.run = ""
                    // Kept at once: a restart must not say again that they are lost.
                    output.deliver([], cursor)
                }
                readOn()
            case .failure(let error): retry(after: error) { [weak self] in self?.readOn() }
            }
        }
    }

    private func stall(_ error: ServiceError) {
        isStalled = true
        output.stalled(error)
    }

    private func endStall() {
        guard isStalled else { return }
        isStalled = false
        output.stalled(nil)
    }

    private func retry(after error: ServiceError, _ step: @escaping @LoopActor () -> Void) {
        stall(error)
        let generation = generation
        Reactor.shared.after(Limits.syncRetry) { [weak self] in
            guard let self, self.generation == generation else { return }
            step()
        }
    }

    private func takePage(_ page: EventsRead.Result) {
        guard page.epoch == cursor.epoch else { return askForHead() }
        // A cursor whose run is not known is compared by its place alone.
        guard page.head >= cursor.sequence else { return findFork() }
        mustCompare = false
        endStall()
        let events = decode(page.events)
        target = min(target, max(page.head, cursor.sequence))
        if page.through > cursor.sequence || cursor.run.isEmpty {
            cursor.sequence = max(page.through, cursor.sequence)
            cursor.run = page.run ?? events.last?.run ?? cursor.run
        }
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

    // MARK: the present state

    /// The present state in place of events that cannot be read any more.
    private func rebuild() {
        // A head that comes meanwhile does not end it.
        cursor.isRebuilding = true
        phase = .reading
        generation += 1
        readSnapshot(page: nil, through: nil)
    }

    private func readSnapshot(page: String?, through: Int64?) {
        let generation = generation
        client.send(EventsSnapshot.self, EventsSnapshot.Params(page: page, through: through)) {
            [weak self] result in
            guard let self, self.generation == generation else { return }
            switch result {
            case .success(let answer):
                if page == nil { snapshotRun = answer.run }
                takeSnapshot(answer, isFirst: page == nil)
            // A page of an owner that was started meanwhile may mean nothing to it: from the beginning.
            case .failure(let error): retry(after: error) { [weak self] in self?.rebuild() }
            }
        }
    }

    private func takeSnapshot(_ answer: EventsSnapshot.Result, isFirst: Bool) {
        // Pages of an owner that was restored in between are of two states.
        guard isFirst || (answer.epoch == cursor.epoch && answer.run == snapshotRun) else { return rebuild() }
        if isFirst { output.reset?() }
        let isLast = answer.nextPage == nil
        cursor = Cursor(
            epoch: answer.epoch, sequence: isLast ? answer.through : 0, run: isLast ? answer.run ?? "" : "",
            isRebuilding: !isLast)
        output.deliver(decode(answer.events), cursor)
        guard isLast else { return readSnapshot(page: answer.nextPage, through: answer.through) }
        target = max(head, cursor.sequence)
        mustCompare = false
        endStall()
        readOn()
    }

    // MARK: a log that parted

    private func findFork() {
        phase = .reading
        generation += 1
        mustCompare = false
        let generation = generation
        client.send(EventsRuns.self, Nothing()) { [weak self] result in
            guard let self, self.generation == generation else { return }
            switch result {
            case .success(let log): takeFork(log)
            case .failure(let error): retry(after: error) { [weak self] in self?.findFork() }
            }
        }
    }

    private func takeFork(_ log: EventsRuns.Result) {
        let fork = ForkedLog(cursor: cursor, epoch: log.epoch, head: log.head, runs: log.runs)
        switch output.forked(fork) {
        case .rebuild: rebuild()
        case .goOn(let cursor):
            self.cursor = cursor
            target = 0
            mustCompare = cursor.sequence > 0 && cursor.run.isEmpty
            // Kept at once: a restart must not look for the fork from a place that is no more.
            output.deliver([], cursor)
            startReading(to: log.head)
        case .later: break
        case .stop: close()
        }
    }
}
