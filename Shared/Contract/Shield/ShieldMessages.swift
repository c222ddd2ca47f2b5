package import JSON

/// A store and the rule in it that shields.
package struct ShieldReason: Record {
    package var client = ""
    package var store = ""
    package var rule = ""
    package var sinceMs: Int64 = 0

    package init() {}
    package init(
        client: String = "", store: String = "", rule: String = "", sinceMs: Int64 = 0
    ) {
        self.client = client
        self.store = store
        self.rule = rule
        self.sinceMs = sinceMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id of the store's owner.", .publicText)
        try visitor.field("store", &store, "Name of the store.", .publicText)
        try visitor.field("rule", &rule, "For example shield.applications.", .publicText)
        try visitor.field("since_ms", &sinceMs, "Since when the store says so.")
    }
}

/// Something that is shielded, and why.
package struct EffectiveShield: Record {
    package var member = ""
    package var kind: SubjectKind = .app
    package var subject = ""
    package var reasons: [ShieldReason] = []
    package var sinceMs: Int64 = 0
    package var except: [String]?

    package init() {}
    package init(
        member: String = "", kind: SubjectKind = .app, subject: String = "",
        reasons: [ShieldReason] = [], sinceMs: Int64 = 0, except: [String]? = nil
    ) {
        self.member = member
        self.kind = kind
        self.subject = subject
        self.reasons = reasons
        self.sinceMs = sinceMs
        self.except = except
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("kind", &kind, "App, domain, category (of apps) or domain_category.")
        try visitor.field("subject", &subject, "App id, domain or category.", .subject(kind.mark))
        try visitor.field("reasons", &reasons, "The first one draws the shield.")
        try visitor.field("since_ms", &sinceMs, "Since when it is shielded.")
        try visitor.field(
            "except", &except,
            "Of a category: the apps, or the domains with all below them, that are excepted.",
            .subject(kind == .domainCategory ? .domain : .app))
    }
}

/// Everything that is shielded now.
package enum ShieldList: Method {
    package static let name = "shield.list"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Everything that is shielded now; for a client, by its own stores."

    package struct Params: Record, MemberScoped {
        package static var title: String { "shield.list.params" }
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
        package static var title: String { "shield.list.result" }
        package var shields: [EffectiveShield] = []
        package var sequence: Int64 = 0
        package var epoch: String?

        package init() {}
        package init(
            shields: [EffectiveShield] = [], sequence: Int64 = 0, epoch: String? = nil
        ) {
            self.shields = shields
            self.sequence = sequence
            self.epoch = epoch
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("shields", &shields, "Sorted by member, kind, subject.")
            try visitor.field(
                "sequence", &sequence,
                "Head of the log, so that a listener can join without a gap.")
            try visitor.field("epoch", &epoch, "Epoch of the log that the sequence belongs to.", .publicText)
        }
    }
}

/// Why an app or domain is shielded, or why not.
package enum ShieldExplain: Method {
    package static let name = "shield.explain"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary =
        "Why an app or domain is shielded, or why not; for a client, by its own stores."

    package struct Params: Record, MemberScoped {
        package static var title: String { "shield.explain.params" }
        package var member: String?
        package var subject = ""
        package var category: String?

        package init() {}
        package init(
            member: String? = nil, subject: String = "", category: String? = nil
        ) {
            self.member = member
            self.subject = subject
            self.category = category
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("subject", &subject, "App id or domain.", .subject(.appOrDomain))
            try visitor.field(
                "category", &category, "Its category, if the caller knows.", .subject(.category))
        }
    }

    package struct Result: Record {
        package static var title: String { "shield.explain.result" }
        package var shielded = false
        package var shield: EffectiveShield?
        package var explanation: [String] = []

        package init() {}
        package init(
            shielded: Bool = false, shield: EffectiveShield? = nil, explanation: [String] = []
        ) {
            self.shielded = shielded
            self.shield = shield
            self.explanation = explanation
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("shielded", &shielded, "Whether it is.")
            try visitor.field("shield", &shield, "What shields it.")
            try visitor.field("explanation", &explanation, "Sentences for a person.", .personal)
        }
    }
}

