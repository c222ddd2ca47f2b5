import CommandKit
import Contract
import Units

/// Draws ``TopState`` for a terminal of some size.
enum TopScreen {
    /// Lines of apps that are kept for them however much is shielded.
    private static let appsMin = 3

    /// - Parameters:
    ///   - columns: longer lines are cut.
    ///   - rows: there are never more lines; apps that do not fit are left out, with a line that says so.
    ///   - isLive: whether the last line says how to leave.
    static func lines(_ state: TopState, columns: Int, rows: Int, isLive: Bool) -> [ConsoleText] {
        let head = head(state, columns)
        var tail = section("Shielded", state.shields, columns) + section("Open", state.exceptions, columns)
        tail += state.notes.map { Console.styled(DisplayWidth.cut($0, to: columns), .yellow) }
        let end: [ConsoleText] = isLive ? ["", Console.styled("q quits", .faint)] : []
        let room = max(rows - head.count - end.count, 0)
        tail = Array(tail.prefix(max(room - appsMin - 1, 0)))
        return Array((head + apps(state, columns, rows: room - tail.count) + tail + end).prefix(rows))
    }

    private static func head(_ state: TopState, _ columns: Int) -> [ConsoleText] {
        let total = "Today \(LocalTime.duration(state.total))"
        let time = LocalTime.time(state.now)
        let gap = max(columns - DisplayWidth.of(total) - DisplayWidth.of(time), 1)
        var lines: [ConsoleText] = [
            "\(Console.styled(total, .bold))\(String(repeating: " ", count: gap))\(time)"
        ]
        if let (name, since) = state.current {
            let line = "Now \(name), for \(LocalTime.duration(state.now - since))"
            lines.append(Console.styled(DisplayWidth.cut(line, to: columns), .green))
        }
        return lines + [""]
    }

    /// - Parameter rows: at most.
    private static func apps(_ state: TopState, _ columns: Int, rows: Int) -> [ConsoleText] {
        guard rows > 1, let first = state.apps.first else { return [] }
        let fits = state.apps.count <= rows - 1
        let shown = state.apps.prefix(fits ? rows - 1 : max(rows - 2, 0))
        var table = TextTable(["APP", "TIME"], elastic: 0)
        for row in shown {
            let share = Double(row.time.count) / Double(max(first.time.count, 1))
            table.add([row.name, LocalTime.duration(row.time)], share: share)
        }
        let lines = table.drawn(columns: columns)
        guard !fits else { return lines }
        return lines + [Console.styled("and \(state.apps.count - shown.count) more", .faint)]
    }

    private static func section(
        _ title: String, _ shields: [TopState.Shield], _ columns: Int
    ) -> [ConsoleText] {
        guard !shields.isEmpty else { return [] }
        // A category has a shield for its apps and one for its sites.
        var different: [TopState.Shield] = []
        for one in shields where !different.contains(one) { different.append(one) }
        let names = different.map { DisplayWidth.cut($0.name, to: columns / 2) }
        let room = columns - names.reduce(DisplayWidth.of(title)) { max($0, DisplayWidth.of($1)) } - 2
        var table = TextTable([title.uppercased(), ""])
        for (name, one) in zip(names, different) {
            table.add([name, DisplayWidth.cut(one.why, to: max(room, 0))])
        }
        return [""] + table.drawn(columns: nil)
    }
}
