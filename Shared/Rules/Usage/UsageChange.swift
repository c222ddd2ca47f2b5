package import Units

/// One thing that changed at one instant on one device, as the rules need it.
package struct UsageChange: Hashable, Sendable {
    /// On the device's wall clock.
    package let at: Instant
    /// Decides between changes of one millisecond: smaller first. An import's own row id.
    package let ordinal: Int64
    /// Where the sensor could read it; durations within one boot are measured on it, since
    /// the wall clock can be set.
    package let boot: BootTime?
    package let kind: Kind

    package init(at: Instant, ordinal: Int64, boot: BootTime? = nil, _ kind: Kind) {
        self.at = at
        self.ordinal = ordinal
        self.boot = boot
        self.kind = kind
    }

    /// CLOCK_BOOTTIME of one boot.
    package struct BootTime: Hashable, Sendable {
        /// `/proc/sys/kernel/random/boot_id`.
        package let id: String
        package let elapsed: Milliseconds

        package init(id: String, elapsed: Milliseconds) {
            self.id = id
            self.elapsed = elapsed
        }
    }

    package enum Focus: Hashable, Sendable {
        case app(String)
        /// Something has the focus and nobody can say what: counted as `Subject.unknownApp`.
        case unknown
        /// Nothing has the focus: an empty desktop.
        case nothing
    }

    package enum Kind: Hashable, Sendable {
        /// One instance of a subject came to the front; ignored while that instance is open.
        case opened(Subject, instance: Int64)
        /// Paused or stopped; ignored while that instance is closed.
        case closed(Subject, instance: Int64)
        /// Shutdown or start-up: everything ends at this instant and nothing is known any more.
        case reset
        case focus(Focus)
        /// The idle alarm came. Never back-dated.
        case idle
        case active
        case locked
        /// Also a pickup.
        case unlocked
        case suspend
        case resume
        /// A sign of life, written only during use.
        case alive
        /// The connection of the session's sensor broke at this instant: what it told ends here, and nothing
        /// counts until it tells again. For a sensor found dead later the instant is its last sign of life.
        /// A browser's sensor that breaks is told as `domain(nil)`.
        case sensorLost
        /// The active tab's host, `nil` for none. With a browser it is in front only while that app has the
        /// focus.
        case domain(String?, browser: String?)
        /// A page was opened, of this host (empty: of none). It is in front until the next visit or `domain`,
        /// for ``UsageMachine/visitMax`` at most. For imports that know when pages were opened, no more.
        case visit(String)
        case notification(Subject)
    }
}

extension UsageChange.Kind {
    /// Whether only a living session sensor can tell it.
    var isFromSession: Bool {
        switch self {
        case .alive, .domain, .visit, .notification, .sensorLost: false
        default: true
        }
    }

    /// Whether it shows that the session's sensor lives.
    var isSignOfLife: Bool { self == .alive || isFromSession }
}

extension UsageChange: Comparable {
    /// The order in which a machine wants them: by instant, by ordinal, and then by content, so that no two
    /// different changes are equal and the order of arrival decides nothing.
    package static func < (left: UsageChange, right: UsageChange) -> Bool {
        if left.at != right.at { return left.at < right.at }
        if left.ordinal != right.ordinal { return left.ordinal < right.ordinal }
        return left.kind.content < right.kind.content
    }
}

extension UsageChange.Kind {
    /// Ends before beginnings, then by subject and instance.
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