/// Something became shielded, or its reasons changed.
package struct ShieldApplied: EventData {
    package static let type = "shield.applied"
    package static let owner = ServiceName.shield
    package static let summary = "Something became shielded, or its reasons changed."
    package var shield = EffectiveShield()

    package init() {}
    package init(
        shield: EffectiveShield = EffectiveShield()
    ) {
        self.shield = shield
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("shield", &shield, "As of now.")
    }
}

/// Something is no longer shielded.
package struct ShieldLifted: EventData {
    package static let type = "shield.lifted"
    package static let owner = ServiceName.shield
    package static let summary = "Something is no longer shielded."
    package var member = ""
    package var kind: SubjectKind = .app
    package var subject = ""

    package init() {}
    package init(
        member: String = "", kind: SubjectKind = .app, subject: String = ""
    ) {
        self.member = member
        self.kind = kind
        self.subject = subject
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.")
        try visitor.field("kind", &kind, "App, domain, category (of apps) or domain_category.")
        try visitor.field("subject", &subject, "App id, domain or category.")
    }
}

/// A process that an agent stopped: pid and start time name it for ever.
package struct FrozenProcess: Record {
    package var pid: Int64 = 0
    package var startTime: Int64 = 0
    package var bootID: String?

    package init() {}
    package init(
        pid: Int64 = 0, startTime: Int64 = 0, bootID: String? = nil
    ) {
        self.pid = pid
        self.startTime = startTime
        self.bootID = bootID
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("pid", &pid, "Process id.")
        try visitor.field("start_time", &startTime, "Clock ticks since boot, field 22 of /proc/PID/stat.")
        try visitor.field("boot_id", &bootID, "The kernel's boot id.")
    }
}

/// What an agent froze for one shield.
package struct Freeze: Record {
    package var agent = ""
    package var app = ""
    package var processes: [FrozenProcess] = []
    package var sinceMs: Int64 = 0

    package init() {}
    package init(
        agent: String = "", app: String = "", processes: [FrozenProcess] = [], sinceMs: Int64 = 0
    ) {
        self.agent = agent
        self.app = app
        self.processes = processes
        self.sinceMs = sinceMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("agent", &agent, "Name of the agent: host and display.")
        try visitor.field("app", &app, "App id.")
        try visitor.field("processes", &processes, "In the order they were stopped.")
        try visitor.field("since_ms", &sinceMs, "When it was recorded, before the first stop.")
    }
}

/// An agent records what it is about to freeze, so that a new agent can thaw it; an empty list records the
/// thaw.
package enum ShieldFreeze: Method {
    package static let name = "shield.freeze"
    package static let owner = ServiceName.shield
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "An agent records what it is about to freeze, so that a new agent can thaw it; an empty list records the thaw."

    package struct Params: Record {
        package static var title: String { "shield.freeze.params" }
        package var agent = ""
        package var app = ""
        package var processes: [FrozenProcess] = []

        package init() {}
        package init(
            agent: String = "", app: String = "", processes: [FrozenProcess] = []
        ) {
            self.agent = agent
            self.app = app
            self.processes = processes
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("agent", &agent, "Name of the agent.")
            try visitor.field("app", &app, "App id.")
            try visitor.field("processes", &processes, "All that is or will be stopped for this app now.")
        }
    }
    package typealias Result = Written
}

/// What agents recorded as frozen.
package enum ShieldFrozen: Method {
    package static let name = "shield.frozen"
    package static let owner = ServiceName.shield
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "What agents recorded as frozen."

    package struct Params: Record {
        package static var title: String { "shield.frozen.params" }
        package var agent: String?

        package init() {}
        package init(
            agent: String? = nil
        ) {
            self.agent = agent
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("agent", &agent, "Only of this agent.")
        }
    }

    package struct Result: Record {
        package static var title: String { "shield.frozen.result" }
        package var freezes: [Freeze] = []

        package init() {}
        package init(
            freezes: [Freeze] = []
        ) {
            self.freezes = freezes
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("freezes", &freezes, "Sorted by agent, app.")
        }
    }
}

/// An agent's record of what is frozen changed.
package struct ShieldFrozeProcesses: EventData {
    package static let type = "shield.processesFrozen"
    package static let owner = ServiceName.shield
    package static let summary = "An agent's record of what is frozen changed."
    package var freeze = Freeze()

    package init() {}
    package init(
        freeze: Freeze = Freeze()
    ) {
        self.freeze = freeze
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("freeze", &freeze, "As of now; no processes: thawed.")
    }
}
