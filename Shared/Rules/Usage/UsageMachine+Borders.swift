package import Units

/// Changes that stand at the borders of a stretch whose own changes were taken out: what ran into it ends
/// where it begins, and where it ends everything is again as it was there.
extension UsageMachine {
    /// Subjects in front, whether in use or hidden because somebody is away.
    package var frontSubjects: [Subject] { front.keys.sorted() }

    /// In use, with the instant since when; also forgotten ones.
    package var runningSubjects: [RunningUse] {
        running.map { RunningUse($0.key, start: $0.value.at) }.sorted { $0.subject < $1.subject }
    }

    /// An unlock whose app is not known yet.
    package var pendingPickup: Instant? { pickup?.at }

    /// What to feed this machine so that nothing is in use or known any more.
    /// - Parameters:
    ///   - at: where what is in use ended in truth.
    ///   - pickupOwner: the app that took the waiting pickup in truth.
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

    /// What to feed any machine at `at`, and once later, so that it stands like this one.
    /// - Parameters:
    ///   - tabUntil: when the next change of the tab comes; a visit may be over before.
    ///   - keeps: subjects in front for which this is false are left out.
    /// - Returns: in order. All stand in the order at `at` or, the end of a visit, later.
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
        // The sign of life keeps its own instant: how long the sensor has been silent counts from there.
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

    /// CLOCK_BOOTTIME at an instant, counted from a stamp: what ends later is as long as it was.
    private func boot(at: Instant, _ stamp: Stamp?) -> UsageChange.BootTime? {
        guard let boot = stamp?.boot, let stamp else { return nil }
        return .init(id: boot.id, elapsed: max(0, boot.elapsed + at - stamp.at))
    }
}
