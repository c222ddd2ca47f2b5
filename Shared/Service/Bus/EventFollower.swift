package import Contract
internal import JSON
package import Loop

/// Follows every event of one service, starting after a cursor. The log is authoritative; the live stream
/// only saves reading it:
/// - after each connect the source sends its head on `~sync.<id>`, and the log is read up to it (joining
///   race, restart);
/// - each time a quarter of a queue has arrived the head is requested again (lost tail): what libzmq drops
///   while the source's queue is full follows a whole queue of messages that do arrive;
/// - a live event that is not the next one reveals a gap, and the log is read up to it.
///
/// The cursor belongs to this log as long as its run is the live run. After each start of the owner the log
/// is read with the cursor's run, and the owner answers `logForked` if it does not know that run.
@LoopActor package final class EventFollower {
    /// What the follower does now.
    package enum Phase: Equatable, Sendable {
        /// The head is not known yet: live events are buffered.
        case syncing
        /// The log is being read up to the head: live events are buffered.
        case reading
        /// Up to date: live events are delivered as they arrive.
        case live
        /// The owner could not commit what was delivered: live events are dropped, the log has them.
        case paused
        case stopped
    }

    /// The service whose events are followed.
    package let service: ServiceName
    package private(set) var phase = Phase.syncing
    /// Whether the live stream is connected.
    package private(set) var isConnected = false
    /// The last event that was delivered, or the point from which to continue after a gap in the log.
    package private(set) var cursor: Cursor
    /// The source's head as last reported; its sequence number.
    package private(set) var head: Int64 = 0

    private let output: FollowerOutput
    private let reading: LogReading
    private let socket: any SubscriberSocket
    private let headRequest: HeadRequest
    private let queuedMax: Int
    private var held: [ReceivedEvent] = []
    /// Events since the head was requested.
    private var received = 0
    private var target: Int64 = 0
    /// The source and its run as the last head named them. Events of another source or run wait for a new
    /// head.
    private var source = ""
    private var liveRun: String?
    /// The owner restarted since the cursor was set: read the log even if there is nothing after the cursor.
    private var mustCompare = false
    /// The run of the last event that the snapshot covers, taken from its first page.
    private var snapshotRun: String?
    private var headIsFresh = false
    private var isStalled = false

    /// - Parameters:
    ///   - cursor: what the owner has committed; an empty epoch means nothing yet.
    ///   - queuedMax: high-water mark of the live stream on this side, in messages.
    package init(
        _ service: ServiceName, in transport: any Transport, client: RequestClient, cursor: Cursor,
        queuedMax: Int = Limits.queuedMessagesMax, output: FollowerOutput
    ) throws(SocketError) {
        self.service = service
        self.cursor = cursor
        self.queuedMax = queuedMax
        self.output = output
        reading = LogReading(client, transport.loop)
        socket = try transport.subscriber(queuedMax: queuedMax)
        headRequest = HeadRequest(socket, transport.loop)
        socket.onConnection = { [weak self] in self?.connectionChanged($0) }
        socket.onReady = { [weak self] in self?.receiveMessages() }
        for type in Registry.eventTypes(of: service) { try socket.setSubscribed(type, true) }
        try headRequest.send()
        try socket.connect(to: service.rawValue)
    }

    isolated deinit {
        socket.close()
        headRequest.cancel()
    }

    /// Ends the follower and its connections. It cannot be started again.
    package func close() {
        phase = .stopped
        reading.renew()
        socket.close()
        headRequest.cancel()
    }

    /// Returns to the cursor that the owner has committed, after one of its commits failed. Nothing is
    /// delivered until ``resume()``.
    package func pause(at cursor: Cursor) {
        guard phase != .stopped else { return }
        self.cursor = cursor
        held = []
        target = 0
        phase = .paused
        reading.renew()
        headRequest.cancel()
    }

    /// Continues after the cursor. The head is requested again, since the last one may belong to another log.
    package func resume() {
        guard phase == .paused else { return }
        phase = .syncing
        askForHead()
    }

    /// Reads a snapshot of the present state instead of the events after the cursor. During a pause the owner
    /// keeps this request in its cursor.
    package func rebuildNow() {
        guard phase != .stopped else { return }
        cursor.isRebuilding = true
        if phase != .paused, phase != .syncing { rebuild() }
    }

    // MARK: sync

    private func askForHead() {
        guard phase != .stopped, phase != .paused else { return }
        received = 0
        sendHeadRequest()
        awaitHead()
    }

    private func sendHeadRequest() {
        do { try headRequest.send() } catch { output.refused(.malformedEvent, error.message) }
    }

    private func awaitHead() {
        headRequest.wait { [weak self] in self?.headIsOverdue() }
    }

    private func headIsOverdue() {
        if isConnected, headRequest.missed() {
            stall(
                ServiceError(
                    .deadlineExceeded, "\(service.rawValue) does not report the head of its log",
                    remedy: "See `screentime logs \(service.rawValue)`."))
        }
        do { try headRequest.repeat() } catch { output.refused(.malformedEvent, error.message) }
        awaitHead()
    }

    /// Each connection brings a head by itself, because libzmq repeats the subscriptions. Connection events
    /// and messages arrive through different pipes in any order, so nothing here may depend on which comes
    /// first. A new id tells the head of the next connection from one that was under way in this one.
    private func connectionChanged(_ connected: Bool) {
        guard phase != .stopped else { return }
        isConnected = connected
        if !connected {
            headIsFresh = false
            headRequest.end()
            sendHeadRequest()
        } else if !headIsFresh, phase != .paused {
            awaitHead()
        }
    }

    /// - Parameter isAnswer: false for the answer to an earlier request, which may lack what was lost since.
    private func receiveHead(_ sync: SyncHead, isAnswer: Bool) {
        guard phase != .paused else { return }
        let isAfterConnection = isAnswer && !headIsFresh
        if isAnswer {
            headRequest.end()
            headIsFresh = true
        }
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
        // A cursor without a run reads once to learn it; after that a fork of the log is detected.
        mustCompare =
            head < cursor.sequence || (cursor.sequence > 0 && liveRun != nil && cursor.run != liveRun)
        if mustCompare || head > cursor.sequence {
            startReading(to: head)
        } else if phase == .syncing {
            goLive()
        } else if phase == .live, isAfterConnection {
            output.live()
        }
    }

    private func isLive(_ event: ReceivedEvent) -> Bool {
        event.event.head.source == source && (liveRun == nil || event.run == liveRun)
    }

    /// The log epoch: the second part of `/<instance>/<log epoch>/<service>`.
    static func epoch(ofSource source: String) -> String {
        let parts = source.split(separator: "/")
        return parts.count == 3 ? String(parts[1]) : source
    }

    // MARK: the live stream

    private static let messagesPerTurnMax = 512

    private func receiveMessages() {
        var batch: [ReceivedEvent] = []
        for _ in 0..<Self.messagesPerTurnMax {
            do {
                guard try socket.receive({ receiveMessage($0, $1, &batch) }) else { break }
            } catch {
                output.refused(.malformedEvent, error.message)
                break
            }
        }
        receive(batch)
        if received >= queuedMax / 4 { askForHead() }
    }

    private func receiveMessage(
        _ topic: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer?, _ batch: inout [ReceivedEvent]
    ) {
        // The sender needs no check per message: only the owner of the runtime directory can bind this path.
        guard let message else { return output.refused(.malformedEvent, "wrong frames") }
        do {
            if topic.starts(with: Topic.sync.utf8) {
                let head = try SyncHead.decode(message)
                receive(batch)
                batch = []
                receiveHead(head, isAnswer: headRequest.isAnswer(topic))
            } else {
                received += 1
                batch.append(ReceivedEvent(event: try AnyEvent.decode(message)))
            }
        } catch {
            output.refused(.malformedEvent, error.message)
        }
    }

    private func receive(_ batch: [ReceivedEvent]) {
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

    /// Buffers live events while the log is read. Beyond `queuedMax` they are dropped; the log has them.
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
        receive(events)
        if phase == .live { output.live() }
    }

    // MARK: the log

    private func startReading(to sequence: Int64) {
        target = max(target, sequence)
        phase = .reading
        reading.renew()
        readOn()
    }

    private func readOn() {
        guard cursor.sequence < target || mustCompare else { return goLive() }
        let run = cursor.sequence > 0 && !cursor.run.isEmpty ? cursor.run : nil
        reading.send(EventsRead.self, EventsRead.Params(after: cursor.sequence, run: run)) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let page): receivePage(page)
            case .failure(let error) where error.name == .logTrimmed: leaveTrimmed()
            case .failure(let error) where error.name == .logForked: findFork()
            case .failure(let error): retry(after: error) { [weak self] in self?.readOn() }
            }
        }
    }

    /// The events after the cursor are gone; the cursor itself may be of a log that forked.
    private func leaveTrimmed() {
        reading.send(EventsRuns.self, Nothing()) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let log) where !log.continues(cursor): receiveFork(log)
            case .success: output.reset == nil ? skipTrimmed() : rebuild()
            case .failure(let error): retry(after: error) { [weak self] in self?.leaveTrimmed() }
            }
        }
    }

    /// Continues at the first event that the log still has. The read starts after the log's head, so the
    /// answer holds no events, only the position.
    private func skipTrimmed() {
        reading.send(EventsRead.self, EventsRead.Params(after: max(head, cursor.sequence), limit: 1)) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let page) where page.epoch != cursor.epoch: askForHead()
            case .success(let page):
                if page.first - 1 > cursor.sequence {
                    output.lost(cursor.sequence + 1...page.first - 1)
                    cursor.sequence = page.first - 1
                    cursor.run = ""
                    // Committed now: otherwise a restart would report these events as lost a second time.
                    output.deliver([], cursor)
                }
                readOn()
            // The log was trimmed beyond the head that is known.
            case .failure(let error) where error.name == .logTrimmed: askForHead()
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
        reading.retry(step)
    }

    private func receivePage(_ page: EventsRead.Result) {
        guard page.epoch == cursor.epoch else { return askForHead() }
        // A cursor without a run is compared by its sequence only.
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

    /// Replaces events that cannot be read any more by a snapshot of the present state.
    private func rebuild() {
        // A head that arrives during the rebuild does not end it.
        cursor.isRebuilding = true
        phase = .reading
        reading.renew()
        reading.send(EventsRuns.self, Nothing()) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let log): readFirstPage(of: log)
            case .failure(let error): retry(after: error) { [weak self] in self?.rebuild() }
            }
        }
    }

    private func readFirstPage(of log: EventsRuns.Result) {
        readSnapshot(page: nil, through: nil) { [weak self] answer in
            guard let self else { return }
            // The owner was started again meanwhile, perhaps from an older copy.
            guard answer.epoch == log.epoch, answer.through >= log.head,
                answer.run == nil || log.runs.contains(where: { $0.id == answer.run })
            else { return rebuild() }
            snapshotRun = answer.run
            output.reset?(log)
            receiveSnapshot(answer)
        }
    }

    private func readPage(_ page: String, through: Int64) {
        readSnapshot(page: page, through: through) { [weak self] answer in
            guard let self else { return }
            // The owner was restored between two pages, so they describe different states: start over.
            guard answer.epoch == cursor.epoch, answer.run == snapshotRun else { return rebuild() }
            receiveSnapshot(answer)
        }
    }

    private func readSnapshot(
        page: String?, through: Int64?, _ receive: @escaping @LoopActor (EventsSnapshot.Result) -> Void
    ) {
        reading.send(EventsSnapshot.self, EventsSnapshot.Params(page: page, through: through)) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let answer): receive(answer)
            // A restarted owner may not know this page token: start with the first page.
            case .failure(let error): retry(after: error) { [weak self] in self?.rebuild() }
            }
        }
    }

    private func receiveSnapshot(_ answer: EventsSnapshot.Result) {
        let isLast = answer.nextPage == nil
        cursor = Cursor(
            epoch: answer.epoch, sequence: isLast ? answer.through : 0, run: isLast ? answer.run ?? "" : "",
            isRebuilding: !isLast)
        output.deliver(decode(answer.events), cursor)
        if let page = answer.nextPage { return readPage(page, through: answer.through) }
        target = max(head, cursor.sequence)
        mustCompare = false
        endStall()
        readOn()
    }

    // MARK: a log that parted

    private func findFork() {
        phase = .reading
        reading.renew()
        mustCompare = false
        reading.send(EventsRuns.self, Nothing()) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let log): receiveFork(log)
            case .failure(let error): retry(after: error) { [weak self] in self?.findFork() }
            }
        }
    }

    private func receiveFork(_ log: EventsRuns.Result) {
        let fork = ForkedLog(cursor: cursor, epoch: log.epoch, head: log.head, runs: log.runs)
        switch output.forked(fork) {
        case .rebuild: rebuild()
        case .resume(let cursor):
            self.cursor = cursor
            target = 0
            mustCompare = cursor.sequence > 0 && cursor.run.isEmpty
            // Committed now: a restart must not look for the fork from a position that no longer exists.
            output.deliver([], cursor)
            startReading(to: log.head)
        case .postpone: break
        case .stop: close()
        }
    }
}
