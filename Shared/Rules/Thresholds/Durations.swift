package import Contract

extension DateComponents {
    /// As a length of time, the way thresholds and warning times are given: days of 24 h, hours, minutes,
    /// seconds, nanoseconds rounded down to milliseconds. `nil` if it names a part without a fixed length, a
    /// negative one, or more than 64 bits hold.
    package var duration_ms: Int64? {
        let unfixed = [era, year, month, weekday, weekdayOrdinal]
        guard unfixed.allSatisfy({ $0 == nil }) else { return nil }
        let parts = [
            (day, 86_400_000), (hour, 3_600_000), (minute, 60_000), (second, 1000),
            (nanosecond.map { $0 / 1_000_000 }, 1),
        ]
        var sum_ms: Int64 = 0
        for (count, unit_ms) in parts {
            guard let count else { continue }
            if count < 0 { return nil }
            let (part_ms, isTooBig) = count.multipliedReportingOverflow(by: Int64(unit_ms))
            let (next_ms, isTooMuch) = sum_ms.addingReportingOverflow(part_ms)
            if isTooBig || isTooMuch { return nil }
            sum_ms = next_ms
        }
        return sum_ms
    }
}

/// An event that cannot be counted, and why.
package struct EventRuleError: Error, Hashable, Sendable, CustomStringConvertible {
    package let event: String
    package let reason: String

    package var description: String { "event '\(event)': \(reason)" }
}

extension EventRule {
    /// Throws when the threshold is not a length of time above zero.
    package init(_ definition: EventDefinition) throws(EventRuleError) {
        guard let threshold_ms = definition.threshold.duration_ms, threshold_ms > 0 else {
            throw EventRuleError(
                event: definition.name,
                reason: "the threshold is not a length of time above zero; "
                    + "give days, hours, minutes or seconds, none below 0")
        }
        self.init(
            applications: Set(definition.applications ?? []), categories: Set(definition.categories ?? []),
            webDomains: Self.domains(definition.webDomains),
            except: Exceptions(
                applications: Set(definition.except?.applications ?? []),
                categories: Set(definition.except?.categories ?? []),
                webDomains: Self.domains(definition.except?.webDomains)),
            threshold_ms: threshold_ms,
            includesPastActivity: definition.includesPastActivity ?? false)
    }

    private static func domains(_ names: [String]?) -> Set<String> {
        Set((names ?? []).map { DomainName.spelling(of: $0) })
    }
}
