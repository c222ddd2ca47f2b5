internal import CommandKit
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

    /// Runs `body`, which saves values that an extension reads and registers what wakes it. What is refused
    /// is not kept: where `body` throws, the values of `keys` are as before. A program that is killed inside,
    /// or that hears no answer, leaves the new ones: it may be registered. The same again saves and registers
    /// them.
    package func unlessRefused(_ keys: [String], body: () throws -> Void) throws {
        let defaults = try defaults()
        let before = keys.map { ($0, defaults.object(forKey: $0)) }
        do { try body() } catch {
            guard !ErrorKind(error).leavesUnknown else { throw error }
            for (key, value) in before { defaults.set(value, forKey: key) }
            throw error
        }
    }

    /// Runs `body`, which registers, then `keep`, which saves what goes with it: not where it is refused.
    package static func thenKeep(_ body: () throws -> Void, keep: () throws -> Void) throws {
        do { try body() } catch {
            if ErrorKind(error).leavesUnknown { try keep() }
            throw error
        }
        try keep()
    }

    /// Saves a value; nil removes it.
    /// - Throws: also when it was not written; the old values stay.
    package func write<Value: Encodable>(_ value: Value?, _ key: String) throws {
        let defaults = try defaults()
        let data = try value.map { try JSONEncoder().encode($0) }
        if let data { defaults.set(data, forKey: key) } else { defaults.removeObject(forKey: key) }
        // Defaults keep silent about what they could not write.
        guard defaults.data(forKey: key) == data else {
            throw CommandError(
                "'\(key)' could not be saved with the values of \(group)",
                remedy: "See what is at Library/Preferences in that group's directory.")
        }
    }
}
