import Contract
internal import Store
import Units

/// Bounds the event log and the stored answers by number or age, and by bytes.
extension Service {
    /// Bytes of events and answers between two checks of their sums.
    private static let bytesBetweenPolls = 32 << 20

    /// - Throws: `limitExceeded` for an event too large for `events.read`, at which every follower would
    ///   stop.
    func checkCanBeTold(_ type: String, _ bytes: Int) throws(ServiceError) {
        guard bytes > Limits.eventBytesPerAnswerMax else { return }
        throw ServiceError(
            .limitExceeded,
            "its event \(type) would have \(bytes) bytes; eventBytesPerAnswerMax is "
                + "\(Limits.eventBytesPerAnswerMax)",
            remedy: "Send a smaller write; this one was not stored.")
    }

    /// After a commit: deletes expired answers once an hour, the oldest events when the log is a tenth over
    /// its size, and the oldest of both when they exceed their bytes.
    func keepTidy() {
        let now = clock.now
        let kept = configuration.logEventsKept
        do {
            if now - answersExpired > .hour || now < answersExpired {
                answersExpired = now
                try database.write { _ in try answers.expire(before: now - Limits.answersKept) }
            }
            if snapshot != nil, head - (try eventLog.first()) >= kept + kept / 10 {
                _ = try database.write { _ in try eventLog.trim(keepingLast: Int(kept)) }
                log.info("trimmed the log", [("kept", .number(kept))])
            }
            let every = min(Self.bytesBetweenPolls, Int(configuration.logBytesKept / 8))
            if bytesSinceTidy >= every {
                bytesSinceTidy = 0
                try boundBytes()
            }
        } catch {
            log.warning("trimming the store failed")
        }
    }

    /// A file smaller than a limit needs no sums.
    private func boundBytes() throws {
        let inUse = try database.bytesInUse()
        if inUse > Limits.answerBytesKept {
            let count = try database.write { _ in try answers.trim(keepingBytes: Limits.answerBytesKept) }
            if count > 0 { log.warning("deleted stored answers early", [("count", .number(count))]) }
        }
        let bytes = configuration.logBytesKept
        if snapshot != nil, inUse > bytes {
            let count = try database.write { _ in try eventLog.trim(keepingBytes: bytes) }
            if count > 0 { log.info("trimmed the log", [("bytes", .number(bytes))]) }
        }
    }
}
