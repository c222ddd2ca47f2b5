import Contract
import Glibc
import Units

/// Resources that one process has used since a moment: processor time of all its threads, and the maximum
/// private memory of all samples. It reads /proc and the process's clock; nothing runs between samples. The
/// kernel's own peak (VmHWM) is unusable: it includes pages of files, which are not private memory, and
/// nobody knows how many they were at the peak.
struct BudgetWatch {
    private let pid: Int32
    private let processorNsBefore: Int64
    private let memoryFiles: MemoryFiles?
    private var peakBytes: Int64 = 0

    struct Look: Equatable {
        var processor: Milliseconds
        var memoryBytes: Int64
        var threads: Int64 = 1
        /// Its first thread has ended, so the other figures are invalid.
        var isLeaderless = false
    }

    /// - Parameter memoryFiles: its files in memory; nil if it has none.
    /// - Returns: nil if the process is gone.
    init?(_ pid: Int32, _ memoryFiles: MemoryFiles? = nil) {
        guard let processor = Self.processorNs(pid) else { return nil }
        self.pid = pid
        self.memoryFiles = memoryFiles
        processorNsBefore = processor
    }

    /// Samples the process; nil if it is gone.
    mutating func look() -> Look? {
        guard let processor = Self.processorNs(pid), let now = ProcessStatus(pid) else { return nil }
        // Mapped files in memory are included in both.
        let shared = max(now.bytes("RssShmem"), memoryFiles?.used(by: pid)?.bytes ?? 0)
        let ownBytes =
            now.bytes("RssAnon") + now.bytes("VmSwap") + now.bytes("HugetlbPages") + shared
        peakBytes = max(peakBytes, ownBytes)
        return Look(
            processor: Milliseconds((processor - processorNsBefore + 999_999) / 1_000_000),
            memoryBytes: peakBytes, threads: now.number("Threads"), isLeaderless: now.isLeaderless(pid))
    }

    static func processorNs(_ pid: Int32) -> Int64? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension BudgetWatch.Look {
    /// What exceeds the budget; nil if nothing does.
    func excess(_ budget: ExtensionBudget) -> Excess? {
        if threads > HostingLimits.threadsMax {
            return Excess(
                what: .threads, limit: HostingLimits.threadsMax, measured: threads,
                sentence: "it has \(threads) threads; the limit is \(HostingLimits.threadsMax) (threadsMax)")
        }
        if memoryBytes > budget.memoryBytes {
            return Excess(
                what: .memory, limit: budget.memoryBytes, measured: memoryBytes,
                sentence: "it took \(memoryBytes) bytes of memory; its budget is \(budget.memoryBytes) "
                    + "(MemoryMegabytes)")
        }
        guard processor > budget.processor else { return nil }
        return Excess(
            what: .processor, limit: budget.processor.count, measured: processor.count,
            sentence: "it took \(processor) ms of processor; its budget is \(budget.processor) "
                + "(ProcessorSeconds)")
    }
}
