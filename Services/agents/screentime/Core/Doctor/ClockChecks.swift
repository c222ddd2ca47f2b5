import CommandKit
import Contract
import Foundation
import Glibc
import Loop
import Schedules
import ServiceKit
import Units

/// Time zones and the clock.
enum ClockChecks {
    @LoopActor static func all(_ session: Session) async -> [Finding] {
        [zones(), synchronisation(), await believed(session)].compactMap(\.self)
    }

    /// Days are cut by the system's time-zone data. Foundation, by which extension programs compute dates,
    /// has data of its own.
    private static func zones() -> Finding {
        let check = "time zones"
        let here = Zone.current.identifier
        let machine = MachineZone.name
        guard let machine, machine == here || machine == "UTC" else {
            let wrong = machine.map { "'\($0)' is unknown" } ?? "has no name"
            return .warning(
                check, "the machine's zone \(wrong); days of members without a zone are cut in UTC",
                "Set it with `timedatectl set-timezone Europe/Berlin`, or TZ to such a name.")
        }
        let names = ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", here]
        for name in names {
            let zone: Zone
            do throws(CivilTimeError) { zone = try Zone(name) } catch {
                return .error(
                    check, "the system has no data of \(name); days of it cannot be cut",
                    "Install the package tzdata.")
            }
            guard let other = TimeZone(identifier: name) else {
                return .error(
                    check, "Foundation does not know the zone \(name); extension programs use UTC instead",
                    "Install all of the Swift runtime, with its time-zone data.")
            }
            if let wrong = firstDifference(zone, other) {
                return .error(
                    check, "Foundation differs from the system's data of \(name) on \(LocalTime.text(wrong))",
                    "Update tzdata and the Swift runtime, so that both know the same rules.")
            }
        }
        return .ok(
            check, "the system and Foundation agree on \(Set(names).count) zones; here it is \(here)")
    }

    /// The first month, two years back to two years ahead, in which they differ.
    private static func firstDifference(_ zone: Zone, _ other: TimeZone) -> Instant? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        for month in -24...24 {
            let second = Int64(now.tv_sec) + Int64(month) * 2_629_746
            let instant = Instant(.seconds(second))
            let date = Date(timeIntervalSince1970: Double(second))
            if zone.offset(at: instant) != .seconds(Int64(other.secondsFromGMT(for: date))) { return instant }
        }
        return nil
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
