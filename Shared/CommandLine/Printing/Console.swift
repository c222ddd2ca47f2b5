import Contract
import Glibc

/// Standard output and error of a command: the one place that writes to them, and that escapes what others
/// said.
package enum Console {
    /// Whether standard output is a terminal.
    package static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Whether standard output is a terminal that wants colours (NO_COLOR, no-color.org).
    package static let hasColours: Bool = {
        func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return isTerminal && wantsColours(noColour: text("NO_COLOR"), terminal: text("TERM"))
    }()

    /// - Parameters:
    ///   - noColour: NO_COLOR, which is as if not set when it is empty.
    ///   - terminal: TERM.
    static func wantsColours(noColour: String?, terminal: String?) -> Bool {
        noColour ?? "" == "" && terminal != nil && terminal != "dumb"
    }

    /// Columns of help: those of COLUMNS, or of the terminal, at most 100, which is enough for a line to be
    /// read. 80 where neither is known.
    package static let columns = min(max(columnsOfVariable ?? columnsOfTerminal ?? 80, 40), 100)

    /// Columns of tables that are cut or have bars: all of the terminal; nil if standard output is none.
    /// Where the terminal does not say it, those of COLUMNS, else 80.
    package static let tableColumns = isTerminal ? columnsOfTerminal ?? columnsOfVariable ?? 80 : nil

    private static let columnsOfVariable: Int? = getenv("COLUMNS")
        .flatMap { WholeNumber.of(String(cString: $0)) }
        .flatMap { $0 > 0 ? Int(min($0, 1_000)) : nil }

    private static let columnsOfTerminal: Int? = {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return size.ws_col > 0 ? Int(size.ws_col) : nil
    }()

    /// The program as it was called, which begins its errors.
    private static let program: String = {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? path
    }()

    package enum Style: String {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
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

    /// - Parameter isLines: whether line ends of the error stay, because it says what several things said.
    package static func fail(_ error: CommandError, isLines: Bool = false) {
        let sentence = isLines ? ConsoleText(lines: error.sentence) : ConsoleText(error.sentence)
        note("\(program): \(sentence)")
    }

    /// What is wrong with the words of the command line. A usage line has a line of its own.
    package static func refuse(_ error: CommandError) {
        let gap: ConsoleText = error.remedy.hasPrefix("usage:") ? "\n" : ". "
        note("\(program): \(error.message)\(gap)\(ConsoleText(lines: error.remedy))")
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
                        remedy: "What the command changes is changed. Make room where the answer goes, or "
                            + "send it to another place, and ask again."))
                exit(ExitCode.temporary)
            }
            done += count
        }
    }
}
