internal import Contract
internal import ExtensionLink
internal import JSON
internal import Synchronization

/// Access to the committed values of one store.
struct StoreAccess {
    let name: String

    /// Serializes the writes of this process: concurrent writes of one group would conflict with each other.
    private static let writing = Mutex(())
    /// How often a change is retried after a conflict with another process.
    private static let attemptsMax = 50

    // MARK: reading

    /// - Returns: nil if it cannot be read now; the log has the reason.
    func read() -> SettingsStore? {
        do throws(ServiceError) { return try committed() } catch {
            Self.failed("reading the store '\(name)' failed", error)
            return nil
        }
    }

    private func committed() throws(ServiceError) -> SettingsStore {
        let params = SettingsRead.Params(member: ProgramMember.current, store: name)
        return try Link.shared.call(SettingsRead.self, params).store
    }

    /// The settings by key. Empty if they cannot be read now.
    func values() -> [String: JSONValue] { read()?.values ?? [:] }

    // MARK: writing

    /// Writes the difference between two states of a group in one request. After a conflict with another
    /// process the same change is applied to what that process wrote. A refused write changes nothing; the
    /// log has the reason.
    /// - Parameters:
    ///   - base: the values that were read. Empty if they could not be read.
    ///   - mine: the values after the change, with null for settings that are not set.
    func change(from base: [String: JSONValue], to mine: [String: JSONValue]) {
        let changed = mine.filter { $0.value != base[$0.key] ?? .null }
        guard !changed.isEmpty else { return }
        logged("writing to") { () throws(ServiceError) in
            try Self.writing.withLock { _ throws(ServiceError) in
                try change(changed, from: base.filter { changed[$0.key] != nil })
            }
        }
    }

    private func change(
        _ changed: [String: JSONValue], from base: [String: JSONValue]
    ) throws(ServiceError) {
        var present = base
        for _ in 0..<Self.attemptsMax {
            let settings = changed.map { key, mine in
                Setting(
                    key: key,
                    value: SettingsMerge.merge(
                        base: base[key] ?? .null, mine: mine, present: present[key] ?? .null))
            }
            let expected = changed.keys.map { Setting(key: $0, value: present[$0] ?? .null) }
            do throws(ServiceError) {
                return try write(
                    SettingsWrite.Params(settings: settings.sorted(), expected: expected.sorted()))
            } catch {
                guard error.name == .conflict else { throw error }
            }
            present = try committed().values
        }
        throw ServiceError(
            .conflict, "other writers were faster \(Self.attemptsMax) times",
            remedy: "Let fewer processes write the same settings at once.")
    }

    func clear() {
        do throws(ServiceError) { try write(SettingsWrite.Params(clearAll: true)) } catch {
            // Revoking an app's authorization removes its stores, so there is nothing left to clear.
            guard error.name != .notAuthorized else { return }
            Self.failed("clearing the store '\(name)' was refused", error)
        }
    }

    func setActive(_ active: Bool) {
        logged("switching") { () throws(ServiceError) in
            try write(SettingsWrite.Params(active: active))
        }
    }

    private func write(_ params: SettingsWrite.Params) throws(ServiceError) {
        var params = params
        params.member = ProgramMember.current
        params.store = name
        _ = try Link.shared.call(SettingsWrite.self, params)
    }

    private func logged(_ what: String, _ write: () throws(ServiceError) -> Void) {
        do throws(ServiceError) { try write() } catch {
            Self.failed("\(what) the store '\(name)' was refused", error)
        }
    }

    private static func failed(_ what: String, _ error: ServiceError) {
        StoreFailures.note(error)
        FrameworkLog.error("\(what): \(error.sentence)")
    }

    // MARK: all stores

    static func names() -> Set<String> {
        let member = ProgramMember.current
        do throws(ServiceError) {
            let list = try Link.shared.call(SettingsList.self, SettingsList.Params(member: member))
            return Set(list.stores.map(\.store))
        } catch {
            failed("listing the stores failed", error)
            return []
        }
    }

    static func delete(_ names: Set<String>) {
        let params = SettingsDelete.Params(member: ProgramMember.current, stores: names.sorted())
        do throws(ServiceError) {
            _ = try Link.shared.call(SettingsDelete.self, params)
        } catch {
            failed("deleting stores was refused", error)
        }
    }
}

extension SettingsStore {
    fileprivate var values: [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for setting in settings { values.updateValue(setting.value, forKey: setting.key) }
        return values
    }
}

extension [Setting] {
    fileprivate func sorted() -> [Setting] { sorted { $0.key < $1.key } }
}

extension ServiceError {
    /// One line for a log.
    package var sentence: String { "\(message) (\(name.rawValue)). \(remedy)" }
}
