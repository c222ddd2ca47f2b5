import Contract
internal import Store
import Units

/// What bounds the log and the kept answers: their number or age, and their bytes.
extension Service {
    /// Bytes of events and answers after which their sums are looked at again.
    private static let bytesBetweenLooks = 32 << 20

    /// - Throws: `limitExceeded` for an event that `events.read` could never tell: whoever follows would wait
    ///   for it for ever.
    func checkCanBeTold(_ type: String, _ bytes: Int) throws(ServiceError) {
        guard bytes > Limits.eventBytesPerAnswerMax else { return }
        throw ServiceError(
            .limitExceeded,
            "its event \(type) would have \(bytes) bytes; eventBytesPerAnswerMax is "
                + "\(Limits.eventBytesPerAnswerMax)",
            remedy: "Write less at once; nothing of this request was kept.")
    }

    /// After a commit: forgets old answers once an hour, the oldest events when the log is a tenth over its
    /// size, and of both the oldest when they have too many bytes.
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
            let every = min(Self.bytesBetweenLooks, Int(configuration.logBytesKept / 8))
            if bytesSinceTidy >= every {
                bytesSinceTidy = 0
                try boundBytes()
            }
        } catch {
            log.warning("keeping the store tidy failed")
        }
    }

    /// While the whole file is smaller than a limit nothing has to be added up.
    private func boundBytes() throws {
        let inUse = try database.bytesInUse()
        if inUse > Limits.answerBytesKept {
            let count = try database.write { _ in try answers.trim(keepingBytes: Limits.answerBytesKept) }
            if count > 0 { log.warning("forgot answers before their time", [("count", .number(count))]) }
        }
        let bytes = configuration.logBytesKept
        if snapshot != nil, inUse > bytes {
            let count = try database.write { _ in try eventLog.trim(keepingBytes: bytes) }
            if count > 0 { log.info("trimmed the log", [("bytes", .number(bytes))]) }
        }
    }
}
