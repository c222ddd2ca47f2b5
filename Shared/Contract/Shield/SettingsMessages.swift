package import JSON

/// One setting of a store, by Apple's dotted name; null clears it.
package struct Setting: Record {
    package var key = ""
    package var value: JSONValue = .null

    package init() {}
    package init(
        key: String = "", value: JSONValue = .null
    ) {
        self.key = key
        self.value = value
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("key", &key, "For example shield.applications.", .publicText)
        try visitor.field("value", &value, "The value.", .setting(key))
    }
}

/// A managed-settings store.
package struct SettingsStore: Record {
    package var client = ""
    package var member = ""
    package var store = ""
    package var createdMs: Int64 = 0
    package var active = false
    package var inactive: Bool?
    package var settings: [Setting] = []

    package init() {}
    package init(
        client: String = "", member: String = "", store: String = "", createdMs: Int64 = 0,
        active: Bool = false, inactive: Bool? = nil, settings: [Setting] = []
    ) {
        self.client = client
        self.member = member
        self.store = store
        self.createdMs = createdMs
        self.active = active
        self.inactive = inactive
        self.settings = settings
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id of its owner.", .publicText)
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("store", &store, "Name; default is the unnamed one.", .publicText)
        try visitor.field("created_ms", &createdMs, "When it was first written, UTC milliseconds.")
        try visitor.field(
            "active", &active,
            "Whether it counts: false while the person switched the client's restrictions off, and while inactive."
        )
        try visitor.field("inactive", &inactive, "True: its client switched it off. Absent: it did not.")
        try visitor.field("settings", &settings, "What it sets.")
    }
}

/// Changes settings of one store; the others keep theirs.
package enum SettingsWrite: Method {
    package static let name = "settings.write"
    package static let owner = ServiceName.shield
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Changes settings of one store; the others keep theirs."

    package struct Params: Record, MemberScoped {
        package static var title: String { "settings.write.params" }
        package var member: String?
        package var store = ""
        package var settings: [Setting] = []
        package var clearAll: Bool?
        package var active: Bool?
        package var expected: [Setting]?

        package init() {}
        package init(
            member: String? = nil, store: String = "", settings: [Setting] = [], clearAll: Bool? = nil,
            active: Bool? = nil, expected: [Setting]? = nil
        ) {
            self.member = member
            self.store = store
            self.settings = settings
            self.clearAll = clearAll
            self.active = active
            self.expected = expected
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("store", &store, "Name of the store, default for the unnamed one.", .publicText)
            try visitor.field("settings", &settings, "What to change.")
            try visitor.field("clear_all", &clearAll, "First clear everything in the store.")
            try visitor.field(
                "active", &active, "False: the store counts nothing until it is true again; settings stay.")
            try visitor.field(
                "expected", &expected,
                "Settings as the writer last saw them, null for one that is not set: where one is another by now, nothing is written and the error is conflict. Lists are compared in any order."
            )
        }
    }
    package typealias Result = Written
}

