import Glibc

/// The ancestors of a process when it was started, as its starter wrote them into the environment. The kernel
/// loses an ancestor when a process in between exits, as with `run-all.sh --detach`.
///
/// The value is `PID:START PID:START …`, nearest first, START as in field 22 of `/proc/PID/stat`. An entry
/// whose process exited or whose pid was reused matches nothing.
package enum StarterChain {
    /// The environment variable.
    package static let key = "SCREENTIME_STARTED_BY"
    /// Longest chain; the rest is dropped.
    static let processesMax = 64
    /// Bytes of an environment that are read.
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

    /// The chain in the environment of `pid` when its program started; empty if that cannot be read.
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
