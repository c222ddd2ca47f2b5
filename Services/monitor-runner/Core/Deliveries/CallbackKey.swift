import Contract
import JSON
import ServiceKit
import Units

/// What makes a callback the same callback for an extension, whichever copy of activity-center tells it: the
/// registration with its instant, the occurrence, the callback and the event. Sequences do not: an owner that
/// was restored gives them out again. A hash, so that nothing of it can be read.
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
