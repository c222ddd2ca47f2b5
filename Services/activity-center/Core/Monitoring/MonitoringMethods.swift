import Bus
import Contract
import Loop
import Monitoring
import Rules
import Schedules
import ServiceKit
import Units
import ZoneWatch

/// `monitoring.start`, `monitoring.stop`, `monitoring.list`, and the effect of a revoked authorization.
extension Monitor {
    func start(
        _ params: MonitoringStart.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> MonitoringStart.Result {
        let names = params.activities.map { name($0.name, params.member, context) }
        let own = name("", params.member, context)
        let stop = params.stop ?? []
        let ending = stop.isEmpty ? [] : try registered(stop, of: own).filter { !names.contains($0) }
        try checkCount(of: names, besides: ending, for: own)
        for (name, activity) in zip(names, params.activities) {
            try register(activity, as: name, startTold: params.startTold, transaction)
        }
        try settle(transaction)
        // After the starts, as two requests would: what they begin to shield is told before what these leave.
        for name in ending { try remove(name, silently: false, transaction) }
        try timer.rearm()
        let rules = try rules()
        return MonitoringStart.Result(
            activities: names.compactMap { rules.view(of: $0)?.monitored },
            sequence: try transaction.head())
    }

    /// Validates the activities, independent of the caller.
    func check(_ params: MonitoringStart.Params) throws(ServiceError) {
        try check(of: service.member(params.member)).check(params.activities)
    }

    private func checkCount(
        of names: [ActivityName], besides ending: [ActivityName], for own: ActivityName
    ) throws {
        guard service.configuration.appleLimits.activitiesMax != nil else { return }
        let others = try registered([], of: own)
        try check(of: own.member).checkCount(of: Set(others + names).subtracting(ending))
    }

    /// The activities of a client for a member with these names; all of them, if there are none.
    private func registered(_ names: [String], of own: ActivityName) throws -> [ActivityName] {
        try rules().names.filter {
            $0.client == own.client && $0.member == own.member && (names.isEmpty || names.contains($0.name))
        }
    }

    private func check(of member: String) -> ActivityCheck {
        ActivityCheck(
            zone: service.zone(of: member), now: service.clock.now, limits: service.configuration.appleLimits)
    }

    func stop(
        _ params: MonitoringStop.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> MonitoringStop.Result {
        let stopped = try registered(params.names ?? [], of: name("", params.member, context))
        for name in stopped { try remove(name, silently: false, transaction) }
        try timer.rearm()
        return MonitoringStop.Result(stopped: stopped.map(\.name), sequence: try transaction.head())
    }

    func list(_ params: MonitoringList.Params, _ context: RequestContext) throws -> MonitoringList.Result {
        let rules = try rules()
        let found = rules.names.filter {
            (context.client == nil || $0.client == context.client)
                && (params.member == nil || $0.member == params.member)
        }
        let changes = ClockChanges(around: service.clock.now)
        return MonitoringList.Result(
            activities: found.compactMap { name in
                guard var monitored = rules.view(of: name)?.monitored else { return nil }
                monitored.altered = changes.altered(monitored, in: service.zone(of: name.member))
                return monitored
            })
    }

    func pending(
        _ params: MonitoringPending.Params, _ context: RequestContext
    ) throws -> MonitoringPending.Result {
        let limit = Int(min(max(1, params.limit ?? 100), ActivityLimits.pendingPerAnswerMax))
        return MonitoringPending.Result(
            pending: try rules().pending(
                client: context.client, member: params.member, activity: params.activity, limit: limit,
                now: service.clock.now))
    }

    func recount(_ params: MonitoringRecount.Params) throws -> MonitoringRecount.Result {
        guard params.callbacks.count <= ActivityLimits.recountedPerRequestMax else {
            throw ServiceError(
                .limitExceeded,
                "\(params.callbacks.count) callbacks; \(ActivityLimits.recountedPerRequestMax) are allowed",
                remedy: "Send several requests.")
        }
        let rules = try rules()
        return MonitoringRecount.Result(
            recounted: try params.callbacks.map { try rules.recount($0) ?? RecountedCallback() })
    }

    /// Stops the activities of a client whose approval was revoked. Its program may no longer act, so it gets
    /// no callback. A missing approval, as after auth-service was restored from an older backup, is not a
    /// revocation: the activities stay.
    func apply(_ change: AuthorizationChanged, _ transaction: Transaction) throws {
        guard change.revoked else { return }
        let authorization = change.authorization
        try removeSilently(transaction) {
            $0.client == authorization.client && $0.member == authorization.member
        }
    }

    /// Stops the activities whose approval or member ended unread.
    func endUnauthorized(_ rebuild: Rebuild, _ transaction: Transaction) throws {
        let ended = Set(try table.names().filter { name, registered in
            service.household.ended(
                client: name.client, member: name.member, made: registered, by: rebuild)
        }.map(\.0))
        guard !ended.isEmpty else { return }
        try removeSilently(transaction) { ended.contains($0) }
    }

    /// - Returns: the number of removed activities.
    @discardableResult
    func forget(member: String, _ transaction: Transaction) throws -> Int {
        let count = try rules().names.count { $0.member == member }
        try removeSilently(transaction) { $0.member == member }
        return count
    }

    private func removeSilently(
        _ transaction: Transaction, _ isIncluded: (ActivityName) -> Bool
    ) throws {
        for name in try rules().names where isIncluded(name) {
            try remove(name, silently: true, transaction)
        }
        try timer.rearm()
    }

    private func name(_ name: String, _ member: String?, _ context: RequestContext) -> ActivityName {
        ActivityName(
            client: context.client ?? BuiltInClient.limits, member: service.member(member), name: name)
    }
}

/// How clock changes alter intervals, for people who miss one.
@LoopActor private final class ClockChanges {
    private let window: TimeRange?
    private var known: [Zone: [Instant]] = [:]

    private static let back: Milliseconds = .days(8)
    private static let ahead: Milliseconds = .days(31)
    /// Number of altered intervals listed per activity: an hourly one has dozens around a change.
    private static let explainedMax = 10

    init(around now: Instant) {
        window = TimeRange(start: now - Self.back, end: now + Self.ahead)
    }

    /// Nil if there are none. Most zones have no change in the window and cost nothing.
    func altered(_ monitored: MonitoredActivity, in zone: Zone) -> [AlteredInterval]? {
        guard let window else { return nil }
        let changes = known[zone] ?? zone.clockChanges(in: window)
        known[zone] = changes
        // Registered schedules are validated.
        guard !changes.isEmpty, let schedule = try? CivilSchedule(monitored.activity.schedule, zone: zone)
        else { return nil }
        let altered = changes.flatMap { schedule.altered(by: $0, registered: monitored.registered) }
        guard !altered.isEmpty else { return nil }
        return altered.prefix(Self.explainedMax).map {
            AlteredInterval(
                date: "\($0.date)", start: $0.start, skipped: $0.isSkipped, explanation: $0.explanation)
        }
    }
}
