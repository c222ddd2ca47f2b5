import Contract
import Glibc

/// What one process has taken since a moment: processor time of all its threads, and the most memory of its
/// own. From /proc and the process's clock; nothing runs in between.
struct BudgetWatch {
    private let pid: Int32
    private let processorNsBefore: Int64
    /// What the kernel's peak means: since `init`, where it let us reset it.
    private var peakBytes: Int64 = 0

    struct Look: Equatable {
        var processorMs: Int64
        var memoryBytes: Int64
    }

    /// nil: the process is gone.
    init?(_ pid: Int32) {
        guard let processor = Self.processorNs(pid) else { return nil }
        self.pid = pid
        processorNsBefore = processor
        // "5" resets the peak of resident memory (proc(5)); where that is refused, it is the peak since the
        // start.
        let descriptor = open("/proc/\(pid)/clear_refs", O_WRONLY | O_CLOEXEC)
        if descriptor >= 0 {
            _ = write(descriptor, "5", 1)
            close(descriptor)
        }
    }

    /// nil: the process is gone.
    mutating func look() -> Look? {
        guard let processor = Self.processorNs(pid), let status = readWhole("/proc/\(pid)/status") else {
            return nil
        }
        func bytes(_ key: String) -> Int64 {
            for line in status.split(separator: "\n") where line.hasPrefix(key + ":") {
                return
                    (line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
                    .flatMap { Int64($0) } ?? 0) << 10
            }
            return 0
        }
        // The peak counts pages of files, too, which are not the program's own and can be read again.
        let now = bytes("RssAnon") + bytes("RssShmem") + bytes("VmSwap")
        peakBytes = max(peakBytes, now, bytes("VmHWM") - bytes("RssFile"))
        return Look(
            processorMs: (processor - processorNsBefore + 999_999) / 1_000_000, memoryBytes: peakBytes)
    }

    static func processorNs(_ pid: Int32) -> Int64? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension BudgetWatch.Look {
    /// What is over the budget; nil: nothing.
    func excess(_ budget: ExtensionBudget) -> Excess? {
        if memoryBytes > budget.memoryBytes {
            return Excess(
                what: .memory, limit: budget.memoryBytes, measured: memoryBytes,
                sentence: "it took \(memoryBytes) bytes of memory; its budget is \(budget.memoryBytes) "
                    + "(MemoryMegabytes)")
        }
        guard processorMs > budget.processorMs else { return nil }
        return Excess(
            what: .processor, limit: budget.processorMs, measured: processorMs,
            sentence: "it took \(processorMs) ms of processor; its budget is \(budget.processorMs) "
                + "(ProcessorSeconds)")
    }
}
