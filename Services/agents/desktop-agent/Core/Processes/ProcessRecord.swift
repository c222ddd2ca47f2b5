/// The content of `/proc/PID/stat` for one process at one moment.
package struct ProcessRecord: Sendable {
    /// Pid and start time.
    package let identity: ProcessIdentity
    /// The present parent: 1 or a sub-reaper once the original parent has exited.
    package let parentPid: Int32
    /// The session id: the pid of the process that called setsid, which may have exited.
    package let session: Int32
    /// The state letter of proc(5): R, S, D, T (stopped), t (traced), Z (zombie), X (dead), I (idle).
    package let state: UInt8
    /// Processor time that the process used so far, in clock ticks (100 per second).
    let processorTime_ticks: UInt64
    /// Number of remaining threads. A process whose first thread exited looks like a zombie but still runs.
    package let threads: Int

    /// The process id.
    package var pid: Int32 { identity.pid }
    /// Whether the process runs no more code.
    package var isDead: Bool {
        state == UInt8(ascii: "X") || state == UInt8(ascii: "Z") && threads <= 1
    }
    /// Whether a signal or a tracer stopped the process.
    package var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }

    /// Reads the process now; nil if it does not exist.
    package init?(pid: Int32) {
        self.init(pid: pid, statPath: "/proc/\(pid)/stat")
    }

    /// Reads one thread of a process; threads can have different states.
    init?(pid: Int32, thread: Int32) {
        self.init(pid: pid, statPath: "/proc/\(pid)/task/\(thread)/stat")
    }

    private init?(pid: Int32, statPath: String) {
        guard let text = ProcFile.bytes(statPath, limit: 2048) else { return nil }
        self.init(pid: pid, stat: text)
    }

    /// Parses a stat file. The name in parentheses is chosen by the program and may contain spaces and
    /// parentheses, so fields are counted from the last `)`.
    init?(pid: Int32, stat: [UInt8]) {
        guard let close = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[(close + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let letter = fields[0].first,
            let parent = Self.number(fields[1]), let session = Self.number(fields[3]),
            let user = Self.number(fields[11]), let system = Self.number(fields[12]),
            let threads = Self.number(fields[17]), let start = Self.number(fields[19])
        else { return nil }
        identity = ProcessIdentity(pid: pid, startTime_ticks: UInt64(start))
        parentPid = Int32(truncatingIfNeeded: parent)
        self.session = Int32(truncatingIfNeeded: session)
        state = letter
        processorTime_ticks = UInt64(user) + UInt64(system)
        self.threads = threads
    }

    /// Parses digits; a negative number (session -1 of kernel threads) counts as zero.
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

/// All processes at about one moment. A scan is not atomic: a process forked meanwhile may be missed, so the
/// freezer repeats scans until nothing new is found.
package struct ProcessTable: Sendable {
    /// Records by pid.
    package let records: [Int32: ProcessRecord]

    /// A table of these records; for tests.
    package init(records: [ProcessRecord]) {
        var byPid: [Int32: ProcessRecord] = [:]
        byPid.reserveCapacity(records.count)
        for record in records { byPid[record.pid] = record }
        self.records = byPid
    }

    /// Reads `/proc` once: about 15 µs per process.
    package static func scan() -> ProcessTable {
        ProcessTable(records: ProcFile.numbers(in: "/proc").compactMap { ProcessRecord(pid: $0) })
    }

    /// The ancestors of `pid`, nearest first, without `pid` itself.
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
