package import JSON
package import Units

/// A store and the rule in it that shields.
@Record
package struct ShieldReason: Record {
    /// Bundle id of the store's owner.
    @Field(.publicText) package var client: String = ""
    /// Name of the store.
    @Field(.publicText) package var store: String = ""
    /// For example shield.applications.
    @Field(.publicText) package var rule: String = ""
    /// Since when the store says so.
    package var since: Instant = 0
}

/// Something that is shielded, and why.
@Record
package struct EffectiveShield: Record {
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// The first one draws the shield.
    package var reasons: [ShieldReason] = []
    /// Since when it is shielded.
    package var since: Instant = 0
    /// Of a category: the apps, or the domains with all below them, that are excepted.
    @Field(markedBy: "exceptMark") package var except: [String]?

    private var subjectMark: FieldMark { .subject(kind.mark) }
    private var exceptMark: FieldMark { .subject(kind == .domainCategory ? .domain : .app) }
}

/// Everything that is shielded now; for a client, by its own stores.
@Method("shield.list", of: .shield, .read, for: .authorizedClient)
package enum ShieldList: Method {
    @Record("shield.list.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
    }

    @Record("shield.list.result")
    package struct Result: Record {
        /// Sorted by member, kind, subject.
        package var shields: [EffectiveShield] = []
        /// Head of the log, so that a listener can join without a gap.
        package var sequence: Int64 = 0
        /// Epoch of the log that the sequence belongs to.
        @Field(.publicText) package var epoch: String?
    }
}

/// Why an app or domain is shielded, or why not; for a client, by its own stores.
@Method("shield.explain", of: .shield, .read, for: .authorizedClient)
package enum ShieldExplain: Method {
    @Record("shield.explain.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// App id or domain.
        @Field(.subject(.appOrDomain)) package var subject: String = ""
        /// Judge it as one of this category. Default: the category it has in activity-center's catalogue.
        @Field(.subject(.category)) package var category: String?
    }

    @Record("shield.explain.result")
    package struct Result: Record {
        /// Whether it is.
        package var shielded: Bool = false
        /// The category it was judged by.
        @Field(.subject(.category)) package var category: String?
        /// What shields it.
        package var shield: EffectiveShield?
        /// Sentences for a person.
        @Field(.personal) package var explanation: [String] = []
    }
}

/// Whether one app or domain is shielded.
@Record
package struct ShieldJudgement: Record {
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or host, as the caller spelled it.
    package var subject: String = ""
    /// The category it was judged by.
    package var category: String = ""
    /// False when the catalogue has no entry for it, or could not be asked: the category is then the one of
    /// the well-known, or `other`.
    package var known: Bool = false
    /// Subject of the shield that covers it: itself, a domain above it, its category or `all`. Absent: it is
    /// not shielded.
    package var shield: String?
}

/// Judges apps and domains: which of them are shielded, by themselves or by their category.
///
/// What draws the shield, and since when, shield.explain says.
@Method("shield.judge", of: .shield, .read, for: .person)
package enum ShieldJudge: Method {
    /// What to judge, up to 500 apps and domains together.
    @Record("shield.judge.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        package var member: String?
        /// App ids.
        package var apps: [String]?
        /// Hosts.
        package var domains: [String]?
        /// True: list shielded programs as well.
        package var programs: Bool?
    }

    /// One judgement for each app and domain, in the order of the parameters, apps first.
    @Record("shield.judge.result")
    package struct Result: Record {
        /// As of now.
        package var judgements: [ShieldJudgement] = []
        /// Shielded apps without a desktop entry (`exe:` and a path) that a store names, or the person by
        /// setting their category. Sorted; up to 1,000.
        package var programs: [String]?
        /// How many programs there are beyond those.
        package var programsLeftOut: Int64?
        /// Head of the log the judgements go with.
        package var sequence: Int64 = 0
        /// Epoch of the log that the sequence belongs to.
        package var epoch: String?
    }
}

/// Categories of the catalogue changed, and with them what category shields cover: judgements made before may
/// no longer hold.
///
/// It names no subject, so that no name of an app or a site stays in this log. Ask shield.judge again.
@Event("shield.coverageChanged", of: .shield)
package struct ShieldCoverageChanged: EventData {
    /// Member id.
    package var member: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
}

/// Something became shielded, or its reasons changed.
@Event("shield.applied", of: .shield)
package struct ShieldApplied: EventData {
    /// As of now.
    package var shield: EffectiveShield = EffectiveShield()
}

/// Something is no longer shielded.
@Event("shield.lifted", of: .shield)
package struct ShieldLifted: EventData {
    /// Member id.
    package var member: String = ""
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category.
    package var subject: String = ""
}

/// A process that an agent stopped: pid and start time name it for ever.
@Record
package struct FrozenProcess: Record {
    /// Process id.
    package var pid: Int64 = 0
    /// Clock ticks since boot, field 22 of /proc/PID/stat.
    package var startTime: Int64 = 0
    /// The kernel's boot id.
    package var bootID: String?
}

/// What an agent froze for one shield.
@Record
package struct Freeze: Record {
    /// Name of the agent: host and display.
    package var agent: String = ""
    /// App id.
    package var app: String = ""
    /// In the order they were stopped.
    package var processes: [FrozenProcess] = []
    /// When it was recorded, before the first stop.
    package var since: Instant = 0
}

/// An agent records what it is about to freeze, so that a new agent can thaw it; an empty list records the
/// thaw.
@Method("shield.freeze", of: .shield, .write, for: .person)
package enum ShieldFreeze: Method {
    @Record("shield.freeze.params")
    package struct Params: Record {
        /// Name of the agent.
        package var agent: String = ""
        /// App id.
        package var app: String = ""
        /// All that is or will be stopped for this app now.
        package var processes: [FrozenProcess] = []
    }
    package typealias Result = Written
}

/// What agents recorded as frozen.
@Method("shield.frozen", of: .shield, .read, for: .person)
package enum ShieldFrozen: Method {
    @Record("shield.frozen.params")
    package struct Params: Record {
        /// Only of this agent.
        package var agent: String?
    }

    @Record("shield.frozen.result")
    package struct Result: Record {
        /// Sorted by agent, app.
        package var freezes: [Freeze] = []
    }
}

/// An agent's record of what is frozen changed.
@Event("shield.processesFrozen", of: .shield)
package struct ShieldFrozeProcesses: EventData {
    /// As of now; no processes: thawed.
    package var freeze: Freeze = Freeze()
}
