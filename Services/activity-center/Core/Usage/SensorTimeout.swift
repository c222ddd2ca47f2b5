import Bus
import Loop
import Rules
import ServiceKit
import Units

/// Ends what a live stream has open when its sensor is silent. Heartbeats come every 30 s during use, so
/// after twice that time since the last one, by its own instant, the sensor is considered gone. Followers are
/// told that the use ended at the last heartbeat; it continues with the next one, and the rules decide then
/// what the silence was. Without open use no timer is set.
@LoopActor final class SensorTimeout {
    static let silence: Milliseconds = 60_000

    private unowned let log: UsageLog
    private var timers: [Int64: TimerToken] = [:]
    /// Whether use may be open whose end was due and could not be written.
    private(set) var isBehind = false

    init(_ log: UsageLog) { self.log = log }

    /// Uses the newest observation of a stream as its sensor's last heartbeat, whenever it arrived: late or
    /// imported observations say nothing about the present.
    func recordHeartbeat(of stream: Stream) {
        let now = log.service.clock.now
        stream.seen = min(stream.last?.change.at ?? now, now)
        stream.isStale = now - stream.seen >= Self.silence
    }

    /// Call after a stream received observations.
    func watch(_ stream: Stream, _ transaction: Transaction) {
        let id = stream.id
        let isOpen = isOpen(stream)
        if isOpen && timers[id] == nil {
            let due = stream.seen + Self.silence
            arm(member: stream.member, device: stream.device, id, due, transaction.trace)
        } else if !isOpen, let timer = timers.removeValue(forKey: id) {
            log.service.clock.cancel(timer)
        }
    }

    /// At the start of the service, and after a failed write.
    /// - Parameter pause: no timer fires earlier.
    func restart(after pause: Milliseconds = 0) throws {
        let earliest = log.service.clock.now + pause
        if pause > 0 { isBehind = true }
        for timer in timers.values { log.service.clock.cancel(timer) }
        timers = [:]
        for stream in try log.streams.all() where isOpen(stream) {
            arm(
                member: stream.member, device: stream.device, stream.id,
                max(earliest, stream.seen + Self.silence), .root())
        }
    }

    /// At the start of the service, before anything depends on what is in use: ends use of sensors that sent
    /// nothing, or could not, while the service was down.
    func endSilent(_ transaction: Transaction) throws {
        let now = log.service.clock.now
        let silent = try log.streams.all().filter { isOpen($0) && $0.seen + Self.silence <= now }
        guard !silent.isEmpty else { return }
        log.willChange(transaction)
        for stream in silent { try end(stream, transaction) }
    }

    /// Ends what could not be ended when it was due. Until then it would seem to go on, and reach thresholds
    /// that nobody confirmed.
    func catchUp(_ transaction: Transaction) throws {
        guard isBehind else { return }
        isBehind = false
        transaction.onUndo { [weak self] in self?.isBehind = true }
        try endSilent(transaction)
    }

    private func isOpen(_ stream: Stream) -> Bool {
        stream.isLive && !stream.isStale && !stream.machine.openSubjects.isEmpty
    }

    private func end(_ stream: Stream, _ transaction: Transaction) throws {
        let before = stream.tail
        stream.isStale = true
        try log.settle(stream, before: before, transaction)
    }

    private func arm(member: String, device: String, _ id: Int64, _ due: Instant, _ trace: TraceContext) {
        timers[id] = log.service.clock.at(due) { [weak self] in
            self?.poll(member: member, device: device, id, trace)
        }
    }

    private func poll(member: String, device: String, _ id: Int64, _ trace: TraceContext) {
        timers[id] = nil
        do {
            guard let stream = try log.streams.find(member: member, device: device) else { return }
            guard isOpen(stream) else { return }
            let due = stream.seen + Self.silence
            guard due <= log.service.clock.now else {
                return arm(member: member, device: device, id, due, trace)
            }
            log.service.log.info("a sensor is silent; its open use ends at the last heartbeat")
            try log.service.transact(trace: trace) { transaction in
                log.willChange(transaction)
                try end(stream, transaction)
            }
        } catch {
            log.service.log.error("closing the use of a silent sensor failed", [("error", .name(of: error))])
            isBehind = true
            // If the write was undone, ``restart(after:)`` has armed it; if it could not begin, nobody has.
            guard timers[id] == nil else { return }
            arm(member: member, device: device, id, log.service.clock.now + Service.retryPause, trace)
        }
    }
}
