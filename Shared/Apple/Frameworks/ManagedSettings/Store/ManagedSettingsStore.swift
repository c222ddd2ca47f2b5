internal import JSON

/// A named set of settings that restrict what the person, or the child, may do.
///
/// An app and its extensions share their stores; two objects of one name are one store. Stores of all clients
/// merge, and the most restrictive value wins; a store reads back only what its own client wrote.
///
/// Reads and writes are synchronous: a read gives what is committed, a write returns when it is committed, or
/// refused, or after the deadline (5 s; `SCREENTIME_DEADLINE_MS` in the environment, milliseconds). A write
/// sends only the settings that changed. Setters cannot throw: a refusal is a line in the log and the event
/// `settings.rejected`, and the store reads back what it holds. (Apple's pretends inside of the process, and
/// drops a list of more than 50 in silence.)
///
/// Safe to use from several threads and processes at once: a change of a list in place
/// (`store.shield.applications?.insert(token)`) adds to what the others wrote meanwhile.
public class ManagedSettingsStore: ObservableObject {
    /// Names a store. Equal names of one client are the same store.
    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store that `ManagedSettingsStore()` is.
        public static let `default` = Name("default")
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    let access: StoreAccess

    /// The store of the name ``Name/default``.
    public convenience init() { self.init(name: .default) }

    /// The store of a name; it comes into being with its first write.
    public convenience init(named name: Name) { self.init(name: name) }

    private init(name: Name) { access = StoreAccess(name: name.rawValue) }

    // MARK: groups

    public var account: AccountSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(AccountSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var application: ApplicationSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(ApplicationSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var appStore: AppStoreSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(AppStoreSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var cellular: CellularSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(CellularSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var dateAndTime: DateAndTimeSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(DateAndTimeSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var gameCenter: GameCenterSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(GameCenterSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var media: MediaSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(MediaSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var passcode: PasscodeSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(PasscodeSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var safari: SafariSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(SafariSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var shield: ShieldSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(ShieldSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var siri: SiriSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(SiriSettings.self)
            yield &change.group
            end(change)
        }
    }

    public var webContent: WebContentSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(WebContentSettings.self)
            yield &change.group
            end(change)
        }
    }

    // MARK: the store

    /// Sets nothing any more; other stores stay as they are.
    public func clearAllSettings() {
        objectWillChange.send()
        access.clear()
    }

    /// Whether it counts. An inactive store keeps its settings, and restricts nothing. True for one that was
    /// never written. (While the person has switched the client's restrictions off nothing of it counts
    /// either way.)
    public var isActive: Bool {
        get { access.read()?.inactive != true }
        set {
            objectWillChange.send()
            access.setActive(newValue)
        }
    }

    /// Deletes this store; the object can be used again, and begins a new one.
    public func deleteStore() { Self.deleteStores([Name(access.name)]) }

    /// Deletes stores; names of none are ignored.
    public static func deleteStores(_ storeNames: Set<Name>) {
        StoreAccess.delete(Set(storeNames.map(\.rawValue)))
    }

    /// The stores that this client has; none when they cannot be read now.
    public static var stores: Set<Name> { Set(StoreAccess.names().map { Name($0) }) }

    // MARK: what holds

    /// Whether explicit content is denied by any store of any client.
    @EffectiveSetting(flag: "media.denyExplicitContent") public var effectiveDenyExplicitContent: Bool

    /// The lowest of all stores' ratings, 0 to 1000; 1000 where none sets one.
    @EffectiveSetting(rating: "media.maximumMovieRating") public var effectiveMaximumMovieRating: Int

    /// The lowest of all stores' ratings, 0 to 1000; 1000 where none sets one.
    @EffectiveSetting(rating: "media.maximumTVShowRating") public var effectiveMaximumTVShowRating: Int

    // MARK: groups in place

    /// A group that is being changed, and what it was made from.
    private struct Change<Group: StoredGroup> {
        var group: Group
        let base: [String: JSONValue]
    }

    private func read<Group: StoredGroup>() -> Group { Group(access.values()) }

    private func write<Group: StoredGroup>(_ group: Group) {
        var change = begin(Group.self)
        change.group = group
        end(change)
    }

    private func begin<Group: StoredGroup>(_ type: Group.Type) -> Change<Group> {
        let group = Group(access.values())
        return Change(group: group, base: group.values)
    }

    private func end<Group: StoredGroup>(_ change: Change<Group>) {
        let mine = change.group.values
        guard mine != change.base else { return }
        objectWillChange.send()
        access.change(from: change.base, to: mine)
    }
}
