package import Units

/// A change at one instant on one device, in the form that the rules use.
package struct UsageChange: Hashable, Sendable {
    /// Instant on the device's wall clock.
    package let at: Instant
    /// Order among changes of one millisecond, smallest first. For an import the row id.
    package let ordinal: Int64
    /// Reading of the boot clock, if the sensor has one. Durations within one boot are measured on it,
    /// because the wall clock can be set.
    package let boot: BootTime?
    /// What changed.
    package let kind: Kind

    /// A change at an instant.
    package init(at: Instant, ordinal: Int64, boot: BootTime? = nil, _ kind: Kind) {
        self.at = at
        self.ordinal = ordinal
        self.boot = boot
        self.kind = kind
    }

    /// A reading of CLOCK_BOOTTIME.
    package struct BootTime: Hashable, Sendable {
        /// Identifies the boot: `/proc/sys/kernel/random/boot_id`.
        package let id: String
        /// Time since that boot.
        package let elapsed: Milliseconds

        /// A reading in the boot `id`.
        package init(id: String, elapsed: Milliseconds) {
            self.id = id
            self.elapsed = elapsed
        }
    }

    /// What has the keyboard focus.
    package enum Focus: Hashable, Sendable {
        case app(String)
        /// An app that cannot be identified has the focus: counts as `Subject.unknownApp`.
        case unknown
        /// Nothing has the focus, for example on an empty desktop.
        case nothing
    }

    /// The kinds of changes; see ``UsageMachine`` for their effect.
    package enum Kind: Hashable, Sendable {
        /// An instance of a subject moved to the foreground; ignored if that instance is open already.
        case opened(Subject, instance: Int64)
        /// An instance was paused or stopped; ignored if that instance is not open.
        case closed(Subject, instance: Int64)
        /// Shutdown or start-up: all use ends at this instant and the state is unknown.
        case reset
        case focus(Focus)
        /// The idle alarm fired. It is never back-dated to the last input.
        case idle
        case active
        case locked
        /// The session was unlocked, which also is a pickup.
        case unlocked
        case suspend
        case resume
        /// Heartbeat of the session's sensor, sent only during use.
        case alive
        /// The connection of the session's sensor broke at this instant: what it reported ends here, and
        /// nothing counts until it reports again. For a sensor found dead later, the instant is its last
        /// heartbeat. A browser's sensor that disconnects is reported as `domain(nil)`.
        case sensorLost
        /// Host of the active tab; nil for none. With a browser, the domain is in the foreground only while
        /// that app has the focus.
        case domain(String?, browser: String?)
        /// A page of this host was opened (empty: without a host). It is in the foreground until the next
        /// visit or `domain`, for at most ``UsageMachine/visitMax``. For imports that only contain when pages
        /// were opened.
        case visit(String)
        case notification(Subject)
    }
}

extension UsageChange.Kind {
    /// Whether only a running session sensor can report it.
    var isFromSession: Bool {
        switch self {
        case .alive, .domain, .visit, .notification, .sensorLost: false
        default: true
        }
    }

    /// Whether it shows that the session's sensor is running.
    var isSignOfLife: Bool { self == .alive || isFromSession }
}

extension UsageChange: Comparable {
    /// The order a machine needs: by instant, by ordinal, then by content. No two different changes are
    /// equal, so the order of arrival has no influence.
    package static func < (left: UsageChange, right: UsageChange) -> Bool {
        if left.at != right.at { return left.at < right.at }
        if left.ordinal != right.ordinal { return left.ordinal < right.ordinal }
        return left.kind.content < right.kind.content
    }
}

extension UsageChange.Kind {
    /// Ends before starts, then by subject and instance.
    fileprivate var content: (Int, String, Int64) {
        switch self {
        case .reset: (0, "", 0)
        case .sensorLost: (1, "", 0)
        case .resume: (3, "", 0)
        case .closed(let subject, let instance): (4, subject.content, instance)
        case .unlocked: (5, "", 0)
        case .active: (6, "", 0)
        case .focus(.nothing): (7, "", 0)
        case .focus(.unknown): (8, "", 0)
        case .focus(.app(let id)): (9, id, 0)
        case .domain(let host, let browser): (10, (host ?? "") + "\n" + (browser ?? ""), 0)
        case .visit(let host): (10, host, 0)
        case .opened(let subject, let instance): (11, subject.content, instance)
        case .notification(let subject): (12, subject.content, 0)
        case .alive: (13, "", 0)
        case .idle: (14, "", 0)
        case .locked: (15, "", 0)
        case .suspend: (16, "", 0)
        }
    }
}

extension Subject {
    fileprivate var content: String { kind == .app ? "a" + id : "d" + id }
}
