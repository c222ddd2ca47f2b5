package import JSON
package import Units

/// One setting of a store, under Apple's dotted name; null clears it.
@Record
package struct Setting: Record {
    /// For example shield.applications.
    @Field(.publicText) package var key: String = ""
    /// The value; its type is given by the key (docs/contract/settings.md).
    @Field(markedBy: "valueMark") package var value: JSONValue = .null

    private var valueMark: FieldMark { .setting(key) }
}

/// A managed-settings store.
@Record
package struct SettingsStore: Record {
    /// Bundle id of its owner.
    @Field(.publicText) package var client: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Name; `default` for the unnamed store.
    @Field(.publicText) package var store: String = ""
    /// When it was first written, UTC milliseconds.
    package var created: Instant = 0
    /// False while the person has switched the client's restrictions off, and while it is inactive: its
    /// settings have no effect.
    package var active: Bool = false
    /// True: its client switched it off; else absent.
    package var inactive: Bool?
    /// Its settings that are not null.
    package var settings: [Setting] = []
}

/// Changes settings of one store; settings that are not named are unchanged.
@Method("settings.write", of: .shield, .write, for: .authorizedClient)
package enum SettingsWrite: Method {
    /// Changes of one store.
    @Record("settings.write.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Name of the store; `default` for the unnamed one.
        @Field(.publicText) package var store: String = ""
        /// Settings to change; null clears one.
        package var settings: [Setting] = []
        /// True: clear the whole store first.
        package var clearAll: Bool?
        /// False: the settings are kept without effect until it is true again.
        package var active: Bool?
        /// Settings as the writer last read them, null for one that is not set. If one has another value now,
        /// nothing is written and the error is conflict. Lists are compared without regard to order.
        package var expected: [Setting]?
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Reads one store as it is committed.
@Method("settings.read", of: .shield, .read, for: .authorizedClient)
package enum SettingsRead: Method {
    /// The store to read.
    @Record("settings.read.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Name of the store.
        @Field(.publicText) package var store: String = ""
    }

    /// The store.
    @Record("settings.read.result")
    package struct Result: Record {
        /// The store; without settings if it was never written.
        package var store: SettingsStore = SettingsStore()
    }
}

/// Lists the stores of a client; for the person, of all clients.
@Method("settings.list", of: .shield, .read, for: .authorizedClient)
package enum SettingsList: Method {
    /// Filter by member.
    @Record("settings.list.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
    }

    /// The stores.
    @Record("settings.list.result")
    package struct Result: Record {
        /// Sorted by client, member, store.
        package var stores: [SettingsStore] = []
    }
}

/// Deletes stores of the client with all their settings.
@Method("settings.delete", of: .shield, .write, for: .authorizedClient)
package enum SettingsDelete: Method {
    /// The stores to delete.
    @Record("settings.delete.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Names of the stores; names that do not exist are ignored.
        @Field(.publicText) package var stores: [String] = []
    }

    /// The stores that were deleted.
    @Record("settings.delete.result")
    package struct Result: Record {
        /// Names of the stores that existed, sorted.
        @Field(.publicText) package var deleted: [String] = []
        /// Head of the log after this write.
        package var sequence: Int64 = 0
    }
}

/// Reads the settings of a member, merged over all active stores.
@Method("settings.effective", of: .shield, .read, for: .authorizedClient)
package enum SettingsEffective: Method {
    /// Whose settings.
    @Record("settings.effective.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
    }

    /// The merged settings.
    @Record("settings.effective.result")
    package struct Result: Record {
        /// All settings of active stores, sorted by key: flags, ratings, the cookie policy and lists of names
        /// merged, one entry each; policies, and keys that are not known here, one entry for each value.
        package var settings: [EffectiveSetting] = []
    }
}

/// One setting merged over stores: the most restrictive value wins. Policies and keys that are not known here
/// are not merged: each value applies.
@Record
package struct EffectiveSetting: Record {
    /// For example media.maximumMovieRating.
    @Field(.publicText) package var key: String = ""
    /// Flags: true if any store sets true. Ratings and the cookie policy: the most restrictive value. Lists:
    /// the union; for a client, of its own stores. Policies, and keys that are not known here: one of the
    /// values; a client sees those of its own stores.
    @Field(markedBy: "valueMark") package var value: JSONValue = .null
    /// The stores that set this value; of a list, those that name something. A client sees only its own.
    package var stores: [DecidingStore] = []

    /// What this machine does with the setting; absent: it is not known here.
    package var enforcement: SettingEnforcement?

    private var valueMark: FieldMark { .setting(key) }
}

/// A store that determines a merged setting.
@Record
package struct DecidingStore: Record {
    /// Bundle id of its owner.
    @Field(.publicText) package var client: String = ""
    /// Its name.
    @Field(.publicText) package var store: String = ""
}

/// A store changed; the event has its complete present state.
@Event("settings.changed", of: .shield)
package struct SettingsChanged: EventData {
    /// The store after the change.
    package var store: SettingsStore = SettingsStore()
}

/// A write to a store was refused.
@Event("settings.rejected", of: .shield)
package struct SettingsRejected: EventData {
    /// Bundle id.
    @Field(.publicText) package var client: String = ""
    /// Name of the store.
    @Field(.publicText) package var store: String = ""
    /// Stable name of the error that was returned to the writer.
    @Field(.publicText) package var error: String?
    /// Why, in a sentence.
    @Field(.publicText) package var reason: String = ""
}
