import Bus
import Contract
import ExtensionLink
import Glibc

/// How one process of an extension is started: the words of its command line, which say what it may see and
/// take.
struct LaunchOrder {
    /// The words; the first is the path of what is executed.
    let words: [String]
    /// The journal it gets; nil: none.
    let journal: String?
    let isInBubblewrap: Bool
    /// Real paths of what the program may read, beside its app groups.
    let readable: [String]
    /// The directory of its own, and those of its app groups.
    let container: String
    let groups: [String]
    /// Whom it runs as; nil: as we do.
    let user: uid_t?

    /// Where the descriptors are in the program, and, last, in the launcher.
    static let (socketNumber, journalNumber, reportNumber): (Int32, Int32, Int32) = (3, 4, 5)

    /// - Parameter journal: where it notes callbacks that returned; only monitor extensions have one.
    /// - Throws: `notFound` when its program is gone; `unavailable` when the clock's library is missing.
    init(
        _ program: ExtensionRecord, _ confinement: Confinement, _ files: HostFiles, journal: String?
    ) throws(ServiceError) {
        self.journal = journal
        isInBubblewrap = confinement.bubblewrap != nil
        user = ProgramUser.needed(isInBubblewrap: isInBubblewrap)
        guard let executable = realPath(program.executable), let bundle = realPath(program.path) else {
            throw ServiceError(
                .notFound, "'\(program.executable)' is not there any more",
                remedy: "Build it again, or remove the extension.")
        }
        let clock = try files.clock()
        let budget = program.budget ?? HostingLimits.defaultBudget
        var readable = [bundle, executable]
        if let runtime = Programs.swiftRuntime { readable.append(runtime) }
        if let clock { readable += [clock.library, clock.page] }
        readable.append(confinement.library)
        let use = program.point.groupUse
        container = files.container(program.id)
        groups = use == .none ? [] : (program.groups ?? []).map(files.group)
        self.readable = readable
        var writable = use == .write ? groups : []
        if program.point.keepsFiles { writable.insert(container, at: 0) } else { readable.append(container) }
        if use == .read { readable += groups }
        let temporary = container + "/tmp"
        var outer: [String] = []
        if let bubblewrap = confinement.bubblewrap {
            outer = [bubblewrap] + BubblewrapCommand.namespaces + BubblewrapCommand.base
            for path in readable + [confinement.launcher] { outer += ["--ro-bind", path, path] }
            for path in writable { outer += ["--bind", path, path] }
            outer += ["--size", String(HostingLimits.temporaryBytesMax), "--tmpfs", temporary]
            outer += ["--remount-ro", "/", "--"]
            // Memory of its own, which nobody else sees and which goes with it.
            if !program.point.keepsFiles { writable.append(temporary) }
        }
        let environment = Self.environment(
            home: container, temporary: temporary, writable, hasJournal: journal != nil,
            preloaded: [confinement.library, clock?.library].compactMap(\.self), page: clock?.page)
        var inner = [confinement.launcher, "--directory", bundle]
        for entry in environment { inner += ["--env", entry] }
        for path in BubblewrapCommand.readable + readable { inner += ["--read", path] }
        for path in writable + Self.devices { inner += ["--write", path] }
        inner += isInBubblewrap ? ["--read", "/proc"] : ["--pin", "/proc/self"]
        if let user { inner += ["--user", String(user)] }
        for limit in Self.limits(budget) { inner += ["--limit", limit] }
        let keep = journal == nil ? Self.socketNumber : Self.journalNumber
        inner += ["--keep", String(keep), "--report", String(Self.reportNumber), "--", executable]
        words = outer + inner
    }

    private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

    private static func limits(_ budget: ExtensionBudget) -> [String] {
        [
            "as=\(budget.memoryBytes + HostingLimits.addressSpaceBytes)",
            "data=\(budget.memoryBytes + HostingLimits.memoryCeilingBytes)",
            "fsize=\(HostingLimits.fileBytesMax)", "nofile=\(HostingLimits.descriptorsMax)",
        ]
    }

    private static func environment(
        home: String, temporary: String, _ writable: [String], hasJournal: Bool, preloaded: [String],
        page: String?
    ) -> [String] {
        var entries = [
            "PATH=/usr/bin:/bin", "HOME=\(home)", "TMPDIR=\(temporary)",
            // For the library's chmod and its kin; see Shared/ProgramLibrary.
            "SCREENTIME_OWN_FILES=\(writable.map { realPath($0) ?? $0 }.joined(separator: ":"))",
            "\(Wire.descriptorKey)=\(socketNumber)",
            // Else each thread sets 64 MiB of addresses aside.
            "MALLOC_ARENA_MAX=2",
        ]
        if hasJournal { entries.append("\(Wire.journalKey)=\(journalNumber)") }
        entries.append("LD_PRELOAD=" + preloaded.joined(separator: ":"))
        if let page { entries.append("\(ClockPage.environmentKey)=\(page)") }
        for key in ["TZ", "LANG", "LC_ALL"] {
            if let value = getenv(key) { entries.append("\(key)=\(String(cString: value))") }
        }
        return entries
    }
}
