package import Contract
package import Units

/// An observation without a field that its kind requires.
package struct ObservationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of the observation.
    package let kind: ObservationKind
    /// Its instant.
    package let at: Instant
    /// Name of the missing field.
    package let missing: String

    package var description: String {
        "the observation '\(kind.rawValue)' at \(at) has no \(missing); send it with one"
    }
}

extension UsageChange {
    /// Converts an observation; throws if a field is missing that its kind requires.
    package init(_ observation: Observation) throws(ObservationError) {
        var boot: BootTime?
        if let id = observation.bootID, let elapsed = observation.boottime {
            boot = BootTime(id: id, elapsed: elapsed)
        }
        self.init(
            at: observation.at, ordinal: observation.ordinal ?? 0, boot: boot, try Kind(observation))
    }

    /// The observation for this change. `UsageChange(change.observation)` equals `change`.
    package var observation: Observation {
        var observation = Observation(
            at: at, kind: kind.observationKind, ordinal: ordinal, bootID: boot?.id,
            boottime: boot?.elapsed)
        switch kind {
        case .opened(let subject, let instance), .closed(let subject, let instance):
            observation.instance = instance
            observation.name(subject)
        case .notification(let subject): observation.name(subject)
        case .focus(.app(let id)): observation.app = id
        case .focus(.unknown): observation.app = Subject.unknownApp.id
        case .domain(let host, let browser):
            observation.domain = host
            observation.app = browser
        case .visit(let host): observation.domain = host.isEmpty ? nil : host
        default: break
        }
        return observation
    }
}

extension UsageChange.Kind {
    fileprivate init(_ observation: Observation) throws(ObservationError) {
        switch observation.kind {
        case .focus: self = .focus(UsageChange.Focus(observation.app))
        case .domain: self = .domain(observation.domain, browser: observation.app)
        case .visit: self = .visit(observation.domain ?? "")
        case .idle: self = .idle
        case .active: self = .active
        case .locked: self = .locked
        case .unlocked: self = .unlocked
        case .suspend: self = .suspend
        case .resume: self = .resume
        case .alive: self = .alive
        case .reset: self = .reset
        case .sensorLost: self = .sensorLost
        case .opened: self = .opened(try observation.subject(), instance: observation.instance ?? 0)
        case .closed: self = .closed(try observation.subject(), instance: observation.instance ?? 0)
        case .notification: self = .notification(try observation.subject())
        }
    }

    fileprivate var observationKind: ObservationKind {
        switch self {
        case .focus: .focus
        case .domain: .domain
        case .visit: .visit
        case .idle: .idle
        case .active: .active
        case .locked: .locked
        case .unlocked: .unlocked
        case .suspend: .suspend
        case .resume: .resume
        case .alive: .alive
        case .reset: .reset
        case .sensorLost: .sensorLost
        case .opened: .opened
        case .closed: .closed
        case .notification: .notification
        }
    }
}

extension UsageChange.Focus {
    fileprivate init(_ app: String?) {
        switch app {
        case nil: self = .nothing
        case Subject.unknownApp.id: self = .unknown
        case .some(let id): self = .app(id)
        }
    }
}

extension Observation {
    /// The app, or else the domain. An empty domain is that of pages without a host.
    fileprivate func subject() throws(ObservationError) -> Subject {
        if let app, !app.isEmpty { return .app(app) }
        if let domain { return .domain(domain) }
        throw ObservationError(kind: kind, at: at, missing: "app or domain")
    }

    fileprivate mutating func name(_ subject: Subject) {
        switch subject.kind {
        case .app: app = subject.id
        case .domain: domain = subject.id
        }
    }
}

extension Subject {
    /// The contract's name of its kind.
    package var subjectKind: SubjectKind { kind == .app ? .app : .domain }
}

extension TimeRange {
    /// Nil for an empty interval.
    package init?(_ interval: Interval) { self.init(start: interval.start, end: interval.end) }

    /// The range as the contract has it.
    package var interval: Interval { Interval(start: start, end: end) }
}

extension IntervalSet {
    /// Empty intervals are dropped.
    package init(_ intervals: [Interval]) { self.init(intervals.compactMap { TimeRange($0) }) }
}
