/// What `/proc/PID/stat` says about one process at one moment.
package struct ProcessRecord: Sendable {
    package let identity: ProcessIdentity
    /// The kernel's parent now: 1 or a sub-reaper once the true parent has ended.
    package let parentPid: Int32
    /// The session id: the pid of the process that called setsid, which may have ended.
    package let session: Int32
    /// The state letter of proc(5): R, S, D, T (stopped), t (traced), Z (zombie), X (dead), I (idle).
    package let state: UInt8
    /// How many threads are left. A process whose first thread ended looks like a zombie and runs on.
    package let threads: Int

    package var pid: Int32 { identity.pid }
    /// True when the process runs no more code.
    package var isDead: Bool {
        state == UInt8(ascii: "X") || state == UInt8(ascii: "Z") && threads <= 1
    }
    /// True when a signal or a tracer holds the process.
    package var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }

    /// Reads the process now; nil when it is gone.
    package init?(pid: Int32) {
        self.init(pid: pid, statPath: "/proc/\(pid)/stat")
    }

    /// Reads one thread of a process: its state may differ from its siblings'.
    init?(pid: Int32, thread: Int32) {
        self.init(pid: pid, statPath: "/proc/\(pid)/task/\(thread)/stat")
    }

    private init?(pid: Int32, statPath: String) {
        guard let text = ProcFile.bytes(statPath, limit: 2048) else { return nil }
        self.init(pid: pid, stat: text)
    }

    /// Parses the text of a stat file. The name in parentheses is the program's own choice and may hold
    /// blanks and parentheses, so the fields are counted from the last `)`.
    init?(pid: Int32, stat: [UInt8]) {
        guard let close = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[(close + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let letter = fields[0].first,
            let parent = Self.number(fields[1]), let session = Self.number(fields[3]),
            let threads = Self.number(fields[17]), let start = Self.number(fields[19])
        else { return nil }
        identity = ProcessIdentity(pid: pid, startTime_ticks: UInt64(start))
        parentPid = Int32(truncatingIfNeeded: parent)
        self.session = Int32(truncatingIfNeeded: session)
        state = letter
        self.threads = threads
    }

    /// The digits as a number; a sign (session -1 of kernel threads) counts as zero.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        if digits.first == UInt8(ascii: "-") { return 0 }
        var value = 0
        for digit in digits {
            guard digit >= 48, digit <= 57 else { return nil }
            value = value &* 10 &+ Int(digit &- 48)
        }
        return value
    }
}

/// All processes at about one moment. A scan is not atomic: a process that forks meanwhile may be missed,
/// which is why the freezer scans again until nothing new is found.
package struct ProcessTable: Sendable {
    package let records: [Int32: ProcessRecord]

    package init(records: [ProcessRecord]) {
        var byPid: [Int32: ProcessRecord] = [:]
        byPid.reserveCapacity(records.count)
        for record in records { byPid[record.pid] = record }
        self.records = byPid
    }

    /// Reads `/proc` once: about 15 µs for each process.
    package static func scan() -> ProcessTable {
        ProcessTable(records: ProcFile.numbers(in: "/proc").compactMap { ProcessRecord(pid: $0) })
    }

    /// The chain of parents of `pid`, nearest first, without `pid` itself.
    package func ancestors(of pid: Int32) -> [Int32] {
        var chain: [Int32] = []
        var next = records[pid]?.parentPid
        while let parent = next, parent > 0, !chain.contains(parent) {
            chain.append(parent)
            next = records[parent]?.parentPid
        }
        return chain
    }
}
