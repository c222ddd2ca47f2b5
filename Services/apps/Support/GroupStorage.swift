internal import CommandKit
package import FoundationExtras

/// Values that an app shares with its extensions, as JSON in the defaults of their app group.
package struct GroupStorage: Sendable {
    package let group: String

    package init(_ group: String) { self.group = group }

    /// - Throws: why there are none: the group is not registered for this program, or no service answered.
    package func defaults() throws -> UserDefaults { try UserDefaults.ofGroup(group) }

    /// - Returns: nil if nothing was saved under `key`.
    package func read<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
        guard let data = try defaults().data(forKey: key) else { return nil }
        return try JSONDecoder().decode(type, from: data)
    }

    /// Runs `body`, which saves values for an extension and registers the activities that start it. If `body`
    /// throws, the former values of `keys` are restored. A program that is killed meanwhile, or gets no
    /// answer, leaves the new values, because the activities may be registered. Repeating the command
    /// completes it.
    package func unlessRefused(_ keys: [String], body: () throws -> Void) throws {
        let defaults = try defaults()
        let before = keys.map { ($0, defaults.object(forKey: $0)) }
        do { try body() } catch {
            guard !ErrorKind(error).leavesUnknown else { throw error }
            for (key, value) in before { defaults.set(value, forKey: key) }
            throw error
        }
    }

    /// Runs `body`, which registers activities, and then `keep`, which saves their values, unless `body`
    /// throws.
    package static func thenKeep(_ body: () throws -> Void, keep: () throws -> Void) throws {
        do { try body() } catch {
            if ErrorKind(error).leavesUnknown { try keep() }
            throw error
        }
        try keep()
    }

    /// Saves a value; nil removes it.
    /// - Throws: also if the value was not written; the former one stays.
    package func write<Value: Encodable>(_ value: Value?, _ key: String) throws {
        let defaults = try defaults()
        let data = try value.map { try JSONEncoder().encode($0) }
        if let data { defaults.set(data, forKey: key) } else { defaults.removeObject(forKey: key) }
        // UserDefaults does not report failed writes.
        guard defaults.data(forKey: key) == data else {
            throw CommandError(
                "'\(key)' could not be saved with the values of \(group)",
                remedy: "Check Library/Preferences in that group's directory.")
        }
    }
}
