import Contract
import ExtensionLink
import Glibc
import Loop
import ServiceKit

/// How one process of an extension is started: the words of its command line, which say what it may see and
/// take.
struct LaunchOrder {
    /// The words; the first is the path of what is executed.
    let words: [String]
    let isInBubblewrap: Bool
    /// Real paths of what the program may read, beside the files of its process.
    let readable: [String]
    /// Whom it runs as; nil: as we do.
    let user: uid_t?

    /// Where the descriptors are in the program, and, last, in the launcher.
    static let (socketNumber, journalNumber, reportNumber): (Int32, Int32, Int32) = (3, 4, 5)

    /// - Parameter clock: the preloaded library and its page; nil: it lives by the system's clock.
    /// - Throws: `notFound` when its program is gone.
    @LoopActor init(
        _ program: ExtensionRecord, _ confinement: Confinement, _ files: ProcessFiles,
        clock: (library: String, page: String)?
    ) throws(ServiceError) {
        isInBubblewrap = confinement.bubblewrap != nil
        user = ProgramUser.needed(isInBubblewrap: isInBubblewrap)
        guard let executable = realPath(program.executable), let bundle = realPath(program.path) else {
            throw ServiceError(
                .notFound, "'\(program.executable)' is not there any more",
                remedy: "Build it again, or remove the extension.")
        }
        let budget = program.budget ?? HostingLimits.defaultBudget
        var readable = [bundle, executable]
        if let runtime = Programs.swiftRuntime { readable.append(runtime) }
        if let clock { readable += [clock.library, clock.page] }
        readable.append(confinement.library)
        self.readable = readable
        readable += files.readable
        var outer: [String] = []
        if let bubblewrap = confinement.bubblewrap {
            outer = [bubblewrap] + BubblewrapCommand.namespaces + BubblewrapCommand.base
            for path in readable + [confinement.launcher] { outer += ["--ro-bind", path, path] }
            for path in files.writable where path != files.temporary { outer += ["--bind", path, path] }
            outer += ["--size", String(HostingLimits.temporaryBytesMax), "--tmpfs", files.temporary]
            outer += ["--remount-ro", "/", "--"]
        }
        let environment = Self.environment(
            files, preloaded: [confinement.library, clock?.library].compactMap(\.self), page: clock?.page)
        var inner = [confinement.launcher, "--directory", bundle]
        for entry in environment { inner += ["--env", entry] }
        for path in BubblewrapCommand.readable + readable { inner += ["--read", path] }
        for path in files.writable + Self.devices { inner += ["--write", path] }
        for name in Self.ofItself { inner += ["--pin", "/proc/self/\(name)"] }
        inner += ["--locks", program.point.locksFiles ? "yes" : "no"]
        if let user { inner += ["--user", String(user)] }
        for limit in Self.limits(budget) + Self.tasks(user, isInBubblewrap) { inner += ["--limit", limit] }
        let keep = files.journal == nil ? Self.socketNumber : Self.journalNumber
        inner += ["--keep", String(keep), "--report", String(Self.reportNumber), "--", executable]
        words = outer + inner
    }

    /// What libc, Foundation and Swift's runtime read of the process in /proc. Not its directory: pagemap,
    /// smaps and numa_maps tell which pages of a file others have mapped, and so one program could hear
    /// another.
    private static let ofItself = [
        "maps", "stat", "statm", "status", "cmdline", "comm", "auxv", "limits",
    ]

    // Not /dev/zero: mapped, it is memory that nothing counts.
    private static let devices = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Tasks are counted by user: of the person's own uid only where bubblewrap's namespace has a count of
    /// its own.
    private static func tasks(_ user: uid_t?, _ isInBubblewrap: Bool) -> [String] {
        if user != nil { return ["nproc=\(HostingLimits.tasksOfUserMax)"] }
        return isInBubblewrap && Kernel.countsTasksByNamespace ? ["nproc=\(HostingLimits.tasksMax)"] : []
    }

    private static func limits(_ budget: ExtensionBudget) -> [String] {
        [
            "stack=\(HostingLimits.stackBytes)",
            "as=\(budget.memoryBytes + HostingLimits.addressSpaceBytes)",
            "data=\(budget.memoryBytes + HostingLimits.memoryCeilingBytes)",
            "fsize=\(HostingLimits.fileBytesMax)", "nofile=\(HostingLimits.descriptorsMax)",
        ]
    }

    @LoopActor private static func environment(
        _ files: ProcessFiles, preloaded: [String], page: String?
    ) -> [String] {
        var entries = [
            "PATH=/usr/bin:/bin", "HOME=\(files.home)", "TMPDIR=\(files.temporary)",
            // For the library's chmod and its kin; see Shared/Extensions/ProgramLibrary.
            "SCREENTIME_OWN_FILES=\(files.writable.map { realPath($0) ?? $0 }.joined(separator: ":"))",
            "\(Wire.descriptorKey)=\(socketNumber)",
            // Else each thread sets 64 MiB of addresses aside.
            "MALLOC_ARENA_MAX=2",
        ]
        if files.journal != nil { entries.append("\(Wire.journalKey)=\(journalNumber)") }
        entries.append("LD_PRELOAD=" + preloaded.joined(separator: ":"))
        if let page { entries.append("\(ClockPage.environmentKey)=\(page)") }
        for key in ["TZ", "LANG", "LC_ALL"] {
            if let value = getenv(key) { entries.append("\(key)=\(String(cString: value))") }
        }
        return entries
    }
}
