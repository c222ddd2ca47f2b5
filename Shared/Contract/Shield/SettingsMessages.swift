package import JSON
package import Units

/// One setting of a store, by Apple's dotted name; null clears it.
@Record
package struct Setting: Record {
    /// For example shield.applications.
    @Field(.publicText) package var key: String = ""
    /// The value.
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
    /// Name; default is the unnamed one.
    @Field(.publicText) package var store: String = ""
    /// When it was first written, UTC milliseconds.
    package var created: Instant = 0
    /// Whether it counts: false while the person switched the client's restrictions off, and while inactive.
    package var active: Bool = false
    /// True: its client switched it off. Absent: it did not.
    package var inactive: Bool?
    /// What it sets.
    package var settings: [Setting] = []
}

/// Changes settings of one store; the others keep theirs.
@Method("settings.write", of: .shield, .write, for: .authorizedClient)
package enum SettingsWrite: Method {
    @Record("settings.write.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Name of the store, default for the unnamed one.
        @Field(.publicText) package var store: String = ""
        /// What to change.
        package var settings: [Setting] = []
        /// First clear everything in the store.
        package var clearAll: Bool?
        /// False: the store counts nothing until it is true again; settings stay.
        package var active: Bool?
        /// Settings as the writer last saw them, null for one that is not set: where one is another by now,
        /// nothing is written and the error is conflict. Lists are compared in any order.
        package var expected: [Setting]?
    }
    package typealias Result = Written
}

/// One store as it is committed.
@Method("settings.read", of: .shield, .read, for: .authorizedClient)
package enum SettingsRead: Method {
    @Record("settings.read.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Name of the store.
        @Field(.publicText) package var store: String = ""
    }

    @Record("settings.read.result")
    package struct Result: Record {
        /// Without settings when it was never written.
        package var store: SettingsStore = SettingsStore()
    }
}

/// All stores of a client; for the person, of all clients.
@Method("settings.list", of: .shield, .read, for: .authorizedClient)
package enum SettingsList: Method {
    @Record("settings.list.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
    }

    @Record("settings.list.result")
    package struct Result: Record {
        /// Sorted by client, member, store.
        package var stores: [SettingsStore] = []
    }
}

/// Deletes stores of the client; what they set is set no more.
@Method("settings.delete", of: .shield, .write, for: .authorizedClient)
package enum SettingsDelete: Method {
    @Record("settings.delete.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// Names; those that do not exist are ignored.
        @Field(.publicText) package var stores: [String] = []
    }

    @Record("settings.delete.result")
    package struct Result: Record {
        /// Those that existed, sorted.
        @Field(.publicText) package var deleted: [String] = []
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// What all active stores of a member come to, setting by setting.
@Method("settings.effective", of: .shield, .read, for: .authorizedClient)
package enum SettingsEffective: Method {
    @Record("settings.effective.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
    }

    @Record("settings.effective.result")
    package struct Result: Record {
        /// Flags, ratings, the cookie policy and lists of names that any active store sets, sorted by key;
        /// shield.explain has the policies of shields.
        package var settings: [EffectiveSetting] = []
    }
}

/// One setting, merged over stores: the most restrictive value wins.
@Record
package struct EffectiveSetting: Record {
    /// For example media.maximumMovieRating.
    @Field(.publicText) package var key: String = ""
    /// Flags: true if any store says so. Ratings and the cookie policy: the least. Lists: all names; for a
    /// client, those of its own stores.
    @Field(markedBy: "valueMark") package var value: JSONValue = .null
    /// Those that alone would give the value, of lists those that name something; a client sees its own.
    package var stores: [DecidingStore] = []

    private var valueMark: FieldMark { .setting(key) }
}

/// A store that decides a setting.
@Record
package struct DecidingStore: Record {
    /// Bundle id of its owner.
    @Field(.publicText) package var client: String = ""
    /// Its name.
    @Field(.publicText) package var store: String = ""
}

/// A store changed; carries its whole present state.
@Event("settings.changed", of: .shield)
package struct SettingsChanged: EventData {
    /// As of now.
    package var store: SettingsStore = SettingsStore()
}

/// A write to a store was refused.
@Event("settings.rejected", of: .shield)
package struct SettingsRejected: EventData {
    /// Bundle id.
    @Field(.publicText) package var client: String = ""
    /// Name of the store.
    @Field(.publicText) package var store: String = ""
    /// Stable name of the error its writer got.
    @Field(.publicText) package var error: String?
    /// Why, in a sentence.
    @Field(.publicText) package var reason: String = ""
}
