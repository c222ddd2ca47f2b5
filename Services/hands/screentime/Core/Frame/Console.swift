import Contract
import Glibc

/// Standard output and error of the command line: the one place that writes to them, and that escapes what
/// others said.
package enum Console {
    /// Whether standard output is a terminal that wants colours (NO_COLOR, no-color.org).
    package static let hasColours: Bool = {
        guard isatty(STDOUT_FILENO) == 1, getenv("NO_COLOR") == nil else { return false }
        guard let terminal = getenv("TERM") else { return false }
        return String(cString: terminal) != "dumb"
    }()

    package enum Style: String {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    package static func styled(_ text: String, _ style: Style) -> ConsoleText {
        ConsoleText(text).styled(style)
    }

    package static func print(_ text: ConsoleText) { write(text.written, to: STDOUT_FILENO) }

    /// One line of others.
    @_disfavoredOverload package static func print(_ line: String) { print(ConsoleText(line)) }

    /// A line of JSON. What would move the terminal is written as JSON's `\u`, which means the same.
    package static func print(_ line: [UInt8]) {
        write(VisibleText.escapedJSON(line) + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    /// A remark that is not part of the answer.
    package static func note(_ text: ConsoleText) { write(text.written, to: STDERR_FILENO) }

    /// A remark in words of others.
    @_disfavoredOverload package static func note(_ line: String) { note(ConsoleText(line)) }

    package static func fail(_ error: CommandError) {
        let end = error.message.hasSuffix(".") ? "" : "."
        note("screentime: \(error.message)\(end) \(error.remedy)")
    }

    private static func write(_ line: String, to descriptor: Int32) {
        write(Array((line + "\n").utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A closed pipe ends us by SIGPIPE, as it does every filter. An answer that is lost is no answer.
            guard count > 0 else {
                guard descriptor == STDOUT_FILENO else { return }
                let reason = String(cString: strerror(errno))
                fail(
                    CommandError(
                        ExitCode.temporary, "the answer cannot be written: \(reason)",
                        remedy: "Write it to another place."))
                exit(ExitCode.temporary)
            }
            done += count
        }
    }
}

/// Lines of columns, as wide as their widest cell; the last column ends where it ends.
package struct TextTable {
    private var rows: [[String]] = []

    package init(_ header: [String]) { rows = [header] }

    /// Cells are escaped before they are measured.
    package mutating func add(_ row: [String]) { rows.append(row.map { VisibleText.escaped($0) }) }

    package func printAll() {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        for (index, row) in rows.enumerated() {
            var line = ""
            for (column, cell) in row.enumerated() {
                let isLast = column == row.count - 1
                line += isLast ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            Console.print(index == 0 ? Console.styled(line, .bold) : ConsoleText(line))
        }
    }
}
