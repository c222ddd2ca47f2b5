package import AppSupport
internal import Foundation

/// The tasks, and the days on which each reached its amount.
package struct Book: Codable, Equatable {
    package static let client = "org.screentime.streaks"
    package static let storage = GroupStorage("group.org.screentime.streaks")
    /// Maximum number of tasks.
    package static let tasksMax = 100
    private static let tasksKey = "tasks"
    /// Each task's marks have a separate key, so that two writers do not overwrite each other's.
    private static func marksKey(_ task: String) -> String { "reached.\(task)" }

    package var tasks: [ScreenTimeTask] = []

    package static func read() throws -> Book { try storage.read(Book.self, tasksKey) ?? Book() }
    package func save() throws { try Self.storage.write(self, Self.tasksKey) }

    /// Days on which the task's amount was reached, sorted.
    package static func reached(_ task: String) throws -> [String] {
        try storage.read([String].self, marksKey(task)) ?? []
    }

    /// Marks a day; has no effect if it is marked.
    package static func mark(_ task: String, on day: String) throws {
        let days = try reached(task)
        guard !days.contains(day) else { return }
        try storage.write((days + [day]).sorted(), marksKey(task))
    }

    package static func forgetMarks(of task: String) throws {
        try storage.write([String]?.none, marksKey(task))
    }
}

/// The result of a task's day.
package enum DayOutcome: String, Codable, Sendable {
    case complete, missed
    /// Today, while the result is open.
    case open
}

/// The state of a task.
package struct Streak: Encodable, Equatable, Sendable {
    package var task: String
    package var aim: ScreenTimeTask.Aim
    package var minutes: Int
    package var today: DayOutcome
    /// Complete days in a row up to today; today counts once it is complete.
    package var current: Int
    /// The longest streak so far.
    package var longest: Int
    /// Whether the task is registered; if not, none of its days is marked.
    package var counted: Bool

    /// - Parameters:
    ///   - reached: days on which the amount was reached.
    ///   - today: the present day, `YYYY-MM-DD`.
    package init(_ task: ScreenTimeTask, reached: Set<String>, today: String, counted: Bool) {
        self.task = task.name
        self.counted = counted
        aim = task.aim
        minutes = task.minutes
        self.today = Self.outcome(task.aim, reached.contains(today), isOver: false)
        var run = 0
        var most = 0
        var day = task.since
        while day < today {
            let outcome = Self.outcome(task.aim, reached.contains(day), isOver: true)
            run = outcome == .complete ? run + 1 : 0
            most = max(most, run)
            guard let next = Day.name(day, plus: 1) else { break }
            day = next
        }
        if self.today == .complete { run += 1 } else if self.today == .missed { run = 0 }
        current = run
        longest = max(most, run)
    }

    private static func outcome(_ aim: ScreenTimeTask.Aim, _ reached: Bool, isOver: Bool)
        -> DayOutcome
    {
        switch (aim, reached) {
        case (.increase, true): .complete
        case (.increase, false): isOver ? .missed : .open
        case (.decrease, true): .missed
        case (.decrease, false): isOver ? .complete : .open
        }
    }
}
