import Contract
import JSON
import Loop
import Units

/// A request of a ``RequestClient`` without an answer.
@LoopActor final class OpenCall {
    let id: Int64
    /// On the monotonic clock.
    let deadline: Milliseconds
    /// The message.
    let bytes: [UInt8]
    var isSent = false
    var hasEnded = false
    let end: CallEnd.Handler

    init(_ id: Int64, deadline: Milliseconds, _ bytes: [UInt8], _ end: @escaping CallEnd.Handler) {
        self.id = id
        self.deadline = deadline
        self.bytes = bytes
        self.end = end
    }
}

/// How a request ends.
enum CallEnd {
    /// With a result, which the reader reads next and with which the message ends.
    case inPlace(JSONReader)
    /// With the bytes of a result.
    case result(RawJSON)
    case error(ServiceError)

    /// Ends the request. Returns false, and does nothing, for an `inPlace` result that is not valid: it is
    /// called again with the result's bytes.
    typealias Handler = @LoopActor (CallEnd) -> Bool
}
