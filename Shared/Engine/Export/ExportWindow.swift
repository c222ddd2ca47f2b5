/// Cuts one device's changes, fed in their order, to a stretch of time, so that they say of it what the whole
/// says: what was in front when it begins comes first, and at its end everything ends.
package struct ExportWindow {
    private let from_ms: Int64?
    private let to_ms: Int64?
    private var machine = UsageMachine()
    private var isBegun: Bool
    private var isOver = false
    /// Of a visit from before the beginning.
    private var visitUntil_ms: Int64?

    /// nil: without a beginning, without an end.
    package init(from_ms: Int64? = nil, to_ms: Int64? = nil) {
        self.from_ms = from_ms
        self.to_ms = to_ms
        isBegun = from_ms == nil
    }

    /// - Returns: what to export up to and with this change.
    package mutating func take(_ change: UsageChange) -> [UsageChange] {
        guard !isOver else { return [] }
        var taken: [UsageChange] = []
        if !isBegun, let from_ms {
            guard change.at_ms >= from_ms else {
                apply(change)
                return []
            }
            taken = begin(at: from_ms)
        }
        if let until_ms = visitUntil_ms {
            // The machine drops a visit that is over before it takes the change.
            if until_ms <= min(change.at_ms, to_ms ?? .max) { taken.append(Self.noTab(at: until_ms)) }
            if until_ms <= change.at_ms || change.kind.movesTab { visitUntil_ms = nil }
        }
        guard let to_ms, change.at_ms >= to_ms else {
            apply(change)
            return taken + [change]
        }
        isOver = true
        return machine.isAtRest ? taken : taken + [UsageChange(at_ms: to_ms, ordinal: .min, .reset)]
    }

    private mutating func apply(_ change: UsageChange) {
        var unused = UsageOutput()
        machine.apply(change, &unused)
    }

    private mutating func begin(at from_ms: Int64) -> [UsageChange] {
        isBegun = true
        if let until_ms = machine.tab?.until_ms {
            if until_ms <= from_ms {
                apply(Self.noTab(at: until_ms))
            } else {
                visitUntil_ms = until_ms
            }
        }
        return machine.changes(at: from_ms)
    }

    private static func noTab(at at_ms: Int64) -> UsageChange {
        UsageChange(at_ms: at_ms, ordinal: .min, .domain(nil, browser: nil))
    }
}

extension UsageChange.Kind {
    fileprivate var movesTab: Bool {
        switch self {
        case .domain, .visit, .reset: true
        default: false
        }
    }
}

extension UsageMachine {
    /// Nothing is in front and nobody is away: a machine that knows nothing says the same.
    fileprivate var isAtRest: Bool { front.isEmpty && tab == nil && away.isEmpty }

    /// What makes a new machine know what this one knows of what is in front, from `at_ms` on.
    fileprivate func changes(at at_ms: Int64) -> [UsageChange] {
        var kinds: [UsageChange.Kind] = []
        if away.contains(.idle) { kinds.append(.idle) }
        if away.contains(.locked) { kinds.append(.locked) }
        if away.contains(.suspended) { kinds.append(.suspend) }
        for (subject, holders) in front.sorted(by: { $0.key < $1.key }) {
            let instances = holders.compactMap { holder -> Int64? in
                if case .instance(let instance) = holder { instance } else { nil }
            }
            kinds += instances.sorted().map { .opened(subject, instance: $0) }
        }
        if let focus { kinds.append(.focus(focus == .unknownApp ? .unknown : .app(focus.id))) }
        if let tab { kinds.append(.domain(tab.host, browser: tab.browser)) }
        if away.contains(.blind) { kinds.append(.sensorLost) }
        return kinds.enumerated().map { number, kind in
            UsageChange(at_ms: at_ms, ordinal: .min + Int64(number), kind)
        }
    }
}