/// One store as it is committed.
package enum SettingsRead: Method {
    package static let name = "settings.read"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "One store as it is committed."

    package struct Params: Record, MemberScoped {
        package static var title: String { "settings.read.params" }
        package var member: String?
        package var store = ""

        package init() {}
        package init(
            member: String? = nil, store: String = ""
        ) {
            self.member = member
            self.store = store
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("store", &store, "Name of the store.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "settings.read.result" }
        package var store = SettingsStore()

        package init() {}
        package init(
            store: SettingsStore = SettingsStore()
        ) {
            self.store = store
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("store", &store, "Without settings when it was never written.")
        }
    }
}

/// All stores of a client; for the person, of all clients.
package enum SettingsList: Method {
    package static let name = "settings.list"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "All stores of a client; for the person, of all clients."

    package struct Params: Record, MemberScoped {
        package static var title: String { "settings.list.params" }
        package var member: String?

        package init() {}
        package init(
            member: String? = nil
        ) {
            self.member = member
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default all.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "settings.list.result" }
        package var stores: [SettingsStore] = []

        package init() {}
        package init(
            stores: [SettingsStore] = []
        ) {
            self.stores = stores
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("stores", &stores, "Sorted by client, member, store.")
        }
    }
}

/// Deletes stores of the client; what they set is set no more.
package enum SettingsDelete: Method {
    package static let name = "settings.delete"
    package static let owner = ServiceName.shield
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Deletes stores of the client; what they set is set no more."

    package struct Params: Record, MemberScoped {
        package static var title: String { "settings.delete.params" }
        package var member: String?
        package var stores: [String] = []

        package init() {}
        package init(
            member: String? = nil, stores: [String] = []
        ) {
            self.member = member
            self.stores = stores
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("stores", &stores, "Names; those that do not exist are ignored.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "settings.delete.result" }
        package var deleted: [String] = []
        package var sequence: Int64 = 0

        package init() {}
        package init(
            deleted: [String] = [], sequence: Int64 = 0
        ) {
            self.deleted = deleted
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("deleted", &deleted, "Those that existed, sorted.", .publicText)
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// What all active stores of a member come to, setting by setting.
package enum SettingsEffective: Method {
    package static let name = "settings.effective"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "What all active stores of a member come to, setting by setting."

    package struct Params: Record, MemberScoped {
        package static var title: String { "settings.effective.params" }
        package var member: String?

        package init() {}
        package init(
            member: String? = nil
        ) {
            self.member = member
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "settings.effective.result" }
        package var settings: [EffectiveSetting] = []

        package init() {}
        package init(
            settings: [EffectiveSetting] = []
        ) {
            self.settings = settings
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "settings", &settings,
                "Flags, ratings, the cookie policy and lists of names that any active store sets, sorted by key; shield.explain has the policies of shields."
            )
        }
    }
}

/// One setting, merged over stores: the most restrictive value wins.
package struct EffectiveSetting: Record {
    package var key = ""
    package var value: JSONValue = .null
    package var stores: [DecidingStore] = []

    package init() {}
    package init(
        key: String = "", value: JSONValue = .null, stores: [DecidingStore] = []
    ) {
        self.key = key
        self.value = value
        self.stores = stores
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("key", &key, "For example media.maximumMovieRating.", .publicText)
        try visitor.field(
            "value", &value,
            "Flags: true if any store says so. Ratings and the cookie policy: the least. Lists: all names; for a client, those of its own stores.",
            .setting(key))
        try visitor.field(
            "stores", &stores,
            "Those that alone would give the value, of lists those that name something; a client sees its own."
        )
    }
}

/// A store that decides a setting.
package struct DecidingStore: Record {
    package var client = ""
    package var store = ""

    package init() {}
    package init(
        client: String = "", store: String = ""
    ) {
        self.client = client
        self.store = store
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id of its owner.", .publicText)
        try visitor.field("store", &store, "Its name.", .publicText)
    }
}

/// A store changed; carries its whole present state.
package struct SettingsChanged: EventData {
    package static let type = "settings.changed"
    package static let owner = ServiceName.shield
    package static let summary = "A store changed; carries its whole present state."
    package var store = SettingsStore()

    package init() {}
    package init(
        store: SettingsStore = SettingsStore()
    ) {
        self.store = store
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("store", &store, "As of now.")
    }
}

/// A write to a store was refused.
package struct SettingsRejected: EventData {
    package static let type = "settings.rejected"
    package static let owner = ServiceName.shield
    package static let summary = "A write to a store was refused."
    package var client = ""
    package var store = ""
    package var error: String?
    package var reason = ""

    package init() {}
    package init(
        client: String = "", store: String = "", error: String? = nil, reason: String = ""
    ) {
        self.client = client
        self.store = store
        self.error = error
        self.reason = reason
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id.", .publicText)
        try visitor.field("store", &store, "Name of the store.", .publicText)
        try visitor.field("error", &error, "Stable name of the error its writer got.", .publicText)
        try visitor.field("reason", &reason, "Why, in a sentence.", .publicText)
    }
}
