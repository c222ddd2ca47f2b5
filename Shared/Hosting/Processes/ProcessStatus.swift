/// What the kernel says of a process (/proc/PID/status), as it was in one moment.
struct ProcessStatus {
    private let values: [Substring: Int64]

    /// nil: the process is gone.
    init?(_ pid: Int32) {
        guard let text = readWhole("/proc/\(pid)/status") else { return nil }
        var values: [Substring: Int64] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 1, words[0].hasSuffix(":"), let value = Int64(words[1]) else { continue }
            values[words[0].dropLast()] = value
        }
        self.values = values
    }

    /// 0: this kernel does not say.
    func number(_ key: Substring) -> Int64 { values[key] ?? 0 }

    /// The same of a value in KiB.
    func bytes(_ key: Substring) -> Int64 { number(key) << 10 }
}
