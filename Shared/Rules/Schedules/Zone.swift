package import Units

/// A time zone, mapping its wall clock to instants. Offsets come from the system's time-zone data (tzdata);
/// everything else is integer arithmetic, so that gaps and repeated hours follow docs/time.md.
package struct Zone: Sendable {
    /// IANA name, as given.
    package let identifier: String
    private let rules: ZoneRules

    /// Throws `unknownZone` unless it is the IANA name of a zone, or `GMT+hhmm`, as Foundation names a fixed
    /// offset.
    package init(_ identifier: String) throws(CivilTimeError) {
        guard let rules = ZoneFiles.rules(identifier) else { throw .unknownZone(identifier) }
        self.identifier = identifier
        self.rules = rules
    }

    /// Whether its name is Foundation's name of a fixed offset (`GMT+hhmm`), not an IANA name.
    package var isFixedOffset: Bool { identifier.utf8.count == 8 && identifier.hasPrefix("GMT") }

    /// The present zone of this process (TZ, or else the machine's), which may change at any time. UTC, which
    /// is called GMT as Foundation calls it there, also if it has no name.
    package static var current: Zone {
        guard let name = MachineZone.name, name != "UTC", let rules = ZoneFiles.rules(name)
        else { return gmt }
        return Zone(identifier: name, rules: rules)
    }

    private static let gmt = Zone(identifier: "GMT", rules: ZoneRules(fixed: 0))

    private init(identifier: String, rules: ZoneRules) {
        self.identifier = identifier
        self.rules = rules
    }

    /// How far the wall clock is ahead of UTC at an instant.
    package func offset(at instant: Instant) -> Milliseconds {
        .seconds(Int64(rules.offset(at: instant.sinceEpoch.flooredQuotient(.second))))
    }

    /// The wall time at an instant, as the time since 1970-01-01T00:00 on the wall clock.
    package func wall(at instant: Instant) -> Milliseconds { instant.sinceEpoch + offset(at: instant) }

    /// The instant at which the wall clock shows `wall`. Of a repeated time, the first. A time in a gap moves
    /// forward by the gap's length (02:30 in a one-hour gap is 03:30).
    package func instant(ofWall wall: Milliseconds) -> Instant {
        let utc = Instant(wall)
        let early = offset(at: utc - Self.probe)
        let late = offset(at: utc + Self.probe)
        let first = utc - early
        if early == late || offset(at: first) == early { return first }
        let second = utc - late
        if offset(at: second) == late { return second }
        return first
    }

    /// The local date at an instant.
    package func date(at instant: Instant) -> LocalDate {
        LocalDate(dayNumber: Int(wall(at: instant).flooredQuotient(Milliseconds.day)))
    }

    /// The first instant in (`after`, `until`] with another offset than at `after`, found by bisection. The
    /// range must contain at most one change.
    func offsetChange(after: Instant, until: Instant) -> Instant? {
        let offset = offset(at: after)
        guard self.offset(at: until) != offset else { return nil }
        var low = after
        var high = until
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.offset(at: middle) == offset { low = middle } else { high = middle }
        }
        return high
    }

    /// Larger than any offset, so that a change is between the two probes around a wall time.
    private static let probe = Milliseconds.hours(26)
}

extension Zone: Hashable {
    package static func == (left: Zone, right: Zone) -> Bool { left.identifier == right.identifier }
    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// Why a zone or a schedule is invalid.
package enum CivilTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no zone of this name.
    case unknownZone(String)
    /// Apple's `invalidDateComponents`, with a sentence that names the component.
    case invalidDateComponents(String)

    package var description: String {
        switch self {
        case .unknownZone(let name):
            "the time zone '\(name)' is not known; use a name such as Europe/Berlin or UTC"
        case .invalidDateComponents(let reason): reason
        }
    }
}
