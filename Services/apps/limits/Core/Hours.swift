package import Contract
package import Units

/// The targets that are outside of their hours, computed from the activities that run.
package struct Hours {
    private var judged: Set<LimitTarget> = []
    private var open: Set<LimitTarget> = []
    /// All targets with hours on any day.
    package private(set) var targets: Set<LimitTarget> = []

    /// - Parameter activities: those of the built-in client; `runs` is true inside the interval.
    package init(_ activities: [(name: String, runs: Bool)]) {
        for activity in activities {
            guard let name = PlanName(activity.name) else { continue }
            switch name.rule {
            case .limit: continue
            case .day: if activity.runs { judged.insert(name.target) }
            case .window: if activity.runs { open.insert(name.target) }
            }
            targets.insert(name.target)
        }
    }

    /// The same at an instant within the present intervals or at their end.
    package init(_ activities: [MonitoredActivity], at instant: Instant) {
        self.init(activities.map { (name: $0.activity.name, runs: Self.runs($0, at: instant)) })
    }

    private static func runs(_ entry: MonitoredActivity, at instant: Instant) -> Bool {
        guard let start = entry.intervalStart, let end = entry.intervalEnd else { return false }
        // Where one of every day lasts until then, its next one begins.
        return (start..<end).contains(instant) || (entry.inInterval && end == instant && entry.isUnbroken)
    }

    package func isShut(_ target: LimitTarget) -> Bool { judged.contains(target) && !open.contains(target) }
}

extension MonitoredActivity {
    /// Whether each of its intervals begins with the end of the one before.
    fileprivate var isUnbroken: Bool {
        guard let name = PlanName(activity.name), name.day == nil else { return false }
        return switch name.rule {
        case .limit, .day: true
        case .window(let window): window.start == window.end
        }
    }
}
