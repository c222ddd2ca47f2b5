package import Contract
package import JSON

/// Values of settings, by their shape.
extension SettingShape {
    /// - Throws: `invalidParams` that names the key and says what it holds.
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
        for (name, shape) in lists.sorted(by: { $0.key < $1.key }) {
            // A program's own names are its own affair.
            if case .names = shape, let list = value[name] { try checkNames(list, "\(key).\(name)") }
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
            remedy: "Write it so, or null to clear it; nothing of this request was kept.")
    }

    /// The value in the spelling in which two that mean the same are equal: names sorted, each once.
    package func normalised(_ value: JSONValue) -> JSONValue {
        switch self {
        case .flag, .rating, .word: return value
        case .names, .ownNames: return Self.sorted(value)
        case .policy:
            guard let members = value.objectValue else { return value }
            return .object(members.map { (key: $0.key, value: Self.sorted($0.value)) })
        }
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        guard let names = value.arrayValue else { return value }
        return .array(Set(names.compactMap(\.stringValue)).sorted().map { .string($0) })
    }

    /// How many names its longest list has.
    package func longestList(of value: JSONValue) -> Int {
        let lists = [value] + (value.objectValue ?? []).map(\.value)
        return lists.map { $0.arrayValue?.count ?? 0 }.max() ?? 0
    }

    // MARK: several stores

    /// What several stores' values come to, the most restrictive winning. Nil for policies, which do not
    /// become one of their kind.
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

    /// Whether a store with this value is one of those that decide what holds.
    package func decides(_ value: JSONValue, _ merged: JSONValue) -> Bool {
        switch self {
        case .names, .ownNames: value.arrayValue?.isEmpty == false
        default: value == merged
        }
    }
}
