import CommandKit
import Contract
import Foundation
import Glibc
import Loop
import ServiceKit
import Units

/// Time zones and the clock.
enum ClockChecks {
    @LoopActor static func all(_ session: Session) async -> [Finding] {
        [zones(), synchronisation(), await believed(session)].compactMap(\.self)
    }

    /// Foundation carries time-zone data of its own; days are cut by it, and other programs use the system's.
    private static func zones() -> Finding {
        let check = "time zones"
        guard TimeZone(identifier: "America/New_York") != nil else {
            return .error(
                check, "America/New_York is unknown to this program; days would be cut in UTC",
                "Link it dynamically, with the Swift runtime's own time-zone data.")
        }
        let system = TimeZone.current.identifier
        let names = ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", system]
        var missing: [String] = []
        for name in names where systemOffset(name, at: 0) == nil && name != "GMT" { missing.append(name) }
        guard missing.isEmpty else {
            return .warning(
                check, "the system has no data of \(missing.joined(separator: ", ")); they were not compared",
                "Install the package tzdata.")
        }
        for name in names {
            guard let zone = TimeZone(identifier: name) else {
                return .error(
                    check, "the zone \(name) is unknown to this program", "Set TZ to a zone that exists.")
            }
            if let wrong = firstDifference(zone) {
                let day = LocalTime.text(Instant(.seconds(wrong)))
                return .error(
                    check, "\(name) differs from the system's data on \(day)",
                    "Update tzdata and the Swift runtime, so that both know the same rules.")
            }
        }
        return .ok(
            check, "this program and the system agree on \(Set(names).count) zones; here it is \(system)")
    }

    /// Seconds since 1970 of the first month, two years back to two years ahead, in which they differ.
    private static func firstDifference(_ zone: TimeZone) -> Int64? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        for month in -24...24 {
            let second = Int64(now.tv_sec) + Int64(month) * 2_629_746
            guard let system = systemOffset(zone.identifier, at: second) else { continue }
            if zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))) != system {
                return second
            }
        }
        return nil
    }

    /// Seconds ahead of UTC by the C library; nil: it has no data of the zone, and would say UTC.
    private static func systemOffset(_ name: String, at second: Int64) -> Int? {
        let directory = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        guard access("\(directory)/\(name)", R_OK) == 0 else { return nil }
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", name, 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        var time = time_t(second)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil else { return nil }
        return Int(parts.tm_gmtoff)
    }

    private static func synchronisation() -> Finding {
        .ok(
            "clock",
            MachineClock.isSynchronised
                ? "is synchronised"
                : "is not synchronised; when it is set by hand, `screentime clock confirm` must follow")
    }

    /// Nil when activity-center is down: that is a finding already.
    @LoopActor private static func believed(_ session: Session) async -> Finding? {
        guard session.somebodyListens(at: .activity) else { return nil }
        do throws(ServiceError) {
            let status = try await session.call(TimeStatus.self, Nothing(), deadline: 1_000)
            if let clock = try ClockPage.find(in: session.configuration.stateDirectory) {
                return .ok("time", "is virtual and stands at \(UTCTime.text(clock.now))")
            }
            guard status.held != 0 else { return .ok("time", "goes by the machine's clock") }
            let step = LocalTime.duration(.seconds((abs(status.held) + 500) / .second))
            return .warning(
                "time",
                "the clock was set \(status.held > 0 ? "forward" : "back") by \(step) and nothing confirms "
                    + "it; for use and schedules it is \(LocalTime.text(status.now))",
                "Set the clock right, let time synchronisation do it, or run `screentime clock confirm`.")
        } catch {
            return nil
        }
    }
}
