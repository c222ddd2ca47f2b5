import Contract
import JSON
import ServiceKit
import Units

/// Identifies a callback for an extension in any copy of activity-center's log: the registration with its
/// instant, the occurrence, the callback and the event. Sequences do not, because a restored owner assigns
/// them again. It is a hash, so that its parts cannot be read.
enum CallbackKey {
    static func of(_ delivery: Delivery) -> [UInt8] {
        let about = delivery.about
        let parts: JSONValue = [
            .string(delivery.program ?? ""), .string(about.client), .string(about.member),
            .string(about.activity), .string(delivery.callback), .string(about.event ?? ""),
            .integer(about.registration), .integer((about.registered ?? 0).milliseconds),
            .integer(about.occurrenceStart.milliseconds),
        ]
        return Digest.of(parts.encoded())
    }
}
