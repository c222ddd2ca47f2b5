package import Contract
package import JSON

/// Validates, normalises and merges values of settings according to their shape.
extension SettingShape {
    /// Checks that a value has this shape.
    /// - Throws: `invalidParams` with the key and the expected shape.
    package func check(_ value: JSONValue, _ key: String) throws(ServiceError) {
        switch self {
        case .flag:
            guard value.boolValue != nil else { throw Self.wrong(key, "true or false") }
        case .rating(let bounds, _):
            guard let number = value.integerValue, bounds.contains(number) else {
                throw Self.wrong(key, "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
            }
        case .names, .ownNames: try Self.checkNames(value, key)
        case .policy(let policies, let needed, let lists):
            try Self.checkPolicy(value, key, policies, needed, lists)
        case .word(let words):
            guard let word = value.stringValue, words.contains(word) else {
                throw Self.wrong(key, "one of \(words.joined(separator: ", "))")
            }
        }
    }

    private static func checkPolicy(
        _ value: JSONValue, _ key: String, _ policies: [String], _ needed: String,
        _ lists: [String: SettingShape]
    ) throws(ServiceError) {
        guard let policy = value["policy"]?.stringValue, policies.contains(policy) else {
            throw wrong(key, "an object whose policy is \(policies.joined(separator: ", "))")
        }
        guard policy != "specific" || value[needed] != nil else {
            throw wrong(key, "an object with a list of \(needed) when its policy is specific")
        }
        for name in lists.keys.sorted() {
            if let list = value[name] { try checkNames(list, "\(key).\(name)") }
        }
    }

    private static func checkNames(_ value: JSONValue, _ key: String) throws(ServiceError) {
        guard let names = value.arrayValue else { throw wrong(key, "a list of names") }
        for name in names {
            guard let text = name.stringValue, VisibleText.isName(text) else {
                throw wrong(key, "a list of names of 1 to \(Limits.nameBytesMax) bytes of visible text")
            }
        }
    }

    private static func wrong(_ key: String, _ expected: String) -> ServiceError {
        ServiceError(
            .invalidParams, "the setting '\(key)' is not \(expected)",
            remedy: "Write such a value, or null to clear it; nothing of this request was stored.")
    }

    /// The value in a normal form, in which values with the same meaning are equal: names sorted and unique.
    /// Members of a policy that are no lists of its shape stay as they are.
    package func normalised(_ value: JSONValue) -> JSONValue {
        switch self {
        case .flag, .rating, .word: return value
        case .names, .ownNames: return Self.sorted(value)
        case .policy(_, _, let lists):
            guard let members = value.objectValue else { return value }
            return .object(
                members.map { (key: $0.key, value: lists[$0.key] == nil ? $0.value : Self.sorted($0.value)) })
        }
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        guard let names = value.arrayValue else { return value }
        return .array(Set(names.compactMap(\.stringValue)).sorted().map { .string($0) })
    }

    /// The number of names in its longest list.
    package func longestList(of value: JSONValue) -> Int {
        let lists = [value] + (value.objectValue ?? []).map(\.value)
        return lists.map { $0.arrayValue?.count ?? 0 }.max() ?? 0
    }

    // MARK: several stores

    /// Merges the values of several stores; the most restrictive wins. Nil for policies, which cannot be
    /// merged into one.
    package func merged(_ values: [JSONValue]) -> JSONValue? {
        switch self {
        case .flag: return .bool(values.contains(true))
        case .rating: return values.compactMap(\.integerValue).min().map { .integer($0) }
        case .word(let words):
            return words.first { values.contains(.string($0)) }.map { .string($0) }
        case .names, .ownNames: return normalised(.array(values.flatMap { $0.arrayValue ?? [] }))
        case .policy: return nil
        }
    }

    /// Whether a store with this value determines the merged value.
    package func decides(_ value: JSONValue, _ merged: JSONValue) -> Bool {
        switch self {
        case .names, .ownNames: value.arrayValue?.isEmpty == false
        default: value == merged
        }
    }
}
