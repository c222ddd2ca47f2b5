package import Contract

/// The limit of use on a day.
package struct DailyLimit: Hashable, Sendable {
    /// Seconds of use a day.
    package var seconds: Int64
    /// Seconds between the warning and the limit; nil for no warning.
    package var warnSeconds: Int64?
    /// The person's own text, shown literally.
    package var message: String?

    package init(seconds: Int64, warnSeconds: Int64? = nil, message: String? = nil) {
        self.seconds = seconds
        self.warnSeconds = warnSeconds
        self.message = message
    }
}

/// All of the person's limits and hours. They are stored only in the registered activities and the store of
/// marks: a plan is read from these, changed, and the differences are registered.
package struct LimitPlan: Equatable, Sendable {
    /// By weekday, 1 (Sunday) to 7. A day has one limit for each target.
    package var limits: [LimitTarget: [Int64: DailyLimit]] = [:]
    /// On a day with hours the target is shielded outside of them; on a day without, hours have no effect.
    package var hours: [LimitTarget: [Int64: [TimeWindow]]] = [:]
    package var marks = Marks()
    /// When the person's day begins now, in minutes after midnight.
    package var dayStart: Int64
    /// When the day of a target's limits begins, where that is not now's: a changed day start has no effect
    /// on limits that are not set or renewed since.
    private var oldDayStarts: [LimitTarget: Int64] = [:]

    /// - Parameter activities: those of the built-in client; ones with other names are ignored.
    package init(_ activities: [ActivityDefinition] = [], marks: Marks = Marks(), dayStart: Int64 = 0) {
        self.marks = marks
        self.dayStart = dayStart
        for activity in activities {
            guard let name = PlanName(activity.name) else { continue }
            let days = name.day.map { [$0] } ?? Weekdays.order
            switch name.rule {
            case .limit:
                guard let limit = Self.limit(of: activity) else { continue }
                // An interrupted command may have left two: the smaller one applies first.
                for day in days where limit.seconds <= limits[name.target]?[day]?.seconds ?? .max {
                    limits[name.target, default: [:]][day] = limit
                    setDayStart(of: name.target, activity.schedule.intervalStart)
                }
            case .day: for day in days { hours[name.target, default: [:]][day, default: []] += [] }
            case .window(let window):
                for day in days where hours[name.target]?[day]?.contains(window) != true {
                    hours[name.target, default: [:]][day, default: []].append(window)
                }
            }
        }
        for (target, days) in hours { hours[target] = days.mapValues { $0.sorted() } }
    }

    private static func limit(of activity: ActivityDefinition) -> DailyLimit? {
        guard let event = activity.events?.first, let seconds = event.threshold.second else { return nil }
        return DailyLimit(
            seconds: seconds, warnSeconds: activity.schedule.warningTime?.second, message: event.message)
    }

    /// Everything with a rule or a mark.
    package var targets: Set<LimitTarget> {
        Marks.Mark.allCases.reduce(into: Set(limits.keys).union(hours.keys)) { $0.formUnion(marks[$1]) }
    }

    // MARK: changes

    /// All limits of the target begin with the person's day of now.
    package mutating func set(_ limit: DailyLimit, _ target: LimitTarget, _ days: Set<Int64>) {
        for day in days { limits[target, default: [:]][day] = limit }
        oldDayStarts[target] = nil
    }

    /// All limits begin with the person's day of now.
    package mutating func renewDays() { oldDayStarts = [:] }

    /// When the day of a target's limits begins, in minutes after midnight.
    package func dayStart(of target: LimitTarget) -> Int64 { oldDayStarts[target] ?? dayStart }

    private mutating func setDayStart(of target: LimitTarget, _ start: DateComponents) {
        let minutes = (start.hour ?? 0) * 60 + (start.minute ?? 0)
        oldDayStarts[target] = minutes == dayStart ? nil : minutes
    }

    /// - Parameter windows: none of them: closed; nil: these days have no hours.
    package mutating func set(_ windows: [TimeWindow]?, _ target: LimitTarget, _ days: Set<Int64>) {
        for day in days { hours[target, default: [:]][day] = windows }
    }

    // MARK: what is registered

    /// Sorted by name.
    package var activities: [ActivityDefinition] {
        var all: [ActivityDefinition] = []
        for (target, days) in limits {
            for (day, limit) in Self.daily(days) { all.append(activity(limit, target, day)) }
        }
        for (target, days) in hours {
            for (day, windows) in Self.daily(days) {
                let name = PlanName(.day, day, target)
                all.append(ActivityDefinition(name: name.text, schedule: wholeDay(day, from: 0), events: []))
                for window in windows {
                    let name = PlanName(.window(window), day, target)
                    var schedule = window.schedule(on: day)
                    if window.length > Self.closingMinutes {
                        schedule.warningTime = DateComponents(minute: Self.closingMinutes)
                    }
                    all.append(ActivityDefinition(name: name.text, schedule: schedule, events: []))
                }
            }
        }
        return all.sorted { $0.name < $1.name }
    }

    /// If all days are equal, one rule for every day (nil).
    private static func daily<Rule: Equatable>(_ days: [Int64: Rule]) -> [(day: Int64?, rule: Rule)] {
        if days.count == 7, let first = days[1], days.values.allSatisfy({ $0 == first }) {
            return [(nil, first)]
        }
        return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func wholeDay(_ day: Int64?, from start: Int64) -> Schedule {
        TimeWindow(start: start, end: start).schedule(on: day)
    }

    private func activity(_ limit: DailyLimit, _ target: LimitTarget, _ day: Int64?) -> ActivityDefinition {
        var event = EventDefinition(
            name: Self.eventName, except: marks.exceptions(for: target),
            threshold: DateComponents(second: limit.seconds), includesPastActivity: true,
            message: limit.message)
        target.fill(&event)
        var schedule = wholeDay(day, from: dayStart(of: target))
        schedule.warningTime = limit.warnSeconds.map { DateComponents(second: $0) }
        return ActivityDefinition(
            name: PlanName(.limit, day, target).text, schedule: schedule, events: [event])
    }

    package static let eventName = "limit"

    /// How long before the end of its hours the person hears that a target closes.
    private static let closingMinutes: Int64 = 5
}

/// The purpose of an activity, encoded in its name: `limit mon app org.gnome.Maps`,
/// `hours daily 07:00-08:00 total`, `hours sat day category games`.
package struct PlanName: Equatable, Sendable {
    package enum Rule: Equatable, Sendable {
        case limit
        /// A day that has hours.
        case day
        case window(TimeWindow)
    }

    package var rule: Rule
    /// 1 (Sunday) to 7; nil for every day.
    package var day: Int64?
    package var target: LimitTarget

    init(_ rule: Rule, _ day: Int64?, _ target: LimitTarget) {
        self.rule = rule
        self.day = day
        self.target = target
    }

    package var text: String {
        let days = day.map(Weekdays.name) ?? "daily"
        return switch rule {
        case .limit: ShieldedBy.limit.storeName("\(days) \(target.name)")
        case .day: ShieldedBy.hours.storeName("\(days) day \(target.name)")
        case .window(let window): ShieldedBy.hours.storeName("\(days) \(window.text) \(target.name)")
        }
    }

    /// - Returns: nil for a name of another form.
    package init?(_ text: String) {
        var words = text.split(separator: " ", maxSplits: 2)[...]
        guard words.count == 3, let first = words.popFirst(), let days = words.popFirst(),
            var rest = words.popFirst()
        else { return nil }
        day = Weekdays.named(days)
        guard day != nil || days == "daily" else { return nil }
        switch ShieldedBy(rawValue: String(first)) {
        case .limit: rule = .limit
        case .hours:
            let parts = rest.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            rest = parts[1]
            if parts[0] == "day" {
                rule = .day
            } else {
                // Another program gave this name.
                guard let window = try? TimeWindow(parts[0], wholeDay: true) else { return nil }
                rule = .window(window)
            }
        case nil: return nil
        }
        guard let target = LimitTarget(name: rest) else { return nil }
        self.target = target
    }

    /// The store for hours; a limit uses the store of its activity.
    package static func hoursStore(_ target: LimitTarget) -> String {
        ShieldedBy.hours.storeName(target.name)
    }
}
