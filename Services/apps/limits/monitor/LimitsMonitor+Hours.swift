import Contract
import ExtensionLink
import LimitsCore

extension LimitsMonitor {
    /// Shuts what has hours today and is in none of them, opens the rest. It follows from what is registered
    /// and which intervals run now, so that a callback that was lost or late is made good by the next.
    /// - Parameter target: what the callback is about; its hours may be gone.
    func settleHours(_ target: LimitTarget, _ context: CallbackContext) throws {
        let about = context.about
        let registered = try context.host.monitored(member: about.member).filter {
            $0.client == about.client && $0.member == about.member
        }
        let hours = Hours(registered.map { (name: $0.activity.name, runs: $0.inInterval) })
        for target in hours.targets.union([target]) {
            let name = PlanName.hoursStore(target)
            let store = try context.host.readSettings(store: name, member: about.member)
            let settings = hours.isShut(target) ? Reached.settings(shielding: [target.event]) : []
            guard store.settings != settings else { continue }
            try context.host.writeSettings(settings, store: name, member: about.member, clearAll: true)
        }
    }
}

extension LimitTarget {
    fileprivate var event: EventDefinition {
        var event = EventDefinition()
        fill(&event)
        return event
    }
}
