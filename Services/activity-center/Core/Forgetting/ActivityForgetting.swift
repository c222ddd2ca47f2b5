import Contract
import Loop
import Rules
import ServiceKit
import Store
import Units

/// Deletes recorded use: the owner's part of `privacy.forget`.
///
/// Logged events about deleted use lose their data. What they also contained and what remains is published
/// again at the end, so that a copy built from the log is correct.
@LoopActor final class ActivityForgetting {
    private let service: Service
    private let log: UsageLog
    private let monitor: Monitor
    /// Ranges in which events lost their data, by series.
    private var erased: [Series: Range<Instant>] = [:]
    /// Subjects whose catalogue change was in an event that lost its data.
    private var erasedFacts: Set<Subject> = []

    /// One subject on one device; a nil subject means pickups without an app.
    struct Series: Hashable {
        let member: String
        let device: String
        let subject: Subject?
    }

    init(_ service: Service, _ log: UsageLog, _ monitor: Monitor) {
        self.service = service
        self.log = log
        self.monitor = monitor
    }

    var plan: ForgetPlan {
        reset()
        return ForgetPlan(
            erases: { [self] in try erases($0, $1) },
            remove: { [self] in try remove($0, $1, $2) })
    }

    private func reset() {
        erased = [:]
        erasedFacts = []
    }

    // MARK: the log

    private func erases(_ event: StoredEventData, _ forgetting: Forgetting) throws -> Bool {
        if let recorded = try event.decoded(UsageRecorded.self) {
            guard forgetting.concerns(member: recorded.member), tells(recorded, of: forgetting) else {
                return false
            }
            note(recorded)
            return true
        }
        if let changed = try event.decoded(CatalogChanged.self) {
            return erases(changed) { forgetting.extent == .everything || forgetting.isIncluded($0, $1) }
        }
        guard let about = try event.callback() else { return false }
        guard forgetting.concerns(member: about.member) else { return false }
        return forgetting.extent == .everything || forgetting.contains(about.at)
            || event.isNamed(forgetting)
    }

    private func erases(_ event: CatalogChanged, _ isIncluded: (SubjectKind, String) -> Bool) -> Bool {
        guard event.subjects.contains(where: { isIncluded($0.kind, $0.subject) }) else { return false }
        erasedFacts.formUnion(
            event.subjects.map { Subject($0.kind == .domain ? .domain : .app, $0.subject) })
        return true
    }

    private func tells(_ event: UsageRecorded, of forgetting: Forgetting) -> Bool {
        switch forgetting.extent {
        case .everything: true
        case .subject: forgetting.isIncluded(event.kind, event.subject)
        case .stretch(let from, let to):
            event.intervals.contains { $0.start < to && $0.end > from }
                || (event.pickups + event.notifications).contains(where: forgetting.contains)
                || event.openSince.map(forgetting.contains) ?? false
        }
    }

    private func note(_ event: UsageRecorded) {
        let subject =
            event.subject.isEmpty ? nil : Subject(event.kind == .domain ? .domain : .app, event.subject)
        touch(
            Series(member: event.member, device: event.device, subject: subject),
            event.from..<max(event.from, event.to))
    }

    private func touch(_ series: Series, _ range: Range<Instant>) {
        guard let known = erased[series] else { return erased[series] = range }
        erased[series] =
            min(known.lowerBound, range.lowerBound)..<max(known.upperBound, range.upperBound)
    }

    // MARK: the tables

    private func remove(
        _ forgetting: Forgetting, _ report: ForgetReport, _ transaction: Transaction
    ) throws {
        log.willChange(transaction)
        let streams = try log.streams.all(member: forgetting.member)
        let removal = UseRemoval(service.database, log)
        var changes: [UseRemoval.Change] = []
        var cut: (from: Instant, to: Instant)?
        var overrideCount = 0
        switch forgetting.extent {
        case .subject(let kind, _):
            let meant = try removal.subjects(kind == .app ? .app : .domain) {
                forgetting.isIncluded(kind, $0)
            }
            report.gone.formUnion(meant.compactMap { log.catalog.name(of: $0.subject) })
            changes = try removal.remove(meant, from: streams, report)
            try removal.forgetFired(report, of: forgetting) { forgetting.isNamed(in: $0) }
        case .stretch(let from, let to):
            // Use in the future does not exist yet; a border there would affect it.
            let end = min(to, report.now)
            cut = (from, end)
            changes = try streams.compactMap { try removal.cut(from, end, outOf: $0, report) }
            try removal.dropEmpty(streams)
            try removal.forgetFired(report, of: forgetting) { _ in true }
        case .everything:
            try removal.clear(streams, report)
            overrideCount = try log.catalog.forgetOverrides()
            report.removed("categories that you set", overrideCount)
            for member in Set(streams.map(\.member) + [forgetting.member].compactMap { $0 }) {
                report.removed("rules", try monitor.forget(member: member, transaction))
            }
        }
        let gone = try removal.sweep()
        let unused = try forget(gone, forgetting, report)
        // `usage.forgotten` reports only subjects that were used.
        if !unused.isEmpty || overrideCount > 0 {
            try transaction.emit(CatalogChanged(hostsMayDiffer: overrideCount > 0, appsDeleted: true))
        }
        try publish(forgetting, streams, cut, changes, gone, transaction)
        try nameRules(forgetting, report)
        guard forgetting.extent == .everything else { return }
        try log.life.restart()
        monitor.reload()
    }

