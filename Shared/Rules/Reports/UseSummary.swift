package import Units

/// What a summary says of one subject. Subjects have the small numbers of the read model that keeps them.
package struct UseEntry: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        case app = 0
        case host = 1
        /// What one can register: its hosts united.
        case site = 2
        /// Marks that belong to no subject.
        case nobody = 3
    }

    package var kind: Kind
    package var subject: Int
    package var duration: Milliseconds = 0
    /// Of an app what is left without the time in which a domain was known on its device: the part that
    /// belongs to its own category, if it is a browser. Of a host all of it.
    package var share: Milliseconds = 0
    package var pickups: Int64 = 0
    package var notifications: Int64 = 0

    package init(_ kind: Kind, _ subject: Int) {
        self.kind = kind
        self.subject = subject
    }
}

/// All use of one device, or of all devices of a member, in one stretch of time. Summaries of stretches that
/// do not overlap add up: every figure is a measure of time or a count.
package struct UseSummary: Hashable, Sendable {
    /// The union of everything in use.
    package var duration: Milliseconds = 0
    /// Sorted by kind and number; none is all zero.
    package var entries: [UseEntry] = []
    /// Of one device only: which devices' runs touch is not known of several.
    package var runs = UseRuns()
    package var firstPickup: Instant?

    package init() {}

    package var isEmpty: Bool { entries.isEmpty && duration == 0 }
}

/// Summaries of one stretch: each device's, and that of all devices together.
package struct UseSections: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        package var device: Int
        package var summary: UseSummary

        package init(device: Int, summary: UseSummary) {
            self.device = device
            self.summary = summary
        }
    }

    /// Sorted by device; devices without anything are left out.
    package var devices: [Section] = []
    /// United over the devices: no second counts twice. Without runs.
    package var all = UseSummary()

    package init() {}

    package init(devices: [Section], all: UseSummary) {
        self.devices = devices
        self.all = all
    }

    package var isEmpty: Bool { devices.isEmpty }
}

/// The longest use without a break, kept so that stretches of time can be joined: a run that ends with one
/// stretch and goes on in the next is one run.
package struct UseRuns: Hashable, Sendable {
    /// Of equal ones the first.
    package var longest: TimeRange?
    package var first: TimeRange?
    package var last: TimeRange?

    package init() {}

    package init(of use: IntervalSet) {
        for run in use.intervals { keep(run) }
        first = use.first
        last = use.last
    }

    /// Joins what comes after everything here.
    package mutating func append(_ following: UseRuns) {
        guard let next = following.first else { return }
        if let longest = following.longest { keep(longest) }
        guard let last, last.end == next.start else {
            first = first ?? next
            last = following.last
            return
        }
        let joined = TimeRange(proven: last.start, next.end)
        keep(joined)
        if first == last { first = joined }
        self.last = following.last == next ? joined : following.last
    }

    private mutating func keep(_ run: TimeRange) {
        guard let longest else {
            self.longest = run
            return
        }
        let isLonger = run.duration > longest.duration
        let isEarlier = run.duration == longest.duration && run.start < longest.start
        if isLonger || isEarlier { self.longest = run }
    }
}
