import Rules
import Units

/// One observation of a stream as stored: its row, and the change that it describes.
struct Entry {
    let row: Row
    /// With the instant at which its use is placed.
    let change: UsageChange

    /// The columns of the table `observation` after `stream`.
    struct Row: Hashable {
        var order: Instant
        var ordinal: Int64
        var kind: Int64
        var first: Int64
        var second: Int64
        var instance: Int64
        var boot: Int64
        var elapsed: Milliseconds
        /// Position in the order minus the device's wall clock.
        var correction: Milliseconds
        /// Position in the order minus the instant of its use; not 0 where this machine's time was set back.
        var shift: Milliseconds
    }

    /// Stored number of each kind. Never renumber.
    enum Code: Int64 {
        case reset, sensorLost, resume, closed, unlocked, active, focusNothing, focusUnknown, focusApp, domain
        case opened, notification, alive, idle, locked, suspend, visit
    }
}

extension Entry: Comparable {
    static func == (left: Entry, right: Entry) -> Bool { left.row == right.row }

    /// The order in which the machine applies them; decided by content alone.
    static func < (left: Entry, right: Entry) -> Bool {
        if left.row.order != right.row.order { return left.row.order < right.row.order }
        if left.row.ordinal != right.row.ordinal { return left.row.ordinal < right.row.ordinal }
        if left.change < right.change { return true }
        if right.change < left.change { return false }
        let (mine, other) = (left.change.boot, right.change.boot)
        return (mine?.id ?? "", mine?.elapsed ?? 0) < (other?.id ?? "", other?.elapsed ?? 0)
    }
}

extension UsageChange.Kind {
    /// The code, up to two subjects, and the instance, which together identify the kind.
    var parts: (code: Entry.Code, first: Subject?, second: Subject?, instance: Int64) {
        switch self {
        case .opened(let subject, let instance): (.opened, subject, nil, instance)
        case .closed(let subject, let instance): (.closed, subject, nil, instance)
        case .reset: (.reset, nil, nil, 0)
        case .focus(.app(let id)): (.focusApp, .app(id), nil, 0)
        case .focus(.unknown): (.focusUnknown, nil, nil, 0)
        case .focus(.nothing): (.focusNothing, nil, nil, 0)
        case .idle: (.idle, nil, nil, 0)
        case .active: (.active, nil, nil, 0)
        case .locked: (.locked, nil, nil, 0)
        case .unlocked: (.unlocked, nil, nil, 0)
        case .suspend: (.suspend, nil, nil, 0)
        case .resume: (.resume, nil, nil, 0)
        case .alive: (.alive, nil, nil, 0)
        case .sensorLost: (.sensorLost, nil, nil, 0)
        case .domain(let host, let browser):
            (.domain, host.map { .domain($0) }, browser.map { .app($0) }, 0)
        case .visit(let host): (.visit, host.isEmpty ? nil : .domain(host), nil, 0)
        case .notification(let subject): (.notification, subject, nil, 0)
        }
    }

    /// Nil if the parts do not fit together: we did not write the row.
    init?(_ code: Entry.Code, _ first: Subject?, _ second: Subject?, _ instance: Int64) {
        switch (code, first) {
        case (.opened, .some(let subject)): self = .opened(subject, instance: instance)
        case (.closed, .some(let subject)): self = .closed(subject, instance: instance)
        case (.notification, .some(let subject)): self = .notification(subject)
        case (.focusApp, .some(let subject)): self = .focus(.app(subject.id))
        case (.domain, _): self = .domain(first?.id, browser: second?.id)
        case (.visit, _): self = .visit(first?.id ?? "")
        case (.focusUnknown, nil): self = .focus(.unknown)
        case (.focusNothing, nil): self = .focus(.nothing)
        case (.reset, nil): self = .reset
        case (.sensorLost, nil): self = .sensorLost
        case (.resume, nil): self = .resume
        case (.unlocked, nil): self = .unlocked
        case (.active, nil): self = .active
        case (.alive, nil): self = .alive
        case (.idle, nil): self = .idle
        case (.locked, nil): self = .locked
        case (.suspend, nil): self = .suspend
        default: return nil
        }
    }
}
