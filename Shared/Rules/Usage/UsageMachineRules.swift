package import Units

/// The effect of each change on the foreground and on use.
extension UsageMachine {
    // MARK: In front

    mutating func hold(_ holder: Holder, _ subject: Subject, _ stamp: Stamp, _ output: inout UsageOutput) {
        guard front[subject, default: []].insert(holder).inserted, away.isEmpty else { return }
        if running[subject] == nil { running[subject] = stamp }
        if subject.kind == .app { settlePickup(subject, &output) }
    }

    mutating func release(_ holder: Holder, _ subject: Subject, _ stamp: Stamp, _ output: inout UsageOutput) {
        guard front[subject]?.remove(holder) != nil, front[subject]?.isEmpty == true else { return }
        front[subject] = nil
        end(subject, at: stamp, &output)
    }

    mutating func moveFocus(to target: UsageChange.Focus, _ stamp: Stamp, _ output: inout UsageOutput) {
        let next: Subject? =
            switch target {
            case .app(let id): Subject.app(id).canonical
            case .unknown: .unknownApp
            case .nothing: nil
            }
        guard next != focus else { return }
        let shown = shownTab
        if let focus { release(.focus, focus, stamp, &output) }
        focus = next
        replaceTab(shown, by: shownTab, stamp, &output)
        if let next { hold(.focus, next, stamp, &output) }
    }

    mutating func moveTab(to next: Tab?, _ stamp: Stamp, _ output: inout UsageOutput) {
        let shown = shownTab
        tab = next
        replaceTab(shown, by: shownTab, stamp, &output)
    }

    /// How long a page counts as viewed if its end is unknown: 300 s.
    package static let visitMax: Milliseconds = 300_000

    /// Ends the previous visit, also one of the same host, because the last visit must leave nothing open but
    /// itself.
    mutating func visit(_ host: String, _ stamp: Stamp, _ output: inout UsageOutput) {
        moveTab(to: nil, stamp, &output)
        moveTab(to: Tab(host: host, until: stamp.at + Self.visitMax), stamp, &output)
    }

    /// Ends a visit whose maximum length had passed before this change.
    mutating func endVisit(before stamp: Stamp, _ output: inout UsageOutput) {
        guard let until = tab?.until, until <= stamp.at else { return }
        moveTab(to: nil, Stamp(at: until, boot: nil), &output)
    }

    /// The domain in the foreground: the tab's, unless its browser is known and another app has the focus.
    private var shownTab: Subject? {
        guard let tab else { return nil }
        if let browser = tab.browser, focus != .app(browser) { return nil }
        return .domain(tab.host)
    }

    private mutating func replaceTab(
        _ old: Subject?, by new: Subject?, _ stamp: Stamp, _ output: inout UsageOutput
    ) {
        guard old != new else { return }
        if let old { release(.tab, old, stamp, &output) }
        if let new { hold(.tab, new, stamp, &output) }
    }

    // MARK: Away

    mutating func leave(_ reason: Away, _ stamp: Stamp, _ output: inout UsageOutput) {
        away.insert(reason)
        endAll(at: stamp, &output)
    }

    mutating func comeBack(_ reason: Away, _ stamp: Stamp, _ output: inout UsageOutput) {
        guard away.remove(reason) != nil else { return }
        guard away.isEmpty else { return }
        for subject in front.keys { running[subject] = stamp }
        if let app = frontApp { settlePickup(app, &output) }
    }

    mutating func lock(_ stamp: Stamp, _ output: inout UsageOutput) {
        leave(.locked, stamp, &output)
        settlePickup(nil, &output)
    }

    mutating func unlock(_ stamp: Stamp, _ output: inout UsageOutput) {
        settlePickup(nil, &output)
        pickup = PendingPickup(at: stamp.at, already: frontApp)
        comeBack(.locked, stamp, &output)
    }

    mutating func resume(_ stamp: Stamp, _ output: inout UsageOutput) {
        if !away.contains(.suspended), let last { leave(.suspended, last, &output) }
        comeBack(.suspended, stamp, &output)
    }

    // MARK: Endings

    /// Ends and discards what the session's sensor reported. The tab is another sensor's and stays.
    mutating func loseSensor(at end: Stamp, _ output: inout UsageOutput) {
        let known = tab
        forgetEverything(at: end, &output)
        tab = known
        if let shownTab { front[shownTab] = [.tab] }
        away = .blind
    }

    /// Discards the whole state, including whether somebody was away.
    mutating func forgetEverything(at end: Stamp, _ output: inout UsageOutput) {
        endAll(at: end, &output)
        settlePickup(nil, &output)
        front = [:]
        focus = nil
        tab = nil
        away = []
        sign = nil
    }

    mutating func endAll(at stamp: Stamp, _ output: inout UsageOutput) {
        for subject in running.keys.sorted() { end(subject, at: stamp, &output) }
    }

    private mutating func end(_ subject: Subject, at stamp: Stamp, _ output: inout UsageOutput) {
        guard let start = running.removeValue(forKey: subject), !subject.isForgotten else { return }
        let end = Self.end(of: start, at: stamp)
        guard let interval = TimeRange(start: start.at, end: end) else { return }
        output.uses.append(Use(subject, interval))
    }

    static func end(of start: Stamp, at stamp: Stamp) -> Instant {
        guard let from = start.boot, let to = stamp.boot, from.id == to.id else { return stamp.at }
        // A difference that overflows is no uptime; neither clock is right then.
        let (passed, isWrong) = to.elapsed.count.subtractingReportingOverflow(from.elapsed.count)
        let (end, isBeyond) = start.at.milliseconds.addingReportingOverflow(passed)
        let isTime = !isWrong && !isBeyond && end <= latestStamp.milliseconds
        return isTime ? Instant(milliseconds: end) : stamp.at
    }

    // MARK: Pickups

    /// Assigns a pending pickup to `app`; without one to the app that was in use at the unlock, if any.
    mutating func settlePickup(_ app: Subject?, _ output: inout UsageOutput) {
        guard let waiting = pickup else { return }
        pickup = nil
        let owner = app ?? waiting.already
        let subject = owner?.isForgotten ?? false ? nil : owner
        output.marks.append(Mark(.pickup, at: waiting.at, subject: subject))
    }

    /// The app in use that has the focus, or else the one whose use started last.
    private var frontApp: Subject? {
        if let focus, running[focus] != nil { return focus }
        let apps = running.filter { $0.key.kind == .app }
        return apps.max { ($0.value.at, $0.key) < ($1.value.at, $1.key) }?.key
    }
}
