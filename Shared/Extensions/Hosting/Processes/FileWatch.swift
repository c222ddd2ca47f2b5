import Contract
import Loop
import Time
import Units

/// The result of counting a process's files.
struct FileCount: Sendable {
    /// Nil if no limit is exceeded.
    var excess: Excess?
    /// Bytes that can be added until a limit is exceeded; where it may not write, the size of one file.
    var roomBytes: Int64
}

/// Counts the files of one process when it may have changed them. The process determines how long a count
/// takes, so a long one does not block the loop, and what is written until it is done is bounded by a figure
/// that can be read at once.
@LoopActor final class FileWatch {
    /// Its inputs; tests replace them.
    struct Sources: Sendable {
        /// Bytes it has written in its lifetime; nil if this kernel does not report it.
        var writtenBytes: @Sendable () -> Int64?
        var count: @Sendable () -> FileCount
        var now: @Sendable () -> Milliseconds = { MonotonicClock.now }
    }

    private let sources: Sources
    private let exceeded: @LoopActor (Excess) -> Void
    /// Processor time of the process at the start of the last count.
    private var processorNs: Int64 = -1
    private var took: Milliseconds = 0
    private var next: Milliseconds = 0
    private var isCounting = false
    private var isOver = false
    /// Results of the last finished count: bytes written when it began, and the room it found.
    private var countedBytes: Int64 = 0
    private var roomBytes: Int64 = 0

    /// - Parameter exceeded: called at most once, now or later.
    init(_ sources: Sources, exceeded: @escaping @LoopActor (Excess) -> Void) {
        self.sources = sources
        self.exceeded = exceeded
    }

    /// The process has ended.
    func end() { isOver = true }

    /// - Parameter processorNs: processor time of the process so far: if it is unchanged, no file was
    ///   changed.
    func look(processorNs: Int64) {
        guard !isOver else { return }
        let writtenBytes = sources.writtenBytes() ?? 0
        let isDue = sources.now() >= next || writtenBytes - countedBytes > roomBytes
        if !isCounting, isDue, processorNs != self.processorNs {
            self.processorNs = processorNs
            count(from: writtenBytes)
        }
        let sinceBytes = writtenBytes - countedBytes
        let mostBytes = roomBytes + HostingLimits.uncountedBytesMax
        guard !isOver, sinceBytes > mostBytes else { return }
        say(
            Excess(
                what: .disk, limit: mostBytes, measured: sinceBytes,
                sentence: "it wrote \(sinceBytes) bytes since its files were last counted, which takes long; "
                    + "there was room for \(roomBytes), and uncountedBytesMax is "
                    + "\(HostingLimits.uncountedBytesMax)"))
    }

    private func count(from writtenBytes: Int64) {
        let began = sources.now()
        guard took > HostingLimits.countOnBusMax else {
            return finish(sources.count(), from: writtenBytes, since: began)
        }
        isCounting = true
        Task { [self] in
            let found = await EventLoop.main.onOwnThread { [sources] in sources.count() }
            isCounting = false
            finish(found, from: writtenBytes, since: began)
        }
    }

    private func finish(_ found: FileCount, from writtenBytes: Int64, since began: Milliseconds) {
        let now = sources.now()
        took = now - began
        next = now + min(took * HostingLimits.countPauseFactor, HostingLimits.countPauseMax)
        countedBytes = writtenBytes
        roomBytes = found.roomBytes
        if let excess = found.excess { say(excess) }
    }

    private func say(_ excess: Excess) {
        guard !isOver else { return }
        isOver = true
        exceeded(excess)
    }
}
