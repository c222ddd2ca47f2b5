import Bus
import Loop
import Rules
import ServiceKit
import Units

/// Takes what a live stream has open for over when its sensor is silent: signs of life come every 30 s during
/// use, so twice that after the last one, by its own instant, nobody is there. It is told as ended at the
/// last sign, and goes on when signs come again; what the silence really was the rules decide then. Nothing
/// is armed while nothing is open.
@LoopActor final class SensorLife {
    static let silence: Milliseconds = 60_000
    /// Milliseconds until it looks again after a failed write.
    static let retry: Milliseconds = 1_000

    private unowned let log: UsageLog
    private var timers: [Int64: TimerToken] = [:]

    init(_ log: UsageLog) { self.log = log }

    /// Takes the newest that a stream was told for its sensor's last sign, whenever it came: what was late,
    /// or was imported, says nothing of now.
    func sign(of stream: Stream) {
        let now = log.service.clock.now
        stream.seen = min(stream.last?.change.at ?? now, now)
        stream.isStale = now - stream.seen >= Self.silence
    }

    /// After a stream took something in.
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
    /// - Parameter pause: nothing is due before that.
    func restart(after pause: Milliseconds = 0) throws {
        let earliest = log.service.clock.now + pause
        for timer in timers.values { log.service.clock.cancel(timer) }
        timers = [:]
        for stream in try log.streams.all() where isOpen(stream) {
            arm(
                member: stream.member, device: stream.device, stream.id,
                max(earliest, stream.seen + Self.silence), .root())
        }
    }

    /// At the start of the service, before anything is judged by what is in use: sensors that told nothing,
    /// or found nobody to tell, meanwhile.
    func endSilent(_ transaction: Transaction) throws {
        let now = log.service.clock.now
        let silent = try log.streams.all().filter { isOpen($0) && $0.seen + Self.silence <= now }
        guard !silent.isEmpty else { return }
        log.willChange(transaction)
        for stream in silent { try end(stream, transaction) }
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
            self?.look(member: member, device: device, id, trace)
        }
    }

    private func look(member: String, device: String, _ id: Int64, _ trace: TraceContext) {
        timers[id] = nil
        do {
            guard let stream = try log.streams.find(member: member, device: device) else { return }
            guard isOpen(stream) else { return }
            let due = stream.seen + Self.silence
            guard due <= log.service.clock.now else {
                return arm(member: member, device: device, id, due, trace)
            }
            log.service.log.info("a sensor is silent; what it had open ends at its last sign of life")
            try log.service.transact(trace: trace) { transaction in
                log.willChange(transaction)
                try end(stream, transaction)
            }
        } catch {
            log.service.log.error("closing the use of a silent sensor failed", [("error", .text("\(error)"))])
        }
    }
}
