import Contract
import Rules

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
        let goal_ms: Int64
        let event: EventPlace

        static func < (left: Waiting, right: Waiting) -> Bool { left.goal_ms < right.goal_ms }
        static func == (left: Waiting, right: Waiting) -> Bool { left.goal_ms == right.goal_ms }
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
    private var latestStart_ms = Int64.min
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
        try know(since: event.countedFrom_ms)
        liveCount += 1
        latestStart_ms = max(latestStart_ms, event.countedFrom_ms)
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
        latestStart_ms = .min
        cause = nil
    }

    private func insert(_ event: EventPlace) {
        guard let course else { return }
        let from_ms = event.countedFrom_ms
        let rest_ms = event.rest_ms
        if rest_ms == 0 {
            reached.insert(Reached(key: DueKey(at_ms: from_ms, callback: event.callback), event: event))
        } else {
            waiting.insert(Waiting(goal_ms: course.total_ms(at: from_ms) + rest_ms, event: event))
        }
    }

    private func know(since from_ms: Int64) throws {
        let window = try member.window(since: from_ms)
        guard let known_ms = course?.from_ms else {
            course = Course(from: from_ms, summands(window, from: from_ms))
            return
        }
        guard from_ms < known_ms else { return }
        course?.extend(backTo: from_ms, summands(window, from: from_ms, to: known_ms))
    }

    private func summands(
        _ window: UseWindow, from from_ms: Int64, to to_ms: Int64 = .max
    ) -> [IntervalSet] {
        let apps = asksCatalogue || selection.includesAllActivity ? nil : selection.applications
        return selection.summands(of: window.use(from: from_ms, to: to_ms, apps: apps), member.catalogue)
    }

    // MARK: use

    /// The use at or after `since_ms` is another.
    func change(since since_ms: Int64, _ window: UseWindow, cause: String?) {
        guard var course = self.course else { return }
        self.cause = cause
        let from_ms = max(since_ms, course.from_ms)
        course.replace(from: from_ms, summands(window, from: from_ms))
        self.course = course
        if let last = reached.elements.max(), last.key.at_ms >= from_ms {
            let all = reached.elements.filter(\.event.isCurrent)
            reached = Heap(all.filter { $0.key.at_ms < from_ms })
            for one in all where one.key.at_ms >= from_ms { insert(one.event) }
        }
        guard latestStart_ms > from_ms else { return }
        // Few register in the moment of a change; then all are looked at.
        let all = waiting.elements.filter(\.event.isCurrent)
        waiting = Heap(
            all.map { one in
                let start_ms = one.event.countedFrom_ms
                guard start_ms > from_ms else { return one }
                return Waiting(goal_ms: course.total_ms(at: start_ms) + one.event.rest_ms, event: one.event)
            })
    }

    /// What it counts, or where it belongs, is another: everything is counted anew.
    func recount(_ window: UseWindow, cause: String?) {
        guard let from_ms = course?.from_ms else { return }
        change(since: from_ms, window, cause: cause)
    }

    /// Forgets the use before all that is counted.
    /// - Returns: the instant from which on it needs use; `nil` when nothing waits.
    func trim() -> Int64? {
        let events = waiting.elements.map(\.event) + reached.elements.map(\.event)
        guard let from_ms = events.lazy.filter(\.isCurrent).map(\.countedFrom_ms).min() else { return nil }
        course?.trim(to: from_ms)
        return from_ms
    }

    // MARK: what is due

    /// When something of it is due next.
    func nextKey() -> DueKey? {
        while let first = reached.first, !first.event.isCurrent { reached.removeFirst() }
        while let first = waiting.first, !first.event.isCurrent { waiting.removeFirst() }
        let next_ms = waiting.first.flatMap { course?.first_ms(reaching: $0.goal_ms) }
        let crossing = next_ms.map { DueKey(at_ms: $0, callback: nil) }
        return [reached.first?.key, crossing].compactMap { $0 }.min()
    }

    /// Finds out what is reached up to `now_ms`.
    func look(until now_ms: Int64) {
        while let first = waiting.first {
            if first.event.isCurrent {
                guard let at_ms = course?.first_ms(reaching: first.goal_ms), at_ms <= now_ms else { return }
                let key = DueKey(
                    at_ms: first.event.told_ms(reached: at_ms), callback: first.event.callback)
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
    func due_ms(_ event: EventPlace) -> Int64? {
        guard let course else { return nil }
        let from_ms = event.countedFrom_ms
        if event.rest_ms == 0 { return from_ms }
        return course.first_ms(reaching: course.total_ms(at: from_ms) + event.rest_ms)
    }

    /// What was counted between two instants.
    func total_ms(from from_ms: Int64, to to_ms: Int64) -> Int64 {
        guard let course else { return 0 }
        return course.total_ms(at: to_ms) - course.total_ms(at: from_ms)
    }
}
