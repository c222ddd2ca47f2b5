internal import JSON

/// A named set of settings that restrict what a person or a child may do.
///
/// An app and its extensions share their stores: two objects with the same name are the same store. The
/// stores of all clients are merged and the most restrictive value wins. A store reads back only what its own
/// client wrote.
///
/// Reads and writes are synchronous. A read returns the committed value; a write returns when it is committed
/// or refused, or at the deadline (5 s; `SCREENTIME_DEADLINE_MS` in the environment, in milliseconds). A
/// write sends only the settings that changed. Setters cannot throw: a refusal is logged and published as the
/// event `settings.rejected`, and the store reads back its previous value. (Apple's reads back the refused
/// value inside the process, and drops a list of more than 50 silently.)
///
/// Safe to use from several threads and processes at once: changing a list in place
/// (`store.shield.applications?.insert(token)`) keeps what others wrote in the meantime.
public class ManagedSettingsStore: ObservableObject {
    /// Identifies a store of a client.
    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name of the store `ManagedSettingsStore()`.
        public static let `default` = Name("default")
        /// Unique within the client.
        public let rawValue: String

        /// Accepts any text; the service checks its length when the store is written.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Satisfies `RawRepresentable`; the same as ``init(_:)``.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    let access: StoreAccess

    /// Opens the store ``Name/default``.
    public convenience init() { self.init(name: .default) }

    /// Opens the store of a name. The store is created by its first write.
    public convenience init(named name: Name) { self.init(name: name) }

    private init(name: Name) { access = StoreAccess(name: name.rawValue) }

    // MARK: groups

    /// Account restrictions of this store. Assigning a group sends the settings that changed, as for every
    /// group.
    public var account: AccountSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(AccountSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// App restrictions of this store.
    public var application: ApplicationSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(ApplicationSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Purchase restrictions of this store.
    public var appStore: AppStoreSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(AppStoreSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Mobile data restrictions of this store.
    public var cellular: CellularSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(CellularSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Clock restrictions of this store.
    public var dateAndTime: DateAndTimeSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(DateAndTimeSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Game restrictions of this store.
    public var gameCenter: GameCenterSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(GameCenterSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Media restrictions of this store.
    public var media: MediaSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(MediaSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Passcode restrictions of this store.
    public var passcode: PasscodeSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(PasscodeSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Browser restrictions of this store.
    public var safari: SafariSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(SafariSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// The shields of this store: the only group that Linux enforces.
    public var shield: ShieldSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(ShieldSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Assistant restrictions of this store.
    public var siri: SiriSettings {
        get { read() }
        set { write(newValue) }
        _modify {
            var change = begin(SiriSettings.self)
            yield &change.group
            end(change)
        }
    }

    /// Web filter of this store.
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

    /// Removes all settings of this store. Other stores are not affected.
    public func clearAllSettings() {
        objectWillChange.send()
        access.clear()
    }

    /// Whether the store takes part in the merge. An inactive store keeps its settings and restricts nothing.
    /// True for a store that was never written. (While the person has disabled the client's restrictions, no
    /// store of it takes part.)
    public var isActive: Bool {
        get { access.read()?.inactive != true }
        set {
            objectWillChange.send()
            access.setActive(newValue)
        }
    }

    /// Deletes this store. The object remains usable; its next write creates the store again.
    public func deleteStore() { Self.deleteStores([Name(access.name)]) }

    /// Deletes stores. Unknown names are ignored.
    public static func deleteStores(_ storeNames: Set<Name>) {
        StoreAccess.delete(Set(storeNames.map(\.rawValue)))
    }

    /// The stores of this client. Empty if they cannot be read now.
    public static var stores: Set<Name> { Set(StoreAccess.names().map { Name($0) }) }

    // MARK: what holds

    /// Whether any store of any client denies explicit content.
    @EffectiveSetting(flag: "media.denyExplicitContent") public var effectiveDenyExplicitContent: Bool

    /// The lowest rating of all stores, 0 to 1000. If none sets one, 1000.
    @EffectiveSetting(rating: "media.maximumMovieRating") public var effectiveMaximumMovieRating: Int

    /// The lowest rating of all stores, 0 to 1000. If none sets one, 1000.
    @EffectiveSetting(rating: "media.maximumTVShowRating") public var effectiveMaximumTVShowRating: Int

    // MARK: groups in place

    /// A group that is being changed, with the values it was read from.
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
