package import Contract
package import Units

/// Every limit of hosting extension programs. Going over one is an error that names it.
package enum HostingLimits {
    /// What a bundle without `ScreenTimeBudget` may take: 64 MiB, 30 s per callback, 10 s of processor.
    package static let defaultBudget = ExtensionBudget(
        memoryBytes: 64 << 20, callback: 30_000, processor: 10_000)
    /// What a bundle may ask for, in its own units.
    package static let memoryMegabytes: ClosedRange<Int64> = 4...1_024
    package static let callbackSeconds: ClosedRange<Int64> = 1...300
    package static let processorSeconds: ClosedRange<Int64> = 1...300
    /// Milliseconds between two looks at what a process takes.
    static let look: Milliseconds = 50
    /// The same while it is at work.
    static let busyPoll: Milliseconds = 10
    /// Bytes of writable memory beyond the budget, for stacks of threads and what is only set aside. What was
    /// written and may only be read since does not count. RLIMIT_DATA.
    static let memoryCeilingBytes: Int64 = 256 << 20
    /// Bytes of address space beyond the budget; what a program may take before somebody looks, whatever it
    /// is made of. RLIMIT_AS.
    static let addressSpaceBytes: Int64 = 4 << 30
    /// Bytes of one file that a program writes. RLIMIT_FSIZE.
    static let fileBytesMax: Int64 = 64 << 20
    /// Bytes of its temporary files; in memory, with bubblewrap, they count as memory, too.
    static let temporaryBytesMax: Int64 = 16 << 20
    /// Bytes of an extension's container, what it holds open without a name included: 128 MiB.
    package static let containerBytesMax: Int64 = 128 << 20
    /// Bytes of an app group, as far as extensions may write there: 512 MiB.
    static let groupBytesMax: Int64 = 512 << 20
    /// Files and directories in each of these.
    package static let namesMax: Int64 = 10_000
    /// Directories within each other in them.
    static let treeDepthMax = 64
    /// How many times longer than a count of them the pause after it is, and the longest pause.
    static let countPauseFactor: Int64 = 10
    static let countPauseMax: Milliseconds = 50
    /// Milliseconds of a count after which the next one is not made by the thread of the bus.
    static let countOnBusMax: Milliseconds = 5
    /// Bytes beyond what a container still has room for that a program may write while its files are counted:
    /// as many as one file may have.
    static let uncountedBytesMax: Int64 = 64 << 20
    /// Bytes and files of a bundle, which is copied when it is installed.
    package static let bundleBytesMax: Int64 = 512 << 20
    static let bundleNamesMax = 10_000
    /// Milliseconds before what is removed is looked at again, as long as a process has it.
    static let sweep: Milliseconds = 100
    /// Threads of one process: each has a stack in the kernel, which is nobody's memory.
    static let threadsMax: Int64 = 256
    /// Processes and threads that the kernel counts for it, with bubblewrap's own: it is ended for more than
    /// ``threadsMax``, and cannot have many more before somebody looks. RLIMIT_NPROC.
    static let tasksMax: Int64 = threadsMax + 16
    /// The same of all programs of root without bubblewrap together, which have one user.
    static let tasksOfUserMax: Int64 = 4_096
    /// Bytes of the first thread's stack, and of others that ask for no other. RLIMIT_STACK.
    static let stackBytes: Int64 = 8 << 20
    /// Locks of parts of files (fcntl) that it may hold: the kernel keeps each in memory that is nobody's.
    static let locksMax: Int64 = 1_000
    /// Parts of its memory that differ (lines of /proc/PID/maps): the kernel keeps each.
    static let mappingsMax: Int64 = 4_096
    /// Descriptors that it has epoll watch, each as often as it does; as many as it may have open.
    static let watchesMax: Int64 = 256
    /// Descriptors it may have open. RLIMIT_NOFILE.
    static let descriptorsMax: Int64 = 256
    /// Milliseconds before it is started again after it failed once; doubled for each further failure.
    package static let restart: Milliseconds = 1_000
    /// The longest of these: one minute.
    package static let restartMax: Milliseconds = 60_000
    /// Milliseconds a process has to end by itself after the end of the stream.
    static let grace: Milliseconds = 2_000
    /// Milliseconds a process has to end after it closed its end of the stream.
    static let closed: Milliseconds = 1_000
    /// Milliseconds a program has at install to say what it serves.
    package static let proof: Milliseconds = 20_000
    /// Milliseconds that auth-service has to say what tokens stand for: what they are asked for needs time,
    /// too.
    static let tokens: Milliseconds = 3_000
    /// Requests of one program that may be open at once.
    static let openRequestsMax = 64
    /// Bytes of them after which no further one is taken before one is answered: 256 KiB.
    static let openRequestBytesMax = 256 * 1024
    /// Requests to one program that may wait for their turn.
    static let waitingRequestsMax = 64
    /// Events pushed to one program that it may leave unanswered.
    static let openPushesMax = 64
    /// Bytes that may wait to be read by a program before nothing more is read from it. Answers to what it
    /// asked before still come: up to ``openRequestsMax`` messages more.
    static let waitingBytesMax = 4 << 20
    /// Bytes of an Info.plist or an entitlements file.
    static let propertyListBytesMax = 64 * 1024
    /// Objects in a binary one, and bytes of their texts, each as often as it is named.
    static let propertyListObjectsMax = 16_384
    static let propertyListTextBytesMax = 256 * 1024
    /// Files of entitlements in a bundle.
    static let entitlementFilesMax = 8
    /// How deep it may nest.
    static let propertyListDepthMax = 16
    /// App groups of one client.
    static let groupsMax = 16
    /// Bytes of an extension's log before it becomes `.1`: 4 MiB.
    static let logBytesMax = 4 << 20
    /// Bytes of one line of it; a longer one is cut.
    static let logLineBytesMax = 8 * 1024
    /// Bytes of its log that a program may fill per second; then it is made to wait.
    static let outputBytesPerSecondMax = 256 * 1024
    /// Bytes that a line of it costs beside its own: its entry in the log.
    static let outputLineBytes = 100
    /// Lines of one program in one turn of the bus, and those of its last words that become entries.
    static let outputLinesPerTurnMax = 256
    static let outputLinesAtEndMax = 2_000
    /// Milliseconds in one turn of the bus for messages of one program.
    static let messagesMax: Milliseconds = 5
    /// The last lines that are kept in memory.
    static let outputLinesKept = 200
    /// Milliseconds to find out what confinement works on this machine.
    static let probe: Milliseconds = 5_000
}
