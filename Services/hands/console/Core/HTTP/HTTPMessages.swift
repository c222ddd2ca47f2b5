/// A request, complete with its body.
package struct HTTPRequest: Sendable {
    /// `GET`, `POST`, …, as sent.
    package var method: String
    /// The path, percent-decoded by libmicrohttpd; begins with a slash.
    package var path: String
    /// The arguments after the question mark, decoded; the first one of a name counts.
    package var query: [String: String] = [:]
    /// Header fields by lower-case name; of several with one name, the first.
    package var fields: [String: String] = [:]
    /// At most ``HTTPLimits/bodyBytesMax`` bytes.
    package var body: [UInt8] = []

    /// The cookies of this name, as sent: a browser sends one for each path, and any server of the same host
    /// may set one, whatever its port (RFC 6265, 5.4 and 8.5).
    package func cookies(_ name: String) -> [String] {
        (fields["cookie"] ?? "").split(separator: ";").compactMap { part in
            let pair = part.drop { $0 == " " }
            guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { return nil }
            return String(pair[pair.index(after: equals)...])
        }
    }
}

/// What is sent back.
package struct HTTPResponse {
    package enum Body {
        case bytes([UInt8])
        /// Sent as it is written to, until it is closed.
        case stream(HTTPStream)
    }
    /// 200, 404, …
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: Body

    package init(_ status: Int, _ fields: [(name: String, value: String)] = [], _ body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Bounds of what one server accepts.
package enum HTTPLimits {
    /// Of a request's body; a longer one is answered with 413.
    package static let bodyBytesMax = 256 << 10
    /// Bytes of a longer body that are read before the connection is cut.
    package static let droppedBytesMax = 256 << 20
    /// Open connections; further ones are closed at once.
    package static let connectionsMax: UInt32 = 256
    /// Of a connection's buffer, in which a request's line and header fields must fit (else 431).
    package static let connectionBytes = 32 << 10
    /// After which a connection without traffic is closed. Streams and requests that wait for an answer are
    /// not.
    package static let idleSeconds: UInt32 = 30
    /// Unsent bytes of a stream; one whose reader is slower is closed, and its reader begins again.
    package static let streamBytesMax = 1 << 20
}
