import Bus
import Contract
import Engine

/// One event of a registered activity, and where it stands in the occurrence that is open.
struct MonitoredEvent {
    let definition: EventDefinition
    let rule: EventRule
    /// Since when it counts.
    let registered_ms: Int64
    /// What was told of it in the open occurrence.
    var fired: Set<CallbackName> = []
    /// When the crossing, or its warning, is due if what is in use now stays so.
    var due_ms: Int64?
    /// On whose behalf: what made `due_ms` what it is.
    var trace: TraceContext?

    init(_ definition: EventDefinition, registered_ms: Int64) throws(EventRuleError) {
        self.definition = definition
        rule = try EventRule(definition)
        self.registered_ms = registered_ms
    }

    var isOver: Bool { fired.contains(.eventDidReachThreshold) }

    /// Whether use of these subjects may move its total.
    func counts(anyOf touched: Set<Subject>) -> Bool {
        if rule.includesAllActivity || !rule.categories.isEmpty { return true }
        return touched.contains { subject in
            switch subject.kind {
            case .app: rule.applications.contains(subject.id)
            // A domain's time may also be taken from its browser's.
            case .domain: !rule.webDomains.isEmpty
            }
        }
    }
}
