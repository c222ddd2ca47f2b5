package import Contract
internal import ExtensionLink
internal import Glibc
import Time
import Units

/// The state of one target.
package struct LimitStatus: Encodable, Sendable {
    package struct Days: Encodable, Sendable {
        package var days: String
        package var seconds: Int64
        package var warnSeconds: Int64?
        package var say: String?
    }

    package struct Hours: Encodable, Sendable {
        package var days: String
        package var windows: [String]
    }

    package var kind: String
    /// App id, domain or category; absent for the total.
    package var subject: String?
    package var limits: [Days]
    package var hours: [Hours]
    package var alwaysAllowed: Bool
    package var doesNotCount: Bool
    /// Today's limit; absent if there is none.
    package var todaySeconds: Int64?
    /// Seconds used of it; absent if today has no limit.
    package var usedSeconds: Int64?
    package var leftSeconds: Int64?
    /// `HH:MM`: when the day of its limits begins; absent if that is when the person's day begins.
    package var dayStart: String?
    package var shut: Bool
    package var why: [String]

    /// Everything with a rule or a mark, sorted.
    /// - Throws: `ServiceError` if a service does not answer.
    package static func all() throws(ServiceError) -> [LimitStatus] {
        let plan = try Limits.plan()
        let registered = try Limits.registered()
        let shields = try LimitShields(allowed: plan.marks[.allow])
        var all: [LimitStatus] = []
        for target in plan.targets.sorted() {
            all.append(try LimitStatus(target, plan, registered, shields))
        }
        return all
    }

    private init(
        _ target: LimitTarget, _ plan: LimitPlan, _ registered: [MonitoredActivity],
        _ shields: LimitShields
    ) throws(ServiceError) {
        kind = target.kind.rawValue
        subject = target.kind == .total ? nil : target.subject
        limits = Self.grouped(plan.limits[target]).map { days, limit in
            Days(
                days: days, seconds: limit.seconds, warnSeconds: limit.warnSeconds, say: limit.message)
        }
        let start = plan.dayStart(of: target)
        dayStart = start == plan.dayStart ? nil : TimeWindow.text(start)
        hours = Self.grouped(plan.hours[target]).map { days, windows in
            Hours(days: days, windows: windows.map(\.text))
        }
        alwaysAllowed = plan.marks[.allow].contains(target)
        doesNotCount = plan.marks[.ignore].contains(target)
        let reasons = try shields.reasons(for: target)
        shut = !reasons.isEmpty
        // A category has a shield for its apps and one for its domains, for the same reason.
        var sentences: [String] = []
        for sentence in reasons.map(Self.sentence) where !sentences.contains(sentence) {
            sentences.append(sentence)
        }
        why = sentences + (alwaysAllowed ? ["always allowed"] : [])
        guard let today = Self.limit(of: target, among: registered), let event = today.activity.events?.first
        else { return }
        let used = try Self.used(event, today)
        todaySeconds = event.threshold.second
        usedSeconds = used / 1_000
        leftSeconds = max(0, (event.threshold.second ?? 0) - used / 1_000)
    }

    /// Today's activity with the smallest limit. An interrupted command may have left two.
    static func limit(
        of target: LimitTarget, among registered: [MonitoredActivity]
    ) -> MonitoredActivity? {
        func seconds(_ entry: MonitoredActivity) -> Int64 {
            entry.activity.events?.first?.threshold.second ?? .max
        }
        return registered.filter { entry in
            guard entry.inInterval, let name = PlanName(entry.activity.name) else { return false }
            return name.rule == .limit && name.target == target
        }.min { seconds($0) < seconds($1) }
    }

    /// The use that counts towards the limit, by the rules of thresholds.
    private static func used(
        _ event: EventDefinition, _ today: MonitoredActivity
    ) throws(ServiceError) -> Milliseconds {
        let asked = ActivityCallback(
            client: today.client, member: today.member, activity: today.activity.name, event: event.name,
            registration: today.registration, occurrenceStart: today.intervalStart ?? 0,
            occurrenceEnd: today.intervalEnd ?? 0, at: now, definition: event,
            countedFrom: today.intervalStart)
        let answer = try Link.shared.call(
            MonitoringRecount.self, MonitoringRecount.Params(callbacks: [asked]))
        return answer.recounted.first?.total ?? 0
    }

    private static var now: Instant { Instant(KernelClock.read(CLOCK_REALTIME)) }

    private static func grouped<Rule: Hashable>(_ days: [Int64: Rule]?) -> [(days: String, rule: Rule)] {
        var byRule: [Rule: Set<Int64>] = [:]
        for (day, rule) in days ?? [:] { byRule[rule, default: []].insert(day) }
        func first(_ days: Set<Int64>) -> Int { Weekdays.order.firstIndex { days.contains($0) } ?? 0 }
        return byRule.sorted { first($0.value) < first($1.value) }
            .map { (Weekdays.text($0.value), $0.key) }
    }

    private static func sentence(_ reason: ShieldReason) -> String {
        guard reason.client == BuiltInClient.limits else { return "'\(reason.store)' of \(reason.client)" }
        if let name = PlanName(reason.store), name.rule == .limit {
            return "the limit for \(name.target.words) is reached"
        }
        let words = reason.store.split(separator: " ", maxSplits: 1)
        if words.first == "hours", words.count == 2, let target = LimitTarget(name: words[1]) {
            return "outside the hours of \(target.words)"
        }
        return "your own '\(reason.store)'"
    }
}
