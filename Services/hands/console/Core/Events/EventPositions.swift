import Bus
import Contract

/// How far a page has received the events of each service: the `id` of a server-sent event, which the browser
/// sends back as `Last-Event-ID`.
///
/// As text `SEQUENCE.RUN` of each service in the order of their start, with `~` between them; `-` for one
/// that is not known. The run says by which log the sequence counts (``LogRun``).
struct EventPositions: Equatable {
    /// The last event of a service's log that was received.
    struct Place: Equatable {
        var sequence: Int64
        /// Empty before the first event of a log.
        var run: String
    }

    static let services = ServiceName.startOrder
    private var places: [ServiceName: Place] = [:]

    subscript(service: ServiceName) -> Place? {
        get { places[service] }
        set { places[service] = newValue }
    }

    init() {}

    /// Nil if `text` is none.
    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == Self.services.count else { return nil }
        for (service, part) in zip(Self.services, parts) where part != "-" {
            let words = part.split(separator: ".", omittingEmptySubsequences: false)
            guard words.count == 2, let sequence = WholeNumber.of(String(words[0])), sequence >= 0,
                words[1].utf8.count <= Limits.nameBytesMax
            else { return nil }
            places[service] = Place(sequence: sequence, run: String(words[1]))
        }
    }

    var text: String {
        Self.services.map { places[$0].map { "\($0.sequence).\($0.run)" } ?? "-" }.joined(separator: "~")
    }
}

extension EventPositions.Place {
    init(_ cursor: Cursor) { self.init(sequence: cursor.sequence, run: cursor.run) }
}
