import CommandKit
import Contract
import LimitsCore

extension LimitTarget {
    init?(_ status: LimitStatus) {
        guard let kind = Kind(rawValue: status.kind) else { return nil }
        self.init(kind, status.subject ?? "")
    }
}

extension LimitStatus {
    static func time(_ seconds: Int64) -> String { LocalTime.amount(seconds: seconds) }

    /// Sentences for a person.
    var lines: [String] {
        var state = shut ? "shielded" : "not shielded"
        if !why.isEmpty { state += " (\(why.joined(separator: "; ")))" }
        let name = kind == LimitTarget.Kind.domain.rawValue ? subject.map(DomainName.readable) : subject
        var lines = ["\(name ?? "total")  [\(kind)]  \(state)"]
        for limit in limits {
            var line = "  \(Self.time(limit.seconds)) a day, \(limit.days)"
            if let warn = limit.warnSeconds { line += ", warns \(Self.time(warn)) before" }
            if let say = limit.say { line += ": \(say)" }
            lines.append(line)
        }
        if let usedSeconds, let leftSeconds {
            lines.append("  today: \(Self.time(usedSeconds)) used, \(Self.time(leftSeconds)) left")
        }
        if let dayStart {
            let time = LocalTime.timeOfDay(dayStart)
            lines.append("  its day begins at \(time), not when yours does: `limits renew`")
        }
        for hour in hours {
            let windows = hour.windows.map { LocalTime.timeOfDay($0) }.joined(separator: " and ")
            lines.append("  \(windows.isEmpty ? "not allowed" : "allowed \(windows)"), \(hour.days)")
        }
        if doesNotCount { lines.append("  does not count") }
        return lines
    }
}
