import Glibc

/// How far an import is, on standard error: one line that changes on a terminal, else a line per quarter.
final class ImportCommandProgress {
    private let total: Int
    private let isTerminal: Bool
    private let tell: (String) -> Void
    private var done = 0
    private var quartersTold = 0

    /// - tell: receives the text as it is written to standard error.
    init(total: Int, isTerminal: Bool = isatty(STDERR_FILENO) == 1, tell: ((String) -> Void)? = nil) {
        self.total = total
        self.isTerminal = isTerminal
        self.tell =
            tell ?? { text in
                let bytes = Array(text.utf8)
                // Progress is only for a terminal.
                _ = write(STDERR_FILENO, bytes, bytes.count)
            }
    }

    func advance(by count: Int) {
        done += count
        guard total > 0 else { return }
        let text = "\(done) of \(total) changes sent (\(done * 100 / total) %)"
        let quarters = done * 4 / total
        if isTerminal {
            tell("\r\u{1b}[K" + text)
        } else if quarters > quartersTold {
            tell(text + "\n")
        }
        quartersTold = quarters
    }

    /// What comes after it begins on a line of its own.
    func end() {
        if isTerminal, done > 0 { tell("\n") }
    }
}
