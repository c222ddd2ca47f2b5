package import Contract
package import Units

/// All limits of hosting extension programs. Exceeding one is an error that names it.
package enum HostingLimits {
    /// Budget of a bundle without `ScreenTimeBudget`: 64 MiB, 30 s per callback, 10 s of processor time.
    package static let defaultBudget = ExtensionBudget(
        memoryBytes: 64 << 20, callback: 30_000, processor: 10_000)
    /// Values a bundle may set in its budget, in the units of its keys.
    package static let memoryMegabytes: ClosedRange<Int64> = 4...1_024
    /// Time per callback, in seconds.
    package static let callbackSeconds: ClosedRange<Int64> = 1...300
    /// Processor time per callback, in seconds.
    package static let processorSeconds: ClosedRange<Int64> = 1...300
    /// Interval of sampling the resources of an idle process.
    static let look: Milliseconds = 50
    /// Interval of sampling while it works.
    static let busyPoll: Milliseconds = 10
    /// Bytes of writable memory beyond the budget, for stacks of threads and reserved memory. Memory that was
    /// made read-only does not count. RLIMIT_DATA.
    static let memoryCeilingBytes: Int64 = 256 << 20
    /// Bytes of address space beyond the budget: an upper bound of what a program can use between two
    /// samples. RLIMIT_AS.
    static let addressSpaceBytes: Int64 = 4 << 30
    /// Bytes of one file that a program writes. RLIMIT_FSIZE.
    static let fileBytesMax: Int64 = 64 << 20
    /// Bytes of its temporary files. With bubblewrap they are in memory and also count as memory.
    static let temporaryBytesMax: Int64 = 16 << 20
    /// Bytes of an extension's container, including open files without a name: 128 MiB.
    package static let containerBytesMax: Int64 = 128 << 20
    /// Bytes of an app group that extensions may write to: 512 MiB.
    static let groupBytesMax: Int64 = 512 << 20
    /// Files and directories in each of them.
    package static let namesMax: Int64 = 10_000
    /// Nesting of directories in them.
    static let treeDepthMax = 64
    /// The pause after counting files, as a multiple of the count's duration, and its maximum.
    static let countPauseFactor: Int64 = 10
    static let countPauseMax: Milliseconds = 50
    /// If a count takes longer than this, the next one runs on another thread than the loop's.
    static let countOnBusMax: Milliseconds = 5
    /// Bytes beyond the container's remaining room that a program may write while its files are counted: the
    /// size of one file.
    static let uncountedBytesMax: Int64 = 64 << 20
    /// Bytes and files of a bundle, which is copied at installation.
    package static let bundleBytesMax: Int64 = 512 << 20
    static let bundleNamesMax = 10_000
    /// Interval of retrying to delete removed files while a process uses them.
    static let sweep: Milliseconds = 100
    /// Threads of one process. Each has a stack in the kernel, which is not counted as its memory.
    static let threadsMax: Int64 = 256
    /// Processes and threads that the kernel counts for it, including bubblewrap's. It is killed for more
    /// than ``threadsMax``; this bounds what it can create between two samples. RLIMIT_NPROC.
    static let tasksMax: Int64 = threadsMax + 16
    /// As ``tasksMax``, for all programs of root without bubblewrap together, which share one user.
    static let tasksOfUserMax: Int64 = 4_096
    /// Bytes of the first thread's stack, and the default of other threads. RLIMIT_STACK.
    static let stackBytes: Int64 = 8 << 20
    /// Locks on ranges of files (fcntl). The kernel stores each in memory that is not counted.
    static let locksMax: Int64 = 1_000
    /// Memory mappings (lines of /proc/PID/maps). The kernel stores each.
    static let mappingsMax: Int64 = 4_096
    /// Descriptors watched by its epolls, each counted once per epoll; as many as it may have open.
    static let watchesMax: Int64 = 256
    /// Open descriptors. RLIMIT_NOFILE.
    static let descriptorsMax: Int64 = 256
    /// Delay before it is restarted after a failure; doubled for each further one.
    package static let restart: Milliseconds = 1_000
    /// The maximum of this delay: one minute.
    package static let restartMax: Milliseconds = 60_000
    /// Time for a process to exit by itself after the end of the stream.
    static let grace: Milliseconds = 2_000
    /// Time for a process to exit after it closed its end of the stream.
    static let closed: Milliseconds = 1_000
    /// Time for a program to report at installation what it serves.
    package static let proof: Milliseconds = 20_000
    /// Time for auth-service to resolve tokens; the request itself needs time, too.
    static let tokens: Milliseconds = 3_000
    /// Open requests of one program.
    static let openRequestsMax = 64
    /// Bytes of open requests from which on no further one is read until one is answered: 256 KiB.
    static let openRequestBytesMax = 256 * 1024
    /// Queued requests to one program.
    static let waitingRequestsMax = 64
    /// Unanswered events pushed to one program.
    static let openPushesMax = 64
    /// Bytes queued for a program from which on nothing more is read from it. Answers to earlier requests are
    /// still sent: up to ``openRequestsMax`` more messages.
    static let waitingBytesMax = 4 << 20
    /// Bytes of an Info.plist or an entitlements file.
    static let propertyListBytesMax = 64 * 1024
    /// Objects in a binary property list, and bytes of their texts, counted once per reference.
    static let propertyListObjectsMax = 16_384
    static let propertyListTextBytesMax = 256 * 1024
    /// Entitlement files in a bundle.
    static let entitlementFilesMax = 8
    /// Nesting of a property list.
    static let propertyListDepthMax = 16
    /// App groups of one client.
    static let groupsMax = 16
    /// Bytes of an extension's log before it is rotated to `.1`: 4 MiB.
    static let logBytesMax = 4 << 20
    /// Bytes of one line of the log; a longer one is split.
    static let logLineBytesMax = 8 * 1024
    /// Bytes that a program may log per second; beyond that it is blocked.
    static let outputBytesPerSecondMax = 256 * 1024
    /// Bytes added for each line: its entry in the log.
    static let outputLineBytes = 100
    /// Lines of one program in one turn of the loop, and lines of its last output that become entries.
    static let outputLinesPerTurnMax = 256
    static let outputLinesAtEndMax = 2_000
    /// Time in one turn of the loop for messages of one program.
    static let messagesMax: Milliseconds = 5
    /// Number of last lines kept in memory.
    static let outputLinesKept = 200
    /// Time to determine which confinement works on this machine.
    static let probe: Milliseconds = 5_000
}
