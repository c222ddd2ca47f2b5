import Units

/// Converts closed use to changes that reproduce it, regardless of the changes that caused it.
package enum ClosedUse {
    /// The changes, sorted. Each interval of use is identified by its end, so that importing the same
    /// interval again, or a longer version of it, counts nothing twice. Use outside `window` is cut off.
    package static func changes(_ use: DeviceUse, in window: TimeRange? = nil) -> [UsageChange] {
        let use = window.map { use.clipped(to: $0) } ?? use
        let marks = use.marks.filter { window?.contains($0.at) ?? true }
        let lonely = marks.filter { $0.kind == .pickup && $0.subject == nil }.map(\.at)
        var changes: [UsageChange] = []
        for (subject, time) in use.uses {
            // At a pickup without an app nothing may be in use.
            for stretch in time.cut(at: Set(lonely).sorted()) {
                let (start, end) = (stretch.start, stretch.end)
                let ordinal = lonely.contains(start) ? Int64.max : 0
                changes.append(
                    UsageChange(at: start, ordinal: ordinal, .opened(subject, instance: end.milliseconds)))
                changes.append(UsageChange(at: end, ordinal: 0, .closed(subject, instance: end.milliseconds)))
            }
        }
        var numbers: [Instant: Int64] = [:]
        // Those without an app first: the end of the use they require then ends nothing else.
        for mark in marks.sorted(by: { $0.subject == nil && $1.subject != nil }) {
            for kind in kinds(of: mark) {
                let number = numbers[mark.at, default: 0] + 1
                numbers[mark.at] = number
                changes.append(UsageChange(at: mark.at, ordinal: number, kind))
            }
        }
        return changes.sorted()
    }

    /// An instance number that no interval of use has.
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
