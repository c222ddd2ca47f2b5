internal import Contract
import Glibc
internal import JSON
import Time
package import Units

/// The log of a program for iOS: one JSON line on standard error for each message, with the members of the
/// services' logs. Its host writes standard error to the program's log file.
package enum ProgramLog {
    /// Levels of the services' logs.
    package enum Level: String, Sendable { case error, warning, info, debug }

    /// Formats a line, without a line feed.
    /// - Parameter time: UTC milliseconds.
    package static func line(
        _ level: Level, _ message: String, _ data: [(String, String)] = [], time: Instant
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        let members = [("time", UTCTime.text(time)), ("level", level.rawValue)] + data
        for (key, text) in members + [("message", message)] {
            writer.key(key)
            writer.string(text)
        }
        writer.endObject()
        return writer.finish()
    }

    /// Writes one line atomically, also from several threads.
    package static func write(_ level: Level, _ message: String, _ data: [(String, String)] = []) {
        let line = line(level, message, data, time: now) + [UInt8(ascii: "\n")]
        // A closed or full standard error must not stop a program; the line is lost then.
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// Logs what a facade refuses: what was tried, why not, and what to do.
    package static func refuse(_ message: String, remedy: String) {
        write(.warning, "\(message) \(remedy)", [("subsystem", "screentime")])
    }

    /// The time, virtual if the clock is virtual.
    private static var now: Instant { Instant(KernelClock.read(CLOCK_REALTIME)) }
}
