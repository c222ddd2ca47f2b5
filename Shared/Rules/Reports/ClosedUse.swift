/// Closed use as changes that bring it back, whatever had brought it about.
package enum ClosedUse {
    /// Sorted. Each stretch of use is named by its end, so that the same one again, or a longer version of
    /// it, counts nothing twice. What lies outside of `window` is cut off.
    package static func changes(_ use: DeviceUse, in window: TimeRange? = nil) -> [UsageChange] {
        let use = window.map { use.clipped(to: $0) } ?? use
        let marks = use.marks.filter { window?.contains($0.at_ms) ?? true }
        let lonely = marks.filter { $0.kind == .pickup && $0.subject == nil }.map(\.at_ms)
        var changes: [UsageChange] = []
        for (subject, time) in use.uses {
            // At a pickup without an app nothing may be in use.
            for stretch in time.cut(at: Set(lonely).sorted()) {
                let (start_ms, end_ms) = (stretch.start_ms, stretch.end_ms)
                let ordinal = lonely.contains(start_ms) ? Int64.max : 0
                changes.append(
                    UsageChange(at_ms: start_ms, ordinal: ordinal, .opened(subject, instance: end_ms)))
                changes.append(UsageChange(at_ms: end_ms, ordinal: 0, .closed(subject, instance: end_ms)))
            }
        }
        var numbers: [Int64: Int64] = [:]
        // Those without an app first: the end of all that they need ends nothing then.
        for mark in marks.sorted(by: { $0.subject == nil && $1.subject != nil }) {
            for kind in kinds(of: mark) {
                let number = numbers[mark.at_ms, default: 0] + 1
                numbers[mark.at_ms] = number
                changes.append(UsageChange(at_ms: mark.at_ms, ordinal: number, kind))
            }
        }
        return changes.sorted()
    }

    /// No stretch of use ends there.
    private static let noInstance: Int64 = -1

    private static func kinds(of mark: Mark) -> [UsageChange.Kind] {
        switch (mark.kind, mark.subject) {
        case (.notification, let subject?): [.notification(subject)]
        case (.notification, nil): []
        case (.pickup, nil): [.unlocked, .reset]
        case (.pickup, let app?):
            [.unlocked, .opened(app, instance: noInstance), .closed(app, instance: noInstance)]
        }
    }
}
