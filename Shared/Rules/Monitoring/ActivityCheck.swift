package import Contract
import JSON
import Rules
package import Schedules
package import Units

/// Validates activities before they are monitored. Errors have Apple's names where Apple has one.
package struct ActivityCheck {
    private let zone: Zone
    private let now: Instant
    private let limits: AppleLimits

    package init(zone: Zone, now: Instant, limits: AppleLimits = AppleLimits()) {
        self.zone = zone
        self.now = now
        self.limits = limits
    }

    static let activitiesPerRequestMax = 100
    static let eventsPerActivityMax = 1_000
    /// Maximum bytes of one event's definition, by ``Record/weight``; it is part of each callback.
    static let eventBytesMax = 256 * 1024
    /// Maximum warning time; a longer one makes no sense.
    static let warningMax: Milliseconds = .days(366)

    /// Checks the definitions of one request.
    /// - Throws: Apple's errors, `limitExceeded` or `invalidParams`
    package func check(_ activities: [ActivityDefinition]) throws(ServiceError) {
        guard activities.count <= Self.activitiesPerRequestMax else {
            throw ServiceError(
                .limitExceeded, "\(activities.count) activities; \(Self.activitiesPerRequestMax) are allowed",
                remedy: "Start them in several requests.")
        }
        try Self.checkDifferent(activities.map(\.name), "activities")
        for activity in activities { try check(activity) }
    }

    private func check(_ activity: ActivityDefinition) throws(ServiceError) {
        try Self.checkName(activity.name, "the activity's name")
        try checkSchedule(of: activity)
        let events = activity.events ?? []
        guard events.count <= Self.eventsPerActivityMax else {
            throw ServiceError(
                .limitExceeded,
                "\(events.count) events in one activity; \(Self.eventsPerActivityMax) are allowed",
                remedy: "Spread them over several activities.")
        }
        try Self.checkDifferent(events.map(\.name), "events of one activity")
        for event in events { try Self.check(event) }
    }

    private func checkSchedule(of activity: ActivityDefinition) throws(ServiceError) {
        let next: CivilOccurrence
        do {
            next = try CivilSchedule(activity.schedule, zone: zone).requireFuture(now: now)
        } catch {
            throw ServiceError(
                .invalidDateComponents, "activity '\(activity.name)': \(error)",
                remedy: "Correct its schedule; see DateComponents in the contract.")
        }
        if let warning = activity.schedule.warningTime?.duration, warning > Self.warningMax {
            throw ServiceError(
                .invalidDateComponents,
                "warningTime of activity '\(activity.name)' is longer than \(Self.warningMax / .day) days",
                remedy: "Set a shorter warningTime.")
        }
        let length = next.endWall - next.startWall
        if let least = limits.intervalMin, length < least {
            throw ServiceError(
                .intervalTooShort,
                "the interval of activity '\(activity.name)' lasts \(length / .second) s; "
                    + "the minimum is \(least / .second) s",
                remedy: "Set a later end; warningTime can report an earlier instant.")
        }
        if let most = limits.intervalMax, length > most {
            throw ServiceError(
                .intervalTooLong,
                "the interval of activity '\(activity.name)' lasts \(length / .second) s; "
                    + "the maximum is \(most / .second) s",
                remedy: "Set an earlier end and repeat it.")
        }
    }

    /// Checks the number of activities of a client; `names` are all of them after the registration.
    /// - Throws: `excessiveActivities`
    package func checkCount(of names: Set<ActivityName>) throws(ServiceError) {
        guard let most = limits.activitiesMax, names.count > most else { return }
        throw ServiceError(
            .excessiveActivities, "\(names.count) activities; the limit is \(most)",
            remedy: "Stop some first, or combine several into one with more events.")
    }

    private static func check(_ event: EventDefinition) throws(ServiceError) {
        try checkName(event.name, "the event's name")
        do { _ = try EventRule(event) } catch {
            throw ServiceError(
                .invalidDateComponents, error.description,
                remedy: "Give a threshold such as {\"minute\": 30}.")
        }
        let except = event.except ?? EventExceptions()
        for list in [
            event.applications, event.categories, event.webDomains, except.applications, except.categories,
            except.webDomains,
        ] {
            for name in list ?? [] { try checkName(name, "what event '\(event.name)' names") }
        }
        guard event.message?.utf8.count ?? 0 <= Limits.textBytesMax else {
            throw ServiceError(
                .limitExceeded,
                "the message of event '\(event.name)' is over \(Limits.textBytesMax) bytes",
                remedy: "Shorten it.")
        }
        guard event.weight <= eventBytesMax else {
            throw ServiceError(
                .limitExceeded, "event '\(event.name)' is over \(eventBytesMax) bytes",
                remedy: "Name fewer apps and domains; use categories.")
        }
    }

    private static func checkDifferent(_ names: [String], _ what: String) throws(ServiceError) {
        var seen: Set<String> = []
        guard let twice = names.first(where: { !seen.insert($0).inserted }) else { return }
        throw ServiceError(
            .invalidParams, "two \(what) have the same name '\(twice)'",
            remedy: "Give each a unique name.")
    }

    private static func checkName(_ name: String, _ what: String) throws(ServiceError) {
        try VisibleText.checkName(name, what)
    }
}
