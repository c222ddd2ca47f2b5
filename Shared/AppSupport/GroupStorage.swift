package import FoundationExtras

/// What an app and its extensions keep together: values in the defaults of their app group, as JSON.
package struct GroupStorage: Sendable {
    package let group: String

    package init(_ group: String) { self.group = group }

    /// - Throws: why there are none: the group is not registered for this program, or nobody could say.
    package func defaults() throws -> UserDefaults { try UserDefaults.ofGroup(group) }

    /// - Returns: nil when nothing was saved under `key`.
    package func read<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
        guard let data = try defaults().data(forKey: key) else { return nil }
        return try JSONDecoder().decode(type, from: data)
    }

    /// Saves a value; nil removes it.
    package func write<Value: Encodable>(_ value: Value?, _ key: String) throws {
        let defaults = try defaults()
        guard let value else { return defaults.removeObject(forKey: key) }
        defaults.set(try JSONEncoder().encode(value), forKey: key)
    }
}
