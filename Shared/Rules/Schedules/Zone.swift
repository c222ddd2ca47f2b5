import Foundation
package import Units

/// A time zone and the way its wall clock maps to instants. Foundation's time-zone data is asked for offsets;
/// everything else is whole-number arithmetic, so that gaps and repeated hours follow docs/time.md.
package struct Zone: Sendable {
    /// The IANA name, as given.
    package let identifier: String
    private let timeZone: TimeZone

    package init(_ identifier: String) throws(CivilTimeError) {
        guard let timeZone = TimeZone(identifier: identifier) else { throw .unknownZone(identifier) }
        self.identifier = identifier
        self.timeZone = timeZone
    }

    /// The zone this process runs in (TZ, else the machine's) now: it may be moved at any time.
    package static var current: Zone {
        MachineZone.name.flatMap { TimeZone(identifier: $0).map(Zone.init) } ?? Zone(TimeZone.current)
    }

    private init(_ timeZone: TimeZone) {
        identifier = timeZone.identifier
        self.timeZone = timeZone
    }

    /// What the wall clock is ahead of UTC at this instant.
    package func offset(at instant: Instant) -> Milliseconds {
        let second = Double(instant.sinceEpoch.flooredQuotient(.second))
        return .seconds(Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: second))))
    }

    /// What the wall clock shows, as the time since 1970-01-01T00:00 on that clock.
    package func wall(at instant: Instant) -> Milliseconds { instant.sinceEpoch + offset(at: instant) }

    /// The instant at which the wall clock shows `wall`. A repeated time is its first; a time in a gap
    /// moves forward by the gap's length (02:30 in a gap of an hour is 03:30).
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

    package func date(at instant: Instant) -> LocalDate {
        LocalDate(dayNumber: Int(wall(at: instant).flooredQuotient(Milliseconds.day)))
    }

    /// The first instant in (`after`, `until`] with another offset than `after`, found by halving.
    /// The range must hold one change at most.
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

    /// Further from a wall time than any offset, so that one change lies between the two probes around it.
    private static let probe = Milliseconds.hours(26)
}

extension Zone: Hashable {
    package static func == (left: Zone, right: Zone) -> Bool { left.identifier == right.identifier }
    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

package enum CivilTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownZone(String)
    /// Apple's `invalidDateComponents`.
    case invalidDateComponents(String)

    package var description: String {
        switch self {
        case .unknownZone(let name):
            "the time zone '\(name)' is not known; use a name such as Europe/Berlin or UTC"
        case .invalidDateComponents(let reason): reason
        }
    }
}
