package import Contract
package import Units

extension DateComponents {
    /// The components as a duration, as in thresholds and warning times: days of 24 h, hours, minutes,
    /// seconds, and nanoseconds rounded down to milliseconds. Nil if a component has no fixed length, is
    /// negative, or the sum exceeds 64 bits.
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

/// An event whose definition is invalid.
package struct EventRuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Name of the event.
    package let event: String
    /// What is wrong, half a sentence.
    package let reason: String

    package var description: String { "event '\(event)': \(reason)" }
}

extension EventRule {
    /// Throws if the threshold is not a positive duration.
    package init(_ definition: EventDefinition) throws(EventRuleError) {
        guard let threshold = definition.threshold.duration, threshold > 0 else {
            throw EventRuleError(
                event: definition.name,
                reason: "the threshold is not a positive duration; "
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
