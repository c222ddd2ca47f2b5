package import Units

/// All limits of the bus. Exceeding one is an error that names it; nothing is dropped silently.
package enum Limits {
    /// Bytes of one message: one frame of a request, an answer or an event.
    package static let messageBytesMax = 1 << 20
    /// Messages queued for one slow subscriber or peer before libzmq drops some (its high-water mark).
    package static let queuedMessagesMax = 10_000
    /// Connections of one process to a service; another one is closed immediately.
    package static let connectionsPerProcessMax = 32
    /// Connections of all processes to a service; another one is closed immediately.
    package static let connectionsMax = 2_048
    /// File descriptors that connections may not use, kept for everything else a service does; a quarter of
    /// the limit if the limit is small.
    package static let descriptorsKept = 128
    /// Topics `~sync.<id>` that one subscriber may have at a time; a subscriber with more is disconnected.
    package static let syncTopicsPerConnectionMax = 8
    /// Bytes of one topic `~sync.<id>`.
    package static let syncTopicBytesMax = 64
    /// Topics `~sync.<id>` of all subscribers together.
    package static let syncTopicsMax = 512
    /// Bytes of unread answers of one peer; a peer over the limit receives no further answers.
    package static let unreadBytesPerPeerMax = 8 * messageBytesMax
    /// Bytes of unread answers of all peers together.
    package static let unreadBytesMax = 64 * messageBytesMax
    /// Open requests of one process at a service; the next one is refused.
    package static let openRequestsMax = 4_096
    /// Bytes kept at a service for the open requests of one process: parameters, 2 KiB of overhead each, and
    /// answers of incomplete batches.
    package static let openBytesPerPeerMax = 16 * messageBytesMax
    /// The same bytes of all processes together. Over this limit, waiting requests of the process with the
    /// most bytes are refused.
    package static let openBytesMax = 64 * messageBytesMax
    /// The part of these bytes that every process may use, even when all together exceed their limit.
    package static let openBytesReserved = 64 * 1024
    /// Positions one request may wait for (`not_before`); one per service is enough.
    package static let positionsPerRequestMax = 16
    /// Events in one answer of `events.read`.
    package static let eventsPerAnswerMax = 1_000
    /// Bytes of events in one answer of `events.read`, so that the answer stays within ``messageBytesMax``.
    package static let eventBytesPerAnswerMax = 768 * 1024
    /// Observations in one `usage.observe`.
    package static let observationsPerRequestMax = 4_000
    /// Requests of one JSON-RPC batch.
    package static let requestsPerBatchMax = 100
    /// Spans a service keeps in memory for `trace.read`.
    package static let spansKeptMax = 4_096
    /// Deadline of a request whose caller names none.
    package static let requestDeadline: Milliseconds = 5_000
    /// Longest deadline a caller may name: one hour.
    package static let requestDeadlineMax: Milliseconds = 3_600_000
    /// How long an owner stores the answer to an idempotency key: 24 h.
    package static let answersKept: Milliseconds = 86_400_000
    /// Bytes of an idempotency key, a bundle id, or a name of an activity, event, store, app or member.
    package static let nameBytesMax = 512
    /// Bytes that a subject's name counts as in limits measured in bytes, regardless of its length. It is
    /// more than a domain or a token of a program can have.
    package static let subjectBytes = 256
    /// Bytes of a client's request or answer, measured that way. The rest of a message is for the envelope.
    package static let clientMessageBytesMax = messageBytesMax - 4_096
    /// Bytes of one text of a person: title or body of a notification, message of a shield.
    package static let textBytesMax = 4_096
    /// Events an owner stores in its log before it removes the oldest.
    package static let logEventsKept: Int64 = 1_000_000
    /// Bytes of events from which on the oldest are removed, even below ``logEventsKept``.
    package static let logBytesKept: Int64 = 1 << 30
    /// Bytes of stored answers from which on the oldest are removed, even before ``answersKept`` has passed.
    package static let answerBytesKept: Int64 = 256 << 20
    /// Bytes of published events that all slow subscribers together may leave in memory.
    package static let unreadEventBytesMax = 64 * messageBytesMax
    /// Bytes of a socket's path: `sun_path` has 108 including the final zero (unix(7)).
    package static let socketPathBytesMax = 107
    /// How long a subscriber waits for the answer to `~sync` before it asks again.
    package static let syncRetry: Milliseconds = 1_000
    /// Unanswered attempts after which it reports the connected service.
    package static let syncRetriesMax = 5
}
