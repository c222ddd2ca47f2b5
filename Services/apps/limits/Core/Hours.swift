/// Which targets are outside of their hours: a function of which activities run.
package struct Hours {
    private var judged: Set<LimitTarget> = []
    private var open: Set<LimitTarget> = []
    /// All that have hours on any day.
    package private(set) var targets: Set<LimitTarget> = []

    /// - Parameter activities: of the person's own client; `runs`: inside its interval.
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
