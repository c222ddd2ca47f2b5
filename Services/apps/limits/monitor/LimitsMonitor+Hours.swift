import Contract
import ExtensionLink
import LimitsCore

extension LimitsMonitor {
    /// Shields the targets with hours today that are outside of them, and lifts the other shields. All
    /// follows from the registered activities and the present intervals, so the next callback corrects a lost
    /// or late one.
    /// - Parameter target: the callback's target; its hours may have been deleted.
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
