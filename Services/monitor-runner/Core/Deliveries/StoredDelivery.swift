import Bus
import Contract
import ExtensionLink
import Loop
import Units

/// How an attempt to deliver a callback ended.
enum AttemptOutcome: Equatable {
    case delivered
    /// - counts: towards ``MonitorLimits/failuresMax``.
    case failed(String, counts: Bool)
    /// Somebody did not want to wait for it: there is no other attempt.
    case skipped
    /// Its app lost its permission: nothing is begun.
    case revoked
}

/// A delivery with what only we need to know.
struct StoredDelivery {
    var delivery: Delivery
    /// Attempts that failed and count; see ``MonitorLimits/failuresMax``.
    var failures: Int64 = 0
    /// Not before this instant.
    var due: Instant = 0
    /// What the program notes when the attempt that runs has returned: a number that no other attempt has,
    /// also where this store is replaced by an older copy and its rows are numbered again. Nil: none runs.
    var receipt: Int64?
    /// Of the span that took the event in.
    var traceparent: String

    static let revoked = "the app's authorization was revoked"
    static let skipped = "it did not return, and was skipped (delivery.skip)"

    /// The delivery with its next attempt begun.
    @LoopActor func begun(now: Instant) -> StoredDelivery {
        var next = self
        next.delivery.attempt += 1
        next.delivery.state = .running
        next.delivery.due = nil
        next.delivery.started = now
        // 53 bits, as every integer in a message.
        next.receipt = Int64(freshID() >> 11)
        return next
    }

    /// What the program is told of the attempt that runs.
    func params(_ callback: CallbackName) -> CallbackParams {
        CallbackParams(
            callback: callback, about: delivery.about, delivery: receipt ?? 0, attempt: delivery.attempt)
    }

    /// The delivery after an attempt: delivered, waiting for the next one, or given up.
    func ended(_ outcome: AttemptOutcome, now: Instant) -> StoredDelivery {
        var next = self
        next.receipt = nil
        switch outcome {
        case .delivered:
            next.delivery.state = .delivered
            next.delivery.error = nil
            next.delivery.due = nil
            next.delivery.finished = now
        case .failed(let reason, let counts):
            next.failures += counts ? 1 : 0
            next.delivery.failures = (delivery.failures ?? 0) + 1
            next.delivery.error = reason
            guard next.failures < MonitorLimits.failuresMax else {
                next.delivery.state = .failed
                next.delivery.finished = now
                break
            }
            next.delivery.state = .waiting
            // The longest back-off is reached long before the shift could overflow.
            let doublings = min(max(0, delivery.attempt - 1), 16)
            next.due = now + min(MonitorLimits.backOff * (1 << doublings), MonitorLimits.backOffMax)
            next.delivery.due = next.due
        case .skipped:
            next.delivery.failures = (delivery.failures ?? 0) + 1
            next.delivery.error = Self.skipped
            next.delivery.state = .failed
            next.delivery.finished = now
        case .revoked:
            next.delivery.error = Self.revoked
            next.delivery.state = .failed
            next.delivery.finished = now
        }
        return next
    }
}
