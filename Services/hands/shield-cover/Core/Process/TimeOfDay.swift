import Glibc
import Units

/// The machine's time of day.
enum TimeOfDay {
    /// `18:02`
    static func text(_ instant: Instant) -> String {
        var seconds = time_t(instant.sinceEpoch.flooredQuotient(.second))
        var parts = tm()
        localtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return padded(parts.tm_hour) + ":" + padded(parts.tm_min)
    }
}
