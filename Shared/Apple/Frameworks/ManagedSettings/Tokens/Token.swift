/// Names an app, a category or a web domain without saying which.
///
/// Bytes that only the service that made them can read. A token is the same for the same client and subject
/// until the grant is revoked; then it is void for ever. Another client's token is refused. Programs compare,
/// store and hand back tokens; they cannot make one.
///
/// Encodes as one value, `{"data": …}`; with `JSONEncoder` the data is base64 text.
public struct Token<T>: Codable, Equatable, Hashable, Sendable {
    /// As the service made them; any length.
    package let data: Data

    package init(data: Data) { self.data = data }

    public init(from decoder: any Decoder) throws {
        data = try decoder.container(keyedBy: TokenKey.self).decode(Data.self, forKey: .data)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TokenKey.self)
        try container.encode(data, forKey: .data)
    }
}

private enum TokenKey: String, CodingKey {
    case data
}

extension Token {
    /// What stands before a token's base64 text wherever a message names a subject.
    package static var wirePrefix: String { "token:" }

    /// How the token stands in messages: `token:BASE64`.
    package var wireText: String { Self.wirePrefix + data.base64EncodedString() }

    /// - Parameter wireText: as in messages; nil when it is not `token:` and base64 text.
    package init?(wireText: String) {
        guard wireText.hasPrefix(Self.wirePrefix),
            let data = Data(base64Encoded: String(wireText.dropFirst(Self.wirePrefix.count)))
        else { return nil }
        self.init(data: data)
    }
}
