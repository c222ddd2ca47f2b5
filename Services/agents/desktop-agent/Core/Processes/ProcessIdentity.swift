/// Identifies one process. The kernel reuses process ids, but never this pair.
package struct ProcessIdentity: Hashable, Sendable {
    /// The process id in this process's pid namespace; at least 1.
    package let pid: Int32
    /// Start of the process in clock ticks since boot (field 22 of `/proc/PID/stat`, 100 per second).
    package let startTime_ticks: UInt64

    /// An identity with these values, as recorded earlier.
    package init(pid: Int32, startTime_ticks: UInt64) {
        self.pid = pid
        self.startTime_ticks = startTime_ticks
    }

    /// The process that has `pid` now; nil if there is none.
    package init?(livingPid pid: Int32) {
        guard let record = ProcessRecord(pid: pid), !record.isDead else { return nil }
        self = record.identity
    }
}
