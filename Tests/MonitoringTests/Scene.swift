import Contract
import Monitoring
import Rules
import Schedules
import Units

/// One member's rules, a controlled time, and all published callbacks.
struct Scene {
    let rules: MonitorRules
    private(set) var now: Instant
    private(set) var told: [DueCallback] = []
    private var registrations: Int64 = 0
    private var zone: Zone
    private var using: (subject: Subject, since: Instant)?

    /// - Parameter start: such as `2026-03-02T00:00`, on the wall of `zone`.
    init(_ start: String, _ zone: String = "UTC") throws {
        self.zone = try Zone(zone)
        rules = MonitorRules(Catalogue(appCategories: ["game": "games"]))
        now = 0
        now = try instant(start)
    }

    func instant(_ text: String) throws -> Instant {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int64($0) }
        let date = LocalDate(year: Int(parts[0]), month: Int(parts[1]), day: Int(parts[2]))
        let wall = Milliseconds.days(Int64(date?.dayNumber ?? 0)) + .hours(parts[3])
        return zone.instant(ofWall: wall + .minutes(parts[4]))
    }

    static func name(_ name: String) -> ActivityName {
        ActivityName(client: "org.example", member: "me", name: name)
    }

    /// The activity `a`.
    mutating func register(
        _ start: DateComponents, _ end: DateComponents, warning: DateComponents? = nil,
        atFirstUse: Bool = false, events: [EventDefinition] = [], startTold: Instant? = nil
    ) throws {
        try register(
            "a", start, end, warning: warning, atFirstUse: atFirstUse, events: events,
            startTold: startTold)
    }

    mutating func register(
        _ name: String, _ start: DateComponents, _ end: DateComponents, repeats: Bool = true,
        warning: DateComponents? = nil, atFirstUse: Bool = false, events: [EventDefinition] = [],
        startTold: Instant? = nil
    ) throws {
        registrations += 1
        let definition = ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: start, intervalEnd: end, repeats: repeats, warningTime: warning),
            events: events, atFirstUse: atFirstUse ? true : nil)
        try rules.register(
            definition, as: Self.name(name), registration: registrations, registered: now, zone: zone,
            startTold: startTold)
        try settle()
    }

    mutating func stop(_ name: String = "a") {
        if let end = rules.remove(Self.name(name), now: now) { told.append(end) }
    }

    mutating func settle() throws {
        told += try rules.due(until: now).filter(\.isDelivered)
    }

    /// Time passes from one due instant to the next.
    mutating func pass(until end: Instant) throws {
        while let due = rules.nextDue, due <= end {
            now = max(now, due)
            try settle()
        }
        now = max(now, end)
    }

    mutating func pass(until text: String) throws { try pass(until: try instant(text)) }

    /// Advances time without processing what is due.
    mutating func jump(to text: String) throws { now = try instant(text) }

    /// From now on an app is in use, or none.
    mutating func use(_ app: String?) throws {
        var change = UseChange(member: "me", device: "laptop")
        if let using, let interval = TimeRange(start: using.since, end: now) {
            change.added = [Use(using.subject, interval)]
        }
        using = app.map { (.app($0), now) }
        if let using { change.running = [RunningUse(using.subject, start: using.since)] }
        try rules.apply(change)
        try settle()
    }

    /// Use of long ago becomes known, on another device.
    mutating func learn(_ app: String, _ start: String, _ end: String) throws {
        guard let interval = TimeRange(start: try instant(start), end: try instant(end)) else { return }
        try rules.apply(UseChange(member: "me", device: "phone", added: [Use(.app(app), interval)]))
        try settle()
    }

    mutating func move(to name: String) throws {
        zone = try Zone(name)
        _ = try rules.setZone(zone, of: "me", now: now)
        try settle()
    }

    /// Callbacks published since the last call: `<day>T<hh:mm:ss> <callback> <activity>/<event>`, in the
    /// zone.
    mutating func news() -> [String] {
        defer { told = [] }
        return told.map { due in
            let event = due.event.map { "/" + $0.name } ?? ""
            let marks = (due.isLate ? " late" : "") + (due.isPast ? " past" : "")
            let time = zone.timestamp(at: due.at).prefix(19).dropFirst(5)
            return "\(time) \(due.callback.rawValue) \(due.name.name)\(event)\(marks)"
        }
    }
}

extension EventDefinition {
    static func minutes(_ count: Int64, _ name: String = "e", past: Bool = false) -> EventDefinition {
        EventDefinition(
            name: name, applications: ["game"], threshold: DateComponents(minute: count),
            includesPastActivity: past)
    }
}
