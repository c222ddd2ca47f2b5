import Contract
import Rules
import Units

/// The use of one member of what some events name alike, and how far they are from their thresholds.
///
/// All events with the same selection share it. The odometer only ever counts on; an event that counts since
/// an instant waits for the odometer's total at that instant plus its threshold. So a change of use costs as
/// much as there are selections it touches, however many events wait.
final class Odometer: DueSource {
    /// What is counted; its threshold means nothing here.
    let selection: EventRule
    /// Events that have it.
    var users = 0
    /// On whose behalf it runs as it does.
    private(set) var cause: String?
    /// The last change that touched it.
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
    private var course: Course?
    private var waiting = Heap<Waiting>()
    private var reached = Heap<Reached>()
    private var latestStart = Instant.min
    /// Events that wait or have reached their total; others may still be in the heaps.
    private var liveCount = 0

    init(_ selection: EventRule, _ member: MemberOdometers) {
        self.selection = selection
        self.member = member
    }

    var isIdle: Bool { liveCount == 0 }

    /// Whether categories, or who is a browser, matter.
    var asksCatalogue: Bool {
        !selection.categories.isEmpty || !selection.webDomains.isEmpty || !selection.except.isEmpty
    }

    // MARK: events

    /// Lets an event of an open occurrence wait for its warning, or if that was told for its threshold.
    func add(_ event: EventPlace) throws {
        try know(since: event.countedFrom)
        liveCount += 1
        latestStart = max(latestStart, event.countedFrom)
        insert(event)
    }

    /// An event does not wait any more; its places are not current.
    func drop() {
        liveCount -= 1
        if liveCount == 0 { clear() }
        if waiting.count > 2 * liveCount + 64 {
            waiting = Heap(waiting.elements.filter(\.event.isCurrent))
        }
    }

    private func clear() {
        course = nil
        waiting = Heap()
        reached = Heap()
        latestStart = .min
        cause = nil
    }

    private func insert(_ event: EventPlace) {
        guard let course else { return }
        let from = event.countedFrom
        let rest = event.rest
        if rest == 0 {
            reached.insert(Reached(key: DueKey(at: from, callback: event.callback), event: event))
        } else {
            waiting.insert(Waiting(goal: course.total(at: from) + rest, event: event))
        }
    }

    private func know(since from: Instant) throws {
        let window = try member.window(since: from)
        guard let known = course?.from else {
            course = Course(from: from, summands(window, from: from))
            return
        }
        guard from < known else { return }
        course?.extend(backTo: from, summands(window, from: from, to: known))
    }

    private func summands(
        _ window: UseWindow, from: Instant, to: Instant = .max
    ) -> [IntervalSet] {
        let apps = asksCatalogue || selection.includesAllActivity ? nil : selection.applications
        return selection.summands(of: window.use(from: from, to: to, apps: apps), member.catalogue)
    }

    // MARK: use

    /// The use at or after `since` is another.
    func change(since: Instant, _ window: UseWindow, cause: String?) {
        guard var course = self.course else { return }
        self.cause = cause
        let from = max(since, course.from)
        course.replace(from: from, summands(window, from: from))
        self.course = course
        if let last = reached.elements.max(), last.key.at >= from {
            let all = reached.elements.filter(\.event.isCurrent)
            reached = Heap(all.filter { $0.key.at < from })
            for one in all where one.key.at >= from { insert(one.event) }
        }
        guard latestStart > from else { return }
        // Few register in the moment of a change; then all are looked at.
        let all = waiting.elements.filter(\.event.isCurrent)
        waiting = Heap(
            all.map { one in
                let start = one.event.countedFrom
                guard start > from else { return one }
                return Waiting(goal: course.total(at: start) + one.event.rest, event: one.event)
            })
    }

    /// What it counts, or where it belongs, is another: everything is counted anew.
    func recount(_ window: UseWindow, cause: String?) {
        guard let from = course?.from else { return }
        change(since: from, window, cause: cause)
    }

    /// Forgets the use before all that is counted.
    /// - Returns: the instant from which on it needs use; `nil` when nothing waits.
    func trim() -> Instant? {
        let events = waiting.elements.map(\.event) + reached.elements.map(\.event)
        guard let from = events.lazy.filter(\.isCurrent).map(\.countedFrom).min() else { return nil }
        course?.trim(to: from)
        return from
    }

    // MARK: what is due

    /// When something of it is due next.
    func nextKey() -> DueKey? {
        while let first = reached.first, !first.event.isCurrent { reached.removeFirst() }
        while let first = waiting.first, !first.event.isCurrent { waiting.removeFirst() }
        let next = waiting.first.flatMap { course?.first(reaching: $0.goal) }
        let crossing = next.map { DueKey(at: $0, callback: nil) }
        return [reached.first?.key, crossing].compactMap { $0 }.min()
    }

    /// Finds out what is reached up to `now`.
    func look(until now: Instant) {
        while let first = waiting.first {
            if first.event.isCurrent {
                guard let at = course?.first(reaching: first.goal), at <= now else { return }
                let key = DueKey(
                    at: first.event.told(reached: at), callback: first.event.callback)
                reached.insert(Reached(key: key, event: first.event))
            }
            waiting.removeFirst()
        }
    }

    /// Takes out the events of a key.
    func take(_ key: DueKey) -> [EventPlace] {
        var events: [EventPlace] = []
        while let first = reached.first, first.key <= key {
            reached.removeFirst()
            if first.event.isCurrent { events.append(first.event) }
        }
        return events
    }

    /// When an event that waits is due if use goes on as it is.
    func due(_ event: EventPlace) -> Instant? {
        guard let course else { return nil }
        let from = event.countedFrom
        if event.rest == 0 { return from }
        return course.first(reaching: course.total(at: from) + event.rest)
    }

    /// What was counted between two instants.
    func total(from: Instant, to: Instant) -> Milliseconds {
        guard let course else { return 0 }
        return course.total(at: to) - course.total(at: from)
    }
}
