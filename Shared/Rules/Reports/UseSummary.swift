package import Units

/// The entry of one subject in a summary. Subjects have the numbers of the read model.
package struct UseEntry: Hashable, Sendable {
    /// The raw values are stored; never change them.
    package enum Kind: UInt8, Hashable, Sendable {
        case app = 0
        case host = 1
        /// A registrable domain: the union of its hosts.
        case site = 2
        /// Marks without a subject.
        case nobody = 3
    }

    /// Kind of the subject.
    package var kind: Kind
    /// Number in the read model.
    package var subject: Int
    /// Time of use.
    package var duration: Milliseconds = 0
    /// For an app its time without that in which a domain was known on its device: if it is a browser, the
    /// part that counts for its own category. For a host all its time.
    package var share: Milliseconds = 0
    /// Number of pickups.
    package var pickups: Int64 = 0
    /// Number of notifications.
    package var notifications: Int64 = 0

    /// An entry without any use.
    package init(_ kind: Kind, _ subject: Int) {
        self.kind = kind
        self.subject = subject
    }
}

/// The use of one device, or of all devices of a member, in one segment. Summaries of disjoint segments can
/// be added: every number is a duration or a count.
package struct UseSummary: Hashable, Sendable {
    /// The time in which anything is in use.
    package var duration: Milliseconds = 0
    /// Sorted by kind and number; entries of zero are omitted.
    package var entries: [UseEntry] = []
    /// Runs of one device only; for several it is unknown which devices' runs touch.
    package var runs = UseRuns()
    /// The first pickup in the segment.
    package var firstPickup: Instant?

    package init() {}

    /// Whether nothing was used or counted.
    package var isEmpty: Bool { entries.isEmpty && duration == 0 }
}

/// Summaries of one segment: one for each device, and one for all devices together.
package struct UseSections: Hashable, Sendable {
    /// The summary of one device.
    package struct Section: Hashable, Sendable {
        /// Number of the device.
        package var device: Int
        /// Its use in the segment.
        package var summary: UseSummary

        package init(device: Int, summary: UseSummary) {
            self.device = device
            self.summary = summary
        }
    }

    /// Sorted by device; devices without use are omitted.
    package var devices: [Section] = []
    /// The union over the devices, in which simultaneous use counts once. Without runs.
    package var all = UseSummary()

    package init() {}

    package init(devices: [Section], all: UseSummary) {
        self.devices = devices
        self.all = all
    }

    /// Whether no device has any use.
    package var isEmpty: Bool { devices.isEmpty }
}

/// The longest uninterrupted use, in a form that can be joined: a run that ends with one segment and
/// continues in the next is one run.
package struct UseRuns: Hashable, Sendable {
    /// The longest run; of equal ones, the first.
    package var longest: TimeRange?
    /// The first run of the segment.
    package var first: TimeRange?
    /// The last run of the segment.
    package var last: TimeRange?

    package init() {}

    /// The runs of a set of instants.
    package init(of use: IntervalSet) {
        for run in use.intervals { keep(run) }
        first = use.first
        last = use.last
    }

    /// Appends the runs of a later segment.
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
