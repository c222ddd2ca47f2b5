import Bus
import Contract
import ExtensionLink
import Loop
import Units

/// The result of an attempt to deliver a callback.
enum AttemptOutcome: Equatable {
    case delivered
    /// - counts: towards ``MonitorLimits/failuresMax``.
    case failed(String, counts: Bool)
    /// A person or client skipped it: there is no further attempt.
    case skipped
    /// Its app is no longer approved: no attempt starts.
    case revoked
}

/// A delivery with the fields that only this service needs.
struct StoredDelivery {
    var delivery: Delivery
    /// Number of failed attempts that count; see ``MonitorLimits/failuresMax``.
    var failures: Int64 = 0
    /// The earliest instant of the next attempt.
    var due: Instant = 0
    /// A random number that the program records when the running attempt returns. No other attempt has it,
    /// even if this store is replaced by an older copy and its rows are numbered again. Nil while no attempt
    /// runs.
    var receipt: Int64?
    /// Context of the span that received the event.
    var traceparent: String

    static let revoked = "the app's authorization was revoked"
    static let skipped = "it did not return and was skipped (delivery.skip)"

    /// The delivery at the start of its next attempt.
    @LoopActor func begun(now: Instant) -> StoredDelivery {
        var next = self
        next.delivery.attempt += 1
        next.delivery.state = .running
        next.delivery.due = nil
        next.delivery.started = now
        // 53 bits, like every integer in a message.
        next.receipt = Int64(freshID() >> 11)
        return next
    }

    /// The parameters for the program in the running attempt.
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