    /// Deletes the subjects of which nothing is left: no event, no name.
    /// - Returns: the apps among them that were installed but never used.
    private func forget(
        _ gone: Set<Subject>, _ forgetting: Forgetting, _ report: ForgetReport
    ) throws -> [Subject] {
        let unused = try log.catalog.apps.keys.map { Subject.app($0) }.filter {
            try forgetting.isIncluded(.app, $0.id) && log.subjects.find($0) == nil
        }
        let apps = gone.filter { $0.kind == .app }.union(unused)
        let names = gone.union(unused).map(\.id) + apps.compactMap { log.catalog.name(of: $0) }
        report.gone.formUnion(names)
        try log.catalog.forget(apps.map(\.id))
        guard case .stretch = forgetting.extent, !gone.isEmpty else { return unused }
        let words = Redaction(names)
        try service.eraseEvents(report) { event in
            if let recorded = try event.decoded(UsageRecorded.self) {
                return gone.contains(Subject(recorded.kind == .domain ? .domain : .app, recorded.subject))
            }
            if let changed = try event.decoded(CatalogChanged.self) {
                return erases(changed) { kind, name in
                    gone.contains { $0.subjectKind == kind && $0.id == name }
                }
            }
            return try event.callback() != nil && event.isNamed(words)
        }
        return unused
    }

    /// Publishes what was deleted, and then what remains in its place.
    private func publish(
        _ forgetting: Forgetting, _ streams: [Stream], _ cut: (from: Instant, to: Instant)?,
        _ changes: [UseRemoval.Change], _ gone: Set<Subject>, _ transaction: Transaction
    ) throws {
        var members = Set(changes.map(\.stream.member)).union(erased.keys.map(\.member))
        if forgetting.extent == .everything { members.formUnion(streams.map(\.member)) }
        for member in members.sorted() {
            try transaction.emit(UsageForgotten(member: member, from: cut?.from, to: cut?.to))
        }
        guard forgetting.extent != .everything else { return }
        try publishFacts(forgetting, gone, transaction)
        for change in changes {
            let stream = change.stream
            for (subject, range) in change.ranges {
                touch(Series(member: stream.member, device: stream.device, subject: subject), range)
            }
        }
        for (series, range) in erased.sorted(by: { $0.key.place < $1.key.place }) {
            if let subject = series.subject {
                guard !gone.contains(subject), !forgetting.isIncluded(subject.subjectKind, subject.id) else {
                    continue
                }
            }
            guard let stream = try log.streams.find(member: series.member, device: series.device) else {
                continue
            }
            try log.recorder.republish(series.subject, of: stream, range, transaction)
        }
        for change in changes {
            try log.onChange?(
                StreamChange(stream: change.stream, delta: change.delta, renamed: []), transaction)
        }
    }

    /// Publishes the catalogue entries of other subjects in events that lost their data.
    private func publishFacts(
        _ forgetting: Forgetting, _ gone: Set<Subject>, _ transaction: Transaction
    ) throws {
        let others = erasedFacts.subtracting(gone).filter { !forgetting.isIncluded($0.subjectKind, $0.id) }
        var rest = try others.sorted().map { try log.catalog.change(of: $0) }[...]
        while !rest.isEmpty {
            try transaction.emit(
                CatalogChanged(subjects: Array(rest.prefix(ActivityLimits.subjectsPerEventMax))))
            rest = rest.dropFirst(ActivityLimits.subjectsPerEventMax)
        }
    }

    /// Rules are not use: they stay, and are reported.
    private func nameRules(_ forgetting: Forgetting, _ report: ForgetReport) throws {
        guard case .subject(let kind, let name) = forgetting.extent else { return }
        for subject in log.catalog.overrides.keys.sorted()
        where forgetting.isIncluded(subject.subjectKind, subject.id) {
            report.leaves(
                "you set a category for '\(subject.subjectKind.readable(subject.id))'",
                remedy: "screentime catalog unset --\(kind.rawValue) \(VisibleText.shellWord(subject.id))")
        }
        if kind == .domain, let found = try log.catalog.lists.find(name, in: log.catalog.lists.inForce) {
            report.leaves(
                "the imported list '\(found.list)' names \(DomainName.readable(found.domain))",
                remedy: "screentime catalog remove \(VisibleText.shellWord(found.list))")
        }
        let rows = try service.database.query("SELECT client, member, name, definition FROM activity") {
            ($0.text(0), $0.text(1), $0.text(2), $0.bytes(3))
        }
        for (client, member, name, definition) in rows {
            guard forgetting.concerns(member: member) else { continue }
            let definition = try ActivityDefinition.stored(definition, in: "activity")
            guard forgetting.isNamed(in: definition) else { continue }
            report.leaves(
                "the activity '\(name)' of \(client) counts it",
                remedy: client == BuiltInClient.limits
                    ? "screentime monitor stop \(VisibleText.shellWord(name))"
                    : "remove it in that app, or: screentime authorization revoke "
                        + VisibleText.shellWord(client))
        }
    }
}

extension ActivityForgetting.Series {
    /// A sort key that does not depend on hashes.
    fileprivate var place: String {
        "\(member)\u{0}\(device)\u{0}\(subject?.kind.rawValue ?? 0)\(subject?.id ?? "")"
    }
}

extension StoredEventData {
    /// The activity that a callback event concerns.
    fileprivate func callback() throws -> ActivityCallback? {
        try decoded(IntervalDidStart.self)?.about ?? decoded(IntervalDidEnd.self)?.about
            ?? decoded(EventDidReachThreshold.self)?.about ?? decoded(IntervalWillStartWarning.self)?.about
            ?? decoded(IntervalWillEndWarning.self)?.about
            ?? decoded(EventWillReachThresholdWarning.self)?.about
    }
}
