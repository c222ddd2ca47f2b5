package import Contract
package import Units

extension DateComponents {
    /// As a length of time, the way thresholds and warning times are given: days of 24 h, hours, minutes,
    /// seconds, nanoseconds rounded down to milliseconds. `nil` if it names a part without a fixed length, a
    /// negative one, or more than 64 bits hold.
    package var duration: Milliseconds? {
        let unfixed = [era, year, month, weekday, weekdayOrdinal]
        guard unfixed.allSatisfy({ $0 == nil }) else { return nil }
        let parts: [(Int64?, Int64)] = [
            (day, 86_400_000), (hour, 3_600_000), (minute, 60_000), (second, 1000),
            (nanosecond.map { $0 / 1_000_000 }, 1),
        ]
        var sum: Int64 = 0
        for (count, unit) in parts {
            guard let count else { continue }
            if count < 0 { return nil }
            let (part, isTooBig) = count.multipliedReportingOverflow(by: unit)
            let (next, isTooMuch) = sum.addingReportingOverflow(part)
            if isTooBig || isTooMuch { return nil }
            sum = next
        }
        return Milliseconds(sum)
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
        guard let threshold = definition.threshold.duration, threshold > 0 else {
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
            threshold: threshold,
            includesPastActivity: definition.includesPastActivity ?? false)
    }

    private static func domains(_ names: [String]?) -> Set<String> {
        Set((names ?? []).map { DomainName.spelling(of: $0) })
    }
}
