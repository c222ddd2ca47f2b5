package import JSON

extension SubjectKind {
    /// The mark of a field that contains names of this kind.
    package var mark: FieldMark.Subject {
        switch self {
        case .app: .app
        case .domain: .domain
        case .category, .domainCategory: .category
        }
    }
}

extension TokenKind {
    /// The mark of a field that contains names of this kind.
    package var mark: FieldMark.Subject {
        switch self {
        case .app: .app
        case .category: .category
        case .domain: .domain
        }
    }
}

extension FieldMark.Subject {
    /// The kind of token that fits; nil where several kinds fit.
    package var tokenKind: TokenKind? {
        switch self {
        case .app: .app
        case .category: .category
        case .domain: .domain
        case .appOrDomain: nil
        }
    }

    /// Whether a token of this kind fits.
    package func takes(_ kind: TokenKind) -> Bool {
        tokenKind.map { $0 == kind } ?? (kind != .category)
    }
}

/// Detects tokens in places of names. Services use names only; a token that was stored as a name would later
/// be returned as one.
package enum RawToken {
    /// Prefix of a token's base64 text in every message to or from a program.
    package static let prefix = "token:"

    /// Refuses parameters with a token in place of a name.
    /// - Parameter bytes: the bytes `params` were decoded from. If they cannot contain a token, `params` are
    ///   not searched.
    /// - Throws: `invalidParams` that names the field.
    package static func refuse(in params: some Record, readFrom bytes: [UInt8]) throws(ServiceError) {
        guard mayContainToken(bytes) else { return }
        func check(_ text: String) throws(JSONError) {
            if text.hasPrefix(prefix) { throw JSONError(.wrongType, at: 0, "is a token, not a name") }
        }
        let walk = SubjectWalk(
            isStrict: false, personal: .kept, unknownSettings: .kept,
            ownName: { name throws(JSONError) in try check(name) }
        ) { _, name throws(JSONError) in
            try check(name)
            return name
        }
        do throws(JSONError) { _ = try walk.changed(params) } catch {
            throw ServiceError(
                .invalidParams, "'\(error.path)' \(error.detail)",
                remedy: "Services take names. Tokens are for programs, whose host translates them.")
        }
    }

    /// Whether the bytes can contain the prefix, literally or with escapes.
    private static func mayContainToken(_ bytes: [UInt8]) -> Bool {
        let sign = Array("token:".utf8)
        return bytes.indices.contains { index in
            switch bytes[index] {
            case sign[0]: bytes[index...].starts(with: sign)
            case UInt8(ascii: "\\"): index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u")
            default: false
            }
        }
    }
}
