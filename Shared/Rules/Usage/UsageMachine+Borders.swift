package import Units

/// Changes to insert at the borders of a range whose own changes were deleted: use that reaches into the
/// range ends where it starts, and the state after the range is as it was.
extension UsageMachine {
    /// Subjects in the foreground, whether in use or hidden because nobody is there.
    package var foregroundSubjects: [Subject] { front.keys.sorted() }

    /// Subjects in use with the start of their use, including placeholders of deleted ones.
    package var runningSubjects: [RunningUse] {
        running.map { RunningUse($0.key, start: $0.value.at) }.sorted { $0.subject < $1.subject }
    }

    /// Instant of an unlock after which no app has been used yet.
    package var pendingPickup: Instant? { pickup?.at }

    /// The changes that bring this machine to a state in which nothing is in use or known.
    /// - Parameters:
    ///   - at: when the use in progress really ended.
    ///   - pickupOwner: the app that really was the first after the pending pickup.
    package func ending(at: Instant, pickupOwner: Subject?, ordinal: Int64) -> [UsageChange] {
        var kinds: [UsageChange.Kind] = []
        if pickup != nil, let pickupOwner, pickupOwner.kind == .app {
            kinds.append(.focus(pickupOwner == .unknownApp ? .unknown : .app(pickupOwner.id)))
            if away.contains(.suspended) { kinds.append(.resume) }
            if away.contains(.idle) { kinds.append(.active) }
        }
        kinds.append(.reset)
        return kinds.enumerated().map { offset, kind in
            UsageChange(at: at, ordinal: ordinal + Int64(offset), kind)
        }
    }

    /// The changes that bring any machine to the state of this one, most of them at `at`.
    /// - Parameters:
    ///   - tabUntil: when the next change of the tab follows; a visit may end before.
    ///   - keeps: returns false for subjects in the foreground that are dropped.
    /// - Returns: in order, at `at`, except the end of a visit, which is later.
    package func restoring(
        at: Instant, ordinal: Int64, tabUntil: Instant, keeps: (Subject) -> Bool
    ) -> [UsageChange] {
        var changes: [UsageChange] = []
        func add(_ kind: UsageChange.Kind, since stamp: Stamp?) {
            changes.append(
                UsageChange(
                    at: at, ordinal: ordinal + Int64(changes.count), boot: boot(at: at, stamp), kind)
            )
        }
        add(.reset, since: last)
        for (subject, holders) in front.sorted(by: { $0.key < $1.key }) where keeps(subject) {
            for case .instance(let instance) in holders {
                add(.opened(subject, instance: instance), since: running[subject])
            }
        }
        if let focus, keeps(focus) {
            add(.focus(focus == .unknownApp ? .unknown : .app(focus.id)), since: running[focus])
        }
        let isOver = tab?.until.map { $0 <= at } ?? false
        if let tab, !isOver, front[.domain(tab.host)]?.contains(.tab) != true || keeps(.domain(tab.host)) {
            add(.domain(tab.host, browser: tab.browser), since: running[.domain(tab.host)])
        }
        if away.contains(.idle) { add(.idle, since: last) }
        if away.contains(.locked) { add(.locked, since: last) }
        if away.contains(.suspended) { add(.suspend, since: last) }
        if away.contains(.blind) { add(.sensorLost, since: last) }
        // The heartbeat keeps its own instant, because the sensor's silence is measured from there.
        if let sign {
            changes.append(
                UsageChange(
                    at: sign.at, ordinal: ordinal + Int64(changes.count), boot: sign.boot, .alive))
        }
        if let until = tab?.until, !isOver, until < tabUntil {
            changes.append(
                UsageChange(at: until, ordinal: ordinal, .domain(nil, browser: nil)))
        }
        return changes
    }

    /// CLOCK_BOOTTIME at an instant, extrapolated from a stamp, so that use that ends later keeps its length.
    private func boot(at: Instant, _ stamp: Stamp?) -> UsageChange.BootTime? {
        guard let boot = stamp?.boot, let stamp else { return nil }
        return .init(id: boot.id, elapsed: max(0, boot.elapsed + at - stamp.at))
    }
}
