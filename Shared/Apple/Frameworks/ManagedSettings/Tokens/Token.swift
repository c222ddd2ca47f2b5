/// Identifies an app, a category or a web domain without revealing which.
///
/// Only auth-service can interpret the bytes. A token for the same client and subject stays the same until
/// the authorization is revoked; then it is void permanently. Tokens of other clients are refused. Programs
/// can compare, store and pass tokens, but not create them.
///
/// Encodes as one object, `{"data": …}`, with base64 text in JSON.
public struct Token<T>: Codable, Equatable, Hashable, Sendable {
    /// The bytes from the service, of any length.
    package let data: Data

    /// Wraps bytes from the service; nothing is checked.
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
    /// The prefix of a token's base64 text wherever a message names a subject.
    package static var wirePrefix: String { "token:" }

    /// The token's form in messages: `token:BASE64`.
    package var wireText: String { Self.wirePrefix + data.base64EncodedString() }

    /// - Parameter wireText: as in messages. Returns nil unless it is `token:` followed by base64 text.
    package init?(wireText: String) {
        guard wireText.hasPrefix(Self.wirePrefix),
            let data = Data(base64Encoded: String(wireText.dropFirst(Self.wirePrefix.count)))
        else { return nil }
        self.init(data: data)
    }
}
