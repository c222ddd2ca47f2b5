import Contract
import ExtensionLink
import Glibc
import Loop
import ServiceKit

/// The command line that starts one process of an extension, with everything the process may access and use.
struct LaunchOrder {
    /// The words; the first is the path of what is executed.
    let words: [String]
    let isInBubblewrap: Bool
    /// Real paths of what the program may read, besides the files of its process.
    let readable: [String]
    /// The user it runs as; nil for the host's.
    let user: uid_t?

    /// Numbers of the descriptors in the program and, last, in the launcher.
    static let (socketNumber, journalNumber, reportNumber): (Int32, Int32, Int32) = (3, 4, 5)

    /// - Parameter clock: the preloaded library and its page; nil for the system's clock.
    /// - Throws: `notFound` if its program does not exist.
    @LoopActor init(
        _ program: ExtensionRecord, _ confinement: Confinement, _ files: ProcessFiles,
        clock: (library: String, page: String)?
    ) throws(ServiceError) {
        isInBubblewrap = confinement.bubblewrap != nil
        user = ProgramUser.needed(isInBubblewrap: isInBubblewrap)
        guard let executable = realPath(program.executable), let bundle = realPath(program.path) else {
            throw ServiceError(
                .notFound, "'\(program.executable)' does not exist any more",
                remedy: "Build it again, or remove the extension.")
        }
        let budget = program.budget ?? HostingLimits.defaultBudget
        var readable = [bundle, executable]
        if let runtime = Programs.swiftRuntime { readable.append(runtime) }
        if let clock { readable += [clock.library, clock.page] }
        readable.append(confinement.library)
        if let frameworks = confinement.frameworks { readable.append(frameworks) }
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

    /// Files of the process in /proc that libc, Foundation and Swift's runtime read. The whole directory is
    /// not allowed: pagemap, smaps and numa_maps show which pages of a file other processes have mapped,
    /// which would let programs communicate.
    private static let ofItself = [
        "maps", "stat", "statm", "status", "cmdline", "comm", "auxv", "limits",
    ]

    // Not /dev/zero: mapped, it is memory that is not counted.
    private static let devices = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Tasks are counted per user: those of the person's uid only where bubblewrap's namespace has a separate
    /// count.
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
            // For the library's chmod and similar functions; see Shared/Extensions/ProgramLibrary.
            "SCREENTIME_OWN_FILES=\(files.writable.map { realPath($0) ?? $0 }.joined(separator: ":"))",
            "\(Wire.descriptorKey)=\(socketNumber)",
            // Otherwise each thread reserves 64 MiB of address space.
            "MALLOC_ARENA_MAX=2",
        ]
        if files.journal != nil { entries.append("\(Wire.journalKey)=\(journalNumber)") }
        entries.append("LD_PRELOAD=" + preloaded.joined(separator: ":"))
        if let page { entries.append("\(ClockPage.environmentKey)=\(page)") }
        for key in ["TZ"] + PersonLanguage.variables {
            if let value = getenv(key) { entries.append("\(key)=\(String(cString: value))") }
        }
        return entries
    }
}
