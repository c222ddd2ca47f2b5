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

    package func isShut(_ target: LimitTarget) -> Bool { judged.contains(target) && !open.contains(target) }
}
