package import JSON

extension SubjectKind {
    package var mark: FieldMark.Subject {
        switch self {
        case .app: .app
        case .domain: .domain
        case .category, .domainCategory: .category
        }
    }
}

extension TokenKind {
    package var mark: FieldMark.Subject {
        switch self {
        case .app: .app
        case .category: .category
        case .domain: .domain
        }
    }
}

extension FieldMark.Subject {
    /// Nil for a place that takes several.
    package var tokenKind: TokenKind? {
        switch self {
        case .app: .app
        case .category: .category
        case .domain: .domain
        case .appOrDomain: nil
        }
    }

    package func takes(_ kind: TokenKind) -> Bool {
        tokenKind.map { $0 == kind } ?? (kind != .category)
    }
}

/// A token where the name of an app, category or site belongs: services deal in names, and a token that is
/// kept as a name would come back as one.
package enum RawToken {
    /// Before a token's base64 text, wherever a message to or from a program has one.
    package static let prefix = "token:"

    /// - Parameter bytes: what `params` were read from: without a sign of a token nothing is looked into.
    /// - Throws: `invalidParams` that names the field.
    package static func refuse(in params: some Record, readFrom bytes: [UInt8]) throws(ServiceError) {
        guard maySay(bytes) else { return }
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

    /// Whether the prefix may be in it, in plain letters or in escapes.
    private static func maySay(_ bytes: [UInt8]) -> Bool {
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
