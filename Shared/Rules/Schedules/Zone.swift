import Foundation

/// A time zone and the way its wall clock maps to instants. Foundation's time-zone data is asked for offsets;
/// everything else is whole-number arithmetic, so that gaps and repeated hours follow our rules (design 5).
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

    /// Milliseconds that the wall clock is ahead of UTC at this instant.
    package func offset_ms(at instant_ms: Int64) -> Int64 {
        let second = Double(instant_ms.flooredQuotient(1000))
        return Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: second))) * 1000
    }

    /// What the wall clock shows, as milliseconds since 1970-01-01T00:00 on that clock.
    package func wall_ms(at instant_ms: Int64) -> Int64 { instant_ms + offset_ms(at: instant_ms) }

    /// The instant at which the wall clock shows `wall_ms`. A repeated time is its first; a time in a gap
    /// moves forward by the gap's length (02:30 in a gap of an hour is 03:30).
    package func instant_ms(ofWall wall_ms: Int64) -> Int64 {
        let early_ms = offset_ms(at: wall_ms - Self.probe_ms)
        let late_ms = offset_ms(at: wall_ms + Self.probe_ms)
        let first_ms = wall_ms - early_ms
        if early_ms == late_ms || offset_ms(at: first_ms) == early_ms { return first_ms }
        let second_ms = wall_ms - late_ms
        if offset_ms(at: second_ms) == late_ms { return second_ms }
        return first_ms
    }

    package func date(at instant_ms: Int64) -> LocalDate {
        LocalDate(dayNumber: Int(wall_ms(at: instant_ms).flooredQuotient(Span.day_ms)))
    }

    /// The first instant in (`after_ms`, `until_ms`] with another offset than `after_ms`, found by halving.
    /// The range must hold one change at most.
    func offsetChange(after after_ms: Int64, until until_ms: Int64) -> Int64? {
        let offset_ms = offset_ms(at: after_ms)
        guard self.offset_ms(at: until_ms) != offset_ms else { return nil }
        var low_ms = after_ms
        var high_ms = until_ms
        while high_ms - low_ms > 1 {
            let middle_ms = low_ms + (high_ms - low_ms) / 2
            if self.offset_ms(at: middle_ms) == offset_ms { low_ms = middle_ms } else { high_ms = middle_ms }
        }
        return high_ms
    }

    /// Further from a wall time than any offset, so that one change lies between the two probes around it.
    private static let probe_ms = 26 * Span.hour_ms
}

extension Zone: Hashable {
    package static func == (left: Zone, right: Zone) -> Bool { left.identifier == right.identifier }
    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

package enum Span {
    package static let second_ms: Int64 = 1000
    package static let minute_ms: Int64 = 60_000
    package static let hour_ms: Int64 = 3_600_000
    package static let day_ms: Int64 = 86_400_000
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
