package import JSON
package import Units

/// A store and the setting in it that shields a subject.
@Record
package struct ShieldReason: Record {
    /// Bundle id of the store's owner.
    @Field(.publicText) package var client: String = ""
    /// Name of the store.
    @Field(.publicText) package var store: String = ""
    /// For example shield.applications.
    @Field(.publicText) package var rule: String = ""
    /// When the store first set it, UTC milliseconds.
    package var since: Instant = 0
}

/// A shielded subject with its reasons.
@Record
package struct EffectiveShield: Record {
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// The stores that shield it; the owner of the first one configures the shield's look.
    package var reasons: [ShieldReason] = []
    /// When it became shielded, UTC milliseconds.
    package var since: Instant = 0
    /// For a category: apps, or domains with their subdomains, that all these stores exempt. What the person
    /// always allows, and what has an exception, is not in it: shield.judge says whether it is shielded.
    @Field(markedBy: "exceptMark") package var except: [String]?

    private var subjectMark: FieldMark { .subject(kind.mark) }
    private var exceptMark: FieldMark { .subject(kind == .domainCategory ? .domain : .app) }
}

/// Lists everything that is shielded now; for a client, by its own stores.
@Method("shield.list", of: .shield, .read, for: .authorizedClient)
package enum ShieldList: Method {
    /// Filter by member.
    @Record("shield.list.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
    }

    /// The shields.
    @Record("shield.list.result")
    package struct Result: Record {
        /// Sorted by member, kind, subject.
        package var shields: [EffectiveShield] = []
        /// Head of the log that this list reflects; follow the log from here.
        package var sequence: Int64 = 0
        /// Epoch of the log that the sequence belongs to.
        @Field(.publicText) package var epoch: String?
    }
}

/// Explains why an app or domain is shielded or not; for a client, by its own stores.
@Method("shield.explain", of: .shield, .read, for: .authorizedClient)
package enum ShieldExplain: Method {
    /// The app or domain to explain.
    @Record("shield.explain.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// App id or domain.
        @Field(.subject(.appOrDomain)) package var subject: String = ""
        /// Category to assume for it; default its category in activity-center's catalogue.
        @Field(.subject(.category)) package var category: String?
    }

    /// Whether it is shielded, and the explanation.
    @Record("shield.explain.result")
    package struct Result: Record {
        /// Whether it is shielded.
        package var shielded: Bool = false
        /// The category it was judged by.
        @Field(.subject(.category)) package var category: String?
        /// The shield that covers it; absent: none.
        package var shield: EffectiveShield?
        /// The explanation, a sentence each.
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
        /// Milliseconds until the member's next exception ends.
        package var untilExceptionEnd: Milliseconds?
        /// Head of the log the judgements go with.
        package var sequence: Int64 = 0
        /// Epoch of the log that the sequence belongs to.
        package var epoch: String?
    }
}

/// Categories of the catalogue, exceptions, or what is always allowed changed, and with them what shields
/// cover: judgements made before may no longer hold.
///
/// It names no subject, so that no name of an app or a site stays in this log. Ask shield.judge again.
@Event("shield.coverageChanged", of: .shield)
package struct ShieldCoverageChanged: EventData {
    /// Member id.
    package var member: String = ""
    /// App or domain.
    package var kind: SubjectKind = .app
}

/// A subject became shielded, or the reasons of its shield changed.
@Event("shield.applied", of: .shield)
package struct ShieldApplied: EventData {
    /// The shield after the change.
    package var shield: EffectiveShield = EffectiveShield()
}

/// A subject is no longer shielded.
@Event("shield.lifted", of: .shield)
package struct ShieldLifted: EventData {
    /// Member id.
    package var member: String = ""
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category.
    package var subject: String = ""
}

/// A process that an agent stopped. Pid, start time and boot id identify it uniquely.
@Record
package struct FrozenProcess: Record {
    /// Process id.
    package var pid: Int64 = 0
    /// Clock ticks since boot, field 22 of /proc/PID/stat.
    package var startTime: Int64 = 0
    /// The kernel's boot id.
    package var bootID: String?
}

/// The processes that an agent froze for one shielded app.
@Record
package struct Freeze: Record {
    /// Name of the agent: host and display.
    package var agent: String = ""
    /// App id.
    package var app: String = ""
    /// In the order in which they were stopped.
    package var processes: [FrozenProcess] = []
    /// When it was recorded, which is before the first process was stopped; UTC milliseconds.
    package var since: Instant = 0
}

/// Records the processes an agent is about to freeze, so that a restarted agent can thaw them; an empty list
/// records the thaw.
@Method("shield.freeze", of: .shield, .write, for: .person)
package enum ShieldFreeze: Method {
    /// All frozen processes of one app; replaces the record before.
    @Record("shield.freeze.params")
    package struct Params: Record {
        /// Name of the agent.
        package var agent: String = ""
        /// App id.
        package var app: String = ""
        /// All processes of the app that are or will be stopped.
        package var processes: [FrozenProcess] = []
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Lists the processes that agents recorded as frozen.
@Method("shield.frozen", of: .shield, .read, for: .person)
package enum ShieldFrozen: Method {
    /// Filter by agent.
    @Record("shield.frozen.params")
    package struct Params: Record {
        /// Only of this agent.
        package var agent: String?
    }

    /// The records.
    @Record("shield.frozen.result")
    package struct Result: Record {
        /// Sorted by agent, app.
        package var freezes: [Freeze] = []
    }
}

/// An agent's record of frozen processes changed.
@Event("shield.processesFrozen", of: .shield)
package struct ShieldFrozeProcesses: EventData {
    /// The record after the change; without processes: thawed.
    package var freeze: Freeze = Freeze()
}
