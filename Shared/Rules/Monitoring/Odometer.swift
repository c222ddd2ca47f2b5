import Contract
import Rules
import Units

/// Counts the use of one selection by one member, and the distance of events to their thresholds.
///
/// All events with the same selection share it. The odometer only counts up. An event that counts since an
/// instant waits for the odometer's total at that instant plus its threshold. A change of use therefore costs
/// as much as there are selections it affects, regardless of how many events wait.
final class Odometer: DueSource {
    /// What is counted; its threshold is ignored.
    let selection: EventRule
    /// Number of events that use it.
    var users = 0
    /// The cause of its present course, see ``DueCallback/cause``.
    private(set) var cause: String?
    /// The last change that affected it.
    var lastChange = 0

    /// An event that waits for a total.
    private struct Waiting: Comparable {
        let goal: Milliseconds
        let event: EventPlace

        static func < (left: Waiting, right: Waiting) -> Bool { left.goal < right.goal }
        static func == (left: Waiting, right: Waiting) -> Bool { left.goal == right.goal }
    }

    /// An event whose total was reached.
    private struct Reached: Comparable {
        let key: DueKey
        let event: EventPlace

        static func < (left: Reached, right: Reached) -> Bool { left.key < right.key }
        static func == (left: Reached, right: Reached) -> Bool { left.key == right.key }
    }

    private unowned let member: MemberOdometers
    private var curve: TotalCurve?
    private var waiting = Heap<Waiting>()
    private var reached = Heap<Reached>()
    private var latestStart = Instant.min
    /// Number of events that wait or have reached their total; the heaps may contain others.
    private var liveCount = 0

    init(_ selection: EventRule, _ member: MemberOdometers) {
        self.selection = selection
        self.member = member
    }

    var isIdle: Bool { liveCount == 0 }

    /// Whether it depends on categories or browser flags.
    var asksCatalogue: Bool {
        !selection.categories.isEmpty || !selection.webDomains.isEmpty || !selection.except.isEmpty
    }

    // MARK: events

    /// Arms an event of an open occurrence for its warning, or if that was delivered, for its threshold.
    func add(_ event: EventPlace) throws {
        try know(since: event.countedFrom)
        liveCount += 1
        latestStart = max(latestStart, event.countedFrom)
        insert(event)
    }

    /// Removes an event whose places are no longer current.
    func drop() {
        liveCount -= 1
        if liveCount == 0 { clear() }
        if waiting.count > 2 * liveCount + 64 {
            waiting = Heap(waiting.elements.filter(\.event.isCurrent))
        }
    }

    private func clear() {
        curve = nil
        waiting = Heap()
        reached = Heap()
        latestStart = .min
        cause = nil
    }

    private func insert(_ event: EventPlace) {
        guard let curve else { return }
        let from = event.countedFrom
        let rest = event.rest
        if rest == 0 {
            reached.insert(Reached(key: DueKey(at: from, callback: event.callback), event: event))
        } else {
            waiting.insert(Waiting(goal: curve.total(at: from) + rest, event: event))
        }
    }

    private func know(since from: Instant) throws {
        let window = try member.window(since: from)
        guard let known = curve?.from else {
            curve = TotalCurve(from: from, summands(window, from: from))
            return
        }
        guard from < known else { return }
        curve?.extend(backTo: from, summands(window, from: from, to: known))
    }

    private func summands(
        _ window: UseWindow, from: Instant, to: Instant = .max
    ) -> [IntervalSet] {
        let apps = asksCatalogue || selection.includesAllActivity ? nil : selection.applications
        return selection.summands(of: window.use(from: from, to: to, apps: apps), member.catalogue)
    }

    // MARK: use

    /// Applies that the use at or after `since` changed.
    func change(since: Instant, _ window: UseWindow, cause: String?) {
        guard var curve = self.curve else { return }
        self.cause = cause
        let from = max(since, curve.from)
        curve.replace(from: from, summands(window, from: from))
        self.curve = curve
        if let last = reached.elements.max(), last.key.at >= from {
            let all = reached.elements.filter(\.event.isCurrent)
            reached = Heap(all.filter { $0.key.at < from })
            for one in all where one.key.at >= from { insert(one.event) }
        }
        guard latestStart > from else { return }
        // Few events are registered at the moment of a change; then all are visited.
        let all = waiting.elements.filter(\.event.isCurrent)
        waiting = Heap(
            all.map { one in
                let start = one.event.countedFrom
                guard start > from else { return one }
                return Waiting(goal: curve.total(at: start) + one.event.rest, event: one.event)
            })
    }

    /// Recomputes everything, because categories or browser flags changed.
    func recount(_ window: UseWindow, cause: String?) {
        guard let from = curve?.from else { return }
        change(since: from, window, cause: cause)
    }

    /// Discards the use before everything that is counted.
    /// - Returns: the instant from which on it needs use; nil if nothing waits.
    func trim() -> Instant? {
        let events = waiting.elements.map(\.event) + reached.elements.map(\.event)
        guard let from = events.lazy.filter(\.isCurrent).map(\.countedFrom).min() else { return nil }
        curve?.trim(to: from)
        return from
    }

    // MARK: what is due

    /// When it is due next.
    func nextKey() -> DueKey? {
        while let first = reached.first, !first.event.isCurrent { reached.removeFirst() }
        while let first = waiting.first, !first.event.isCurrent { waiting.removeFirst() }
        let next = waiting.first.flatMap { curve?.first(reaching: $0.goal) }
        let crossing = next.map { DueKey(at: $0, callback: nil) }
        return [reached.first?.key, crossing].compactMap { $0 }.min()
    }

    /// Determines which totals are reached up to `now`.
    func look(until now: Instant) {
        while let first = waiting.first {
            if first.event.isCurrent {
                guard let at = curve?.first(reaching: first.goal), at <= now else { return }
                let key = DueKey(
                    at: first.event.told(reached: at), callback: first.event.callback)
                reached.insert(Reached(key: key, event: first.event))
            }
            waiting.removeFirst()
        }
    }

    /// Removes and returns the events of a key.
    func take(_ key: DueKey) -> [EventPlace] {
        var events: [EventPlace] = []
        while let first = reached.first, first.key <= key {
            reached.removeFirst()
            if first.event.isCurrent { events.append(first.event) }
        }
        return events
    }

    /// When a waiting event is due if present use continues.
    func due(_ event: EventPlace) -> Instant? {
        guard let curve else { return nil }
        let from = event.countedFrom
        if event.rest == 0 { return from }
        return curve.first(reaching: curve.total(at: from) + event.rest)
    }

    /// The use counted between two instants.
    func total(from: Instant, to: Instant) -> Milliseconds {
        guard let curve else { return 0 }
        return curve.total(at: to) - curve.total(at: from)
    }
}
