package import Units

/// Every limit of the bus, in one place. Going over one is an error that names it, never silence.
package enum Limits {
    /// Bytes of one message: one frame of a request, an answer or an event.
    package static let messageBytesMax = 1 << 20
    /// Messages that may wait for one slow subscriber or peer before libzmq drops (its high-water mark).
    package static let queuedMessagesMax = 10_000
    /// Connections that one process may hold to a service, and all may; over it one is closed at once.
    package static let connectionsPerProcessMax = 32
    package static let connectionsMax = 2_048
    /// Descriptors that connections leave to everything else a service does; a quarter of a small limit.
    package static let descriptorsKept = 128
    /// Topics `~sync.` and an id that one subscriber may have at a time, the bytes of one, and topics of all;
    /// who has more is disconnected.
    package static let syncTopicsPerConnectionMax = 8
    package static let syncTopicBytesMax = 64
    package static let syncTopicsMax = 512
    /// Bytes of answers that one peer may leave unread, and all may; a peer over it gets no more answers.
    package static let unreadBytesPerPeerMax = 8 * messageBytesMax
    package static let unreadBytesMax = 64 * messageBytesMax
    /// Requests one process may have open at a service at once; the next one is refused.
    package static let openRequestsMax = 4_096
    /// Bytes that the open requests of one process may keep at a service, and those of all: parameters, 2 KiB
    /// beside them, and answers of batches that are not complete. Over the latter, the process that keeps the
    /// most loses what waits.
    package static let openBytesPerPeerMax = 16 * messageBytesMax
    package static let openBytesMax = 64 * messageBytesMax
    /// Bytes that one process may always keep so, also when all together keep too much.
    package static let openBytesReserved = 64 * 1024
    /// Positions that one request may wait for: one of each service is enough.
    package static let positionsPerRequestMax = 16
    /// Events one answer of `events.read` may hold.
    package static let eventsPerAnswerMax = 1_000
    /// Bytes of events one answer of `events.read` may hold, so that the answer stays a legal message.
    package static let eventBytesPerAnswerMax = 768 * 1024
    /// Observations one `usage.observe` may hold.
    package static let observationsPerRequestMax = 4_000
    /// Requests of one JSON-RPC batch.
    package static let requestsPerBatchMax = 100
    /// Spans a service keeps in memory for `trace.read`.
    package static let spansKeptMax = 4_096
    /// Milliseconds a request lives when its caller names no deadline.
    package static let requestDeadline: Milliseconds = 5_000
    /// Longest deadline a caller may name, milliseconds: one hour.
    package static let requestDeadlineMax: Milliseconds = 3_600_000
    /// Milliseconds an owner keeps the answer to an idempotency key: 24 h.
    package static let answersKept: Milliseconds = 86_400_000
    /// Bytes of an idempotency key, a bundle id, a name of an activity, event, store, app or member.
    package static let nameBytesMax = 512
    /// Bytes that the name of a subject counts as where a limit is measured in bytes, whatever it has: more
    /// than a domain, and than a program's token, can have.
    package static let subjectBytes = 256
    /// Bytes of what a client asks and is answered, measured so: the rest of a message is for the words
    /// around it.
    package static let clientMessageBytesMax = messageBytesMax - 4_096
    /// Bytes of one line a person wrote (title or body of a notification, a message of a shield).
    package static let textBytesMax = 4_096
    /// Events an owner keeps in its log before it trims the oldest.
    package static let logEventsKept: Int64 = 1_000_000
    /// Bytes of events and of kept answers, each, from which on the oldest go also before their number or
    /// time is up.
    package static let logBytesKept: Int64 = 1 << 30
    package static let answerBytesKept: Int64 = 256 << 20
    /// Bytes of published events that slow subscribers may leave in memory, of all together.
    package static let unreadEventBytesMax = 64 * messageBytesMax
    /// Bytes of a socket's path: `sun_path` holds 108 with the closing zero (unix(7)).
    package static let socketPathBytesMax = 107
    /// Milliseconds a subscriber waits for the answer to `~sync` before it asks again.
    package static let syncRetry: Milliseconds = 1_000
    /// Times it asks a connected service in vain before it says so.
    package static let syncRetriesMax = 5
}
