import Contract
import Units

/// Refuses an event that violates the contract.
enum UsageCheck {
    /// 9999-12-31T23:59:59.999Z
    private static let instants: ClosedRange<Instant> = 0...253_402_300_799_999

    /// - Throws: `invalidArgument`
    static func check(_ event: UsageRecorded) throws(ServiceError) {
        guard event.kind != .category else {
            throw wrong("its subject is a category, not an app or a domain")
        }
        guard event.from <= event.to else { throw wrong("its range ends before it begins") }
        let range = event.from..<event.to
        var previous = Instant.min
        for interval in event.intervals {
            guard range.contains(interval.start) else {
                throw wrong("an interval begins outside of its range")
            }
            guard interval.start < interval.end else { throw wrong("an interval is empty") }
            guard interval.start >= previous else { throw wrong("its intervals overlap") }
            previous = interval.end
        }
        guard event.intervals.isEmpty || !event.subject.isEmpty || event.kind == .domain else {
            throw wrong("it has intervals without a subject")
        }
        let marks = event.pickups + event.notifications
        guard marks.allSatisfy(range.contains) else { throw wrong("a mark lies outside of its range") }
        let told = marks + event.intervals.flatMap { [$0.start, $0.end] }
        guard told.allSatisfy(instants.contains) else {
            throw wrong("an instant lies outside of the years 1970 to 9999")
        }
    }

    private static func wrong(_ reason: String) -> ServiceError {
        ServiceError(
            .invalidArgument, "\(UsageRecorded.type) cannot be applied: \(reason)",
            remedy: "Run the same version of all services.")
    }
}
