internal import AppSupport
internal import DeviceActivity
internal import FamilyControls
internal import Foundation

/// What the app does, for its own command and for the console.
package enum Streaks {
    /// Adds a task; it counts from today on.
    /// - Parameter minutes: of use a day, 1 to 1440.
    package static func add(
        _ name: String, _ aim: ScreenTimeTask.Aim, selection: String, minutes: Int
    ) throws -> [Streak] {
        var book = try Book.read()
        guard !name.isEmpty, name.count <= 100, !book.tasks.contains(where: { $0.name == name }) else {
            throw AppError(
                "a task cannot be called '\(name)'", remedy: "Choose 1 to 100 characters that no task has.")
        }
        guard (1...1_440).contains(minutes) else {
            throw AppError("\(minutes) min is no amount of a day", remedy: "Give 1 to 1440 minutes.")
        }
        guard book.tasks.count < Book.tasksMax else {
            throw AppError("there are \(Book.tasksMax) tasks", remedy: "Remove some first.")
        }
        book.tasks.append(
            ScreenTimeTask(
                name: name, aim: aim, selectionName: selection,
                selection: try HostApp.selection(selection, of: Book.client), minutes: minutes,
                since: Day.name(of: Date())))
        try book.save()
        try follow(book)
        return try list()
    }

    package static func remove(_ name: String) throws -> [Streak] {
        var book = try Book.read()
        guard let index = book.tasks.firstIndex(where: { $0.name == name }) else {
            throw AppError("there is no task '\(name)'", remedy: "See `streaks list`.")
        }
        book.tasks.remove(at: index)
        try book.save()
        try Book.forgetMarks(of: name)
        try follow(book)
        return try list()
    }

    package static func list() throws -> [Streak] {
        let today = Day.name(of: Date())
        return try Book.read().tasks.map { task in
            Streak(task, reached: Set(try Book.reached(task.name)), today: today)
        }
    }

    /// All tasks are events of one activity: registering it again leaves the unchanged ones their count.
    private static func follow(_ book: Book) throws {
        let center = DeviceActivityCenter()
        guard !book.tasks.isEmpty else { return center.stopMonitoring([Day.activity]) }
        let events = book.tasks.map { (DeviceActivityEvent.Name($0.name), $0.event) }
        try center.startMonitoring(
            Day.activity, during: Day.schedule,
            events: Dictionary(events) { first, _ in first })
    }
}

extension Streak {
    /// For a person.
    package var sentence: String {
        let aim = aim == .decrease ? "under" : "at least"
        let days = current == 1 ? "1 day" : "\(current) days"
        let state = "Today \(today.rawValue). \(days) in a row, \(longest) at best."
        return "\(task): \(aim) \(minutes) min a day. \(state)"
    }
}
