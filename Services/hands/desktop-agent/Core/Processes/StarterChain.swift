import Glibc

/// Who started a process, as its starter wrote it into the environment: the chain of its ancestors at that
/// moment. The kernel forgets an ancestor as soon as one between ends, as `run-all.sh --detach` does.
///
/// The value is `PID:START PID:START …`, nearest first, START as in field 22 of `/proc/PID/stat`. A process
/// that ended since, or whose id another one has now, stands for nobody.
package enum StarterChain {
    package static let key = "SCREENTIME_STARTED_BY"
    /// Longer chains are cut: nobody is started from so deep.
    static let processesMax = 64
    /// Of an environment, in bytes; what is behind is not looked at.
    private static let environmentBytesMax = 1 << 20

    static func parse(_ text: some StringProtocol) -> [ProcessIdentity] {
        text.split(separator: " ").prefix(processesMax).compactMap { entry in
            let parts = entry.split(separator: ":")
            guard parts.count == 2, let pid = Int32(parts[0]), pid > 1, let start = UInt64(parts[1]) else {
                return nil
            }
            return ProcessIdentity(pid: pid, startTime_ticks: start)
        }
    }

    /// What the environment of `pid` said when its program began; empty when that cannot be read.
    static func read(_ pid: Int32) -> [ProcessIdentity] {
        let bytes = ProcFile.bytes("/proc/\(pid)/environ", limit: environmentBytesMax) ?? []
        let prefix = Array("\(key)=".utf8)
        let entry = bytes.split(separator: 0).first { $0.starts(with: prefix) }
        return entry.map { parse(String(decoding: $0.dropFirst(prefix.count), as: UTF8.self)) } ?? []
    }

    /// The living ancestors of this process.
    package static func current() -> [ProcessIdentity] {
        let table = ProcessTable.scan()
        return table.ancestors(of: getpid()).prefix(processesMax).compactMap {
            $0 > 1 ? table.records[$0]?.identity : nil
        }
    }
}
