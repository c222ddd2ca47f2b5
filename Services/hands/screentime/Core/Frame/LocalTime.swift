import Glibc
package import Units

/// Instants as the person's clock shows them.
package enum LocalTime {
    /// `2026-11-20 06:13:35`, in the zone of this process.
    package static func text(_ instant: Instant) -> String { formatted(instant, "%Y-%m-%d %H:%M:%S") }

    /// `06:13:35.120`
    package static func clock(_ instant: Instant) -> String {
        let rest = instant.sinceEpoch.flooredRemainder(.second).count
        return formatted(instant, "%H:%M:%S") + "." + String(String(rest + 1_000).dropFirst())
    }

    private static func formatted(_ instant: Instant, _ format: String) -> String {
        var seconds = time_t(instant.sinceEpoch.flooredQuotient(.second))
        var parts = tm()
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `850 ms`, `12.3 s`, `4 min 05 s`, `2 h 07 min`
    package static func duration(_ time: Milliseconds) -> String {
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let milliseconds = time.count
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<60_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<3_600_000: return "\(milliseconds / 60_000) min \(padded(milliseconds % 60_000 / 1_000)) s"
        default: return "\(milliseconds / 3_600_000) h \(padded(milliseconds % 3_600_000 / 60_000)) min"
        }
    }
}
