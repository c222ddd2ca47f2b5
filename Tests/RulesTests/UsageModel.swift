import Rules
import Units

/// The rules of use in a slow and obvious form, without state: for each gap between two changes, and for each
/// pickup, the whole history is examined again.
struct UsageModel {
    let history: [UsageChange]

    // MARK: use

    /// Every stretch in which each subject was in use, united.
    var uses: [Subject: [Range<Instant>]] {
        var uses: [Subject: [Range<Instant>]] = [:]
        for index in history.indices.dropLast() where !endsUnseen(index + 1) {
            let gap = history[index].at..<history[index + 1].at
            let known = known(index)
            guard !isAway(known) else { continue }
            let isSilent = isSilent(after: index)
            for subject in inFront(known) where !isSilent || tabLeaves(subject, after: index) {
                let end = subject.kind == .domain ? visitEnd(known) ?? gap.upperBound : gap.upperBound
                let use = gap.clamped(to: .min..<end)
                if !use.isEmpty { uses[subject, default: []].append(use) }
            }
        }
        return uses.mapValues(Self.united)
    }

    static func united(_ stretches: [Range<Instant>]) -> [Range<Instant>] {
        var united: [Range<Instant>] = []
        for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = united.last, stretch.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
            } else {
                united.append(stretch)
            }
        }
        return united
    }

    /// Power was lost, or an unannounced suspend lies, between this change and the one before.
    private func endsUnseen(_ index: Int) -> Bool {
        if isNewBoot(index) { return true }
        guard history[index].kind == .resume else { return false }
        let session = sinceSensor(known(index - 1))
        return session.last { $0.kind == .suspend || $0.kind == .resume }?.kind != .suspend
    }

    /// The sensor had started to send heartbeats, and none came in the minute after the last one.
    private func isSilent(after index: Int) -> Bool {
        let session = sinceSensor(known(index))
        guard session.contains(where: { $0.kind == .alive }), let sign = session.last(where: \.kind.isSign)
        else {
            return false
        }
        let next = history.indices.dropFirst(index + 1).first { later in
            history[later].kind.isSign || history[later].kind == .sensorLost || isNewBoot(later)
                || history[later].at - sign.at > 60_000
        }
        guard let next, !isNewBoot(next) else { return false }
        return history[next].at - sign.at > 60_000
    }

    /// Another tab ended a page's use before the sensor's silence could.
    private func tabLeaves(_ page: Subject, after index: Int) -> Bool {
        guard page.kind == .domain, let sign = sinceSensor(known(index)).last(where: \.kind.isSign) else {
            return false
        }
        for later in history.indices.dropFirst(index + 1) {
            let change = history[later]
            if change.kind.isSign || change.kind == .sensorLost || isNewBoot(later) { return false }
            if change.at - sign.at > 60_000 { return false }
            if !inFront(known(later)).contains(page) { return true }
        }
        return false
    }

    private func isNewBoot(_ index: Int) -> Bool {
        guard let boot = history[index].boot?.id else { return false }
        let before = history[..<index].last { $0.boot != nil }?.boot?.id
        return before != nil && before != boot
    }

    /// What counts after a change: all since everything was forgotten.
    private func known(_ index: Int) -> [UsageChange] {
        guard index >= 0 else { return [] }
        var start = 0
        for candidate in 0...index {
            if history[candidate].kind == .reset { start = candidate + 1 }
            if isNewBoot(candidate) { start = history[candidate].kind == .reset ? candidate + 1 : candidate }
        }
        return start <= index ? Array(history[start...index]) : []
    }

    private func isAway(_ known: [UsageChange]) -> Bool {
        let told = known.filter { ![.alive, .domain, .notification].contains($0.kind.name) }
        if told.last?.kind == .sensorLost { return true }
        let session = sinceSensor(known)
        func last(_ on: UsageChange.Kind, _ off: UsageChange.Kind) -> Bool {
            session.last { $0.kind == on || $0.kind == off }?.kind == on
        }
        return last(.idle, .active) || last(.locked, .unlocked) || last(.suspend, .resume)
    }

    private func sinceSensor(_ known: [UsageChange]) -> [UsageChange] {
        let lost = known.lastIndex { $0.kind == .sensorLost }
        return lost.map { Array(known[($0 + 1)...]) } ?? known
    }

    private func focus(_ known: [UsageChange]) -> Subject? {
        var focus: Subject?
        for change in sinceSensor(known) {
            switch change.kind {
            case .focus(.app(let id)): focus = .app(id)
            case .focus(.unknown): focus = .unknownApp
            case .focus(.nothing): focus = nil
            default: break
            }
        }
        return focus
    }

    private func open(_ known: [UsageChange]) -> Set<String> {
        var open: Set<String> = []
        for change in sinceSensor(known) {
            if case .opened(let subject, let instance) = change.kind {
                open.insert("\(subject.id) \(instance)")
            }
            if case .closed(let subject, let instance) = change.kind {
                open.remove("\(subject.id) \(instance)")
            }
        }
        return open
    }

    private func inFront(_ known: [UsageChange]) -> Set<Subject> {
        var front = Set(
            open(known).compactMap { $0.split(separator: " ").first.map { Subject.app(String($0)) } })
        let focus = focus(known)
        if let focus { front.insert(focus) }
        switch known.last(where: { $0.kind.name == .domain })?.kind {
        case .domain(let host?, let browser):
            if browser.map({ focus == .app($0) }) ?? true { front.insert(.domain(host)) }
        case .visit(let host): front.insert(.domain(host))
        default: break
        }
        return front
    }

    /// When the present page is over by itself.
    private func visitEnd(_ known: [UsageChange]) -> Instant? {
        guard let page = known.last(where: { $0.kind.name == .domain }), case .visit = page.kind else {
            return nil
        }
        return page.at + 300_000
    }

    // MARK: pickups

    /// `at app`, one for each unlock.
    var pickups: [String] {
        history.indices.filter { history[$0].kind == .unlocked }
            .map { "\(history[$0].at) \(pickupApp($0)?.id ?? "-")" }
    }

    /// The first app that comes to the front, or back into use, after an unlock; else the one in use then.
    private func pickupApp(_ unlock: Int) -> Subject? {
        let already =
            isNewBoot(unlock) ? nil : frontApp(unlock - 1, afterSilence: isSilent(after: unlock - 1))
        for index in unlock..<history.count {
            let kind = history[index].kind
            if index > unlock {
                if !isNewBoot(index), kind.isSign, isSilent(after: index - 1),
                    let app = frontApp(index - 1, afterSilence: true)
                {
                    return app
                }
                if [.locked, .unlocked, .reset, .sensorLost].contains(kind) || isNewBoot(index) {
                    return already
                }
            }
            let after = known(index)
            let before = Array(after.dropLast())
            guard !isAway(after) else { continue }
            let cameBack = isAway(before) || kind == .resume && endsUnseen(index)
            if cameBack, let app = frontApp(index) { return app }
            if case .focus = kind, let app = focus(after), app != focus(before) { return app }
            if case .opened(let app, _) = kind, open(after) != open(before) { return app }
        }
        return already
    }

    /// The app in use that has the focus, else the one that came into use last.
    /// - Parameter afterSilence: use ended and starts again, at the same time for all.
    private func frontApp(_ index: Int, afterSilence: Bool = false) -> Subject? {
        let known = known(index)
        let apps = isAway(known) ? [] : inFront(known).filter { $0.kind == .app }
        if let focus = focus(known), apps.contains(focus) { return focus }
        if afterSilence { return apps.max() }
        return apps.max { (since($0, index), $0) < (since($1, index), $1) }
    }

    private func since(_ app: Subject, _ index: Int) -> Instant {
        var start = index
        while start > 0, !endsUnseen(start), !isSilent(after: start - 1), !isAway(known(start - 1)),
            inFront(known(start - 1)).contains(app)
        {
            start -= 1
        }
        return history[start].at
    }
}

extension UsageChange.Kind {
    enum Name { case alive, domain, notification, other }

    var name: Name {
        switch self {
        case .alive: .alive
        case .domain, .visit: .domain
        case .notification: .notification
        default: .other
        }
    }

    /// Whether it shows that the session's sensor lives.
    var isSign: Bool { self == .alive || name == .other && self != .sensorLost }
}
