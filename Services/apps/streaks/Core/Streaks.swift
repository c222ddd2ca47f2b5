internal import AppSupport
internal import CommandKit
internal import DeviceActivity
internal import ExtensionLink
internal import FamilyControls
internal import Foundation

/// The app's operations, for its command and for other user interfaces.
package enum Streaks {
    /// - Parameters:
    ///   - name: 1 to 100 characters, all visible.
    ///   - minutes: of use a day, 1 to 1440.
    /// - Throws: `CommandError` if they are outside of these ranges.
    package static func check(_ name: String, minutes: Int) throws {
        guard (1...100).contains(name.count) else {
            throw CommandError(
                "a task cannot be called '\(name)'", remedy: "Choose 1 to 100 characters.",
                code: CommandError.usage)
        }
        _ = try AppWords.name(name, "the task's name", bytesMax: ScreenTimeTask.nameBytesMax)
        guard (1...1_440).contains(minutes) else {
            throw CommandError(
                "\(minutes) min is not a valid amount for a day", remedy: "Give 1 to 1440 minutes.",
                code: CommandError.usage)
        }
    }

    /// Adds a task; it counts from today on.
    /// - Parameter name, minutes: see ``check(_:minutes:)``.
    package static func add(
        _ name: String, _ aim: ScreenTimeTask.Aim, selection: String, minutes: Int
    ) throws -> [Streak] {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        try check(name, minutes: minutes)
        let old = try Book.read()
        var book = old
        guard !book.tasks.contains(where: { $0.name == name }) else {
            throw CommandError(
                "there is a task '\(name)'", remedy: "Choose another name, or remove that one.")
        }
        guard book.tasks.count < Book.tasksMax else {
            throw CommandError("there are \(Book.tasksMax) tasks", remedy: "Remove some first.")
        }
        book.tasks.append(
            ScreenTimeTask(
                name: name, aim: aim, selectionName: selection,
                selection: try HostApp.selection(selection, of: Book.client), minutes: minutes,
                since: Day.name(of: Date())))
        // A task that is not registered may contain void tokens, and would prevent the registration.
        let counted = try counted().union([name])
        try replace(old, by: book, book.tasks.filter { counted.contains($0.name) })
        return try list()
    }

    package static func remove(_ name: String) throws -> [Streak] {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        let old = try Book.read()
        var book = old
        guard let index = book.tasks.firstIndex(where: { $0.name == name }) else {
            throw CommandError("there is no task '\(name)'", remedy: "See `streaks list`.")
        }
        book.tasks.remove(at: index)
        // Tasks that are not registered may contain tokens that became void with the permission.
        let counted = try counted()
        try replace(old, by: book, book.tasks.filter { counted.contains($0.name) })
        return try list()
    }

    package static func list() throws -> [Streak] {
        let today = Day.name(of: Date())
        let tasks = try Book.read().tasks
        let counted = tasks.isEmpty ? [] : try counted()
        return try tasks.map { task in
            Streak(
                task, reached: Set(try Book.reached(task.name)), today: today,
                counted: counted.contains(task.name))
        }
    }

    /// Names of the tasks that are registered.
    private static func counted() throws -> Set<String> {
        Set(try DeviceActivityCenter().monitored()[Day.activity, default: []].map(\.rawValue))
    }

    /// Registers the tasks, then saves them: so a refused task is never saved, and repeating an interrupted
    /// command completes it.
    /// - Parameter counted: the tasks to register.
    private static func replace(_ old: Book, by new: Book, _ counted: [ScreenTimeTask]) throws {
        // An unreadable file looks empty: if nothing can be saved, nothing may be registered.
        try old.save()
        try GroupStorage.thenKeep({ try register(counted) }) {
            for task in old.tasks where !new.tasks.contains(where: { $0.name == task.name }) {
                try Book.forgetMarks(of: task.name)
            }
            try new.save()
        }
    }

    /// All tasks are events of one activity. Unchanged events keep their count when it is registered again.
    private static func register(_ tasks: [ScreenTimeTask]) throws {
        let center = DeviceActivityCenter()
        guard !tasks.isEmpty else { return try center.end([Day.activity]) }
        let events = tasks.map { (DeviceActivityEvent.Name($0.name), $0.event) }
        try center.startMonitoring(
            Day.activity, during: Day.schedule,
            events: Dictionary(events) { first, _ in first })
    }
}

extension Streak {
    /// Sentences for a person.
    package var sentence: String {
        let aim = aim == .decrease ? "under" : "at least"
        let days = current == 1 ? "1 day" : "\(current) days"
        let state = "Today \(today.rawValue). \(days) in a row, \(longest) at best."
        let rest = counted ? "" : " Not counted any more: remove it, and add it again."
        return "\(task): \(aim) \(minutes) min a day. \(state)\(rest)"
    }
}
