import Contract
import Glibc
import Loop

/// The user that the programs of root run as where no namespace keeps root's rights from them: Landlock and
/// seccomp take rights away from a process, and root has too many to name.
enum ProgramUser {
    /// Debian and systemd give the numbers 65520 to 65533 to nobody.
    static let number: uid_t = 65_529

    /// nil: programs run as who we are.
    static func needed(isInBubblewrap: Bool) -> uid_t? {
        getuid() == 0 && !isInBubblewrap ? number : nil
    }

    /// Levels of directories in a container; deeper ones come from a program that means no good.
    private static let depthMax = 64

    /// Lets it read what it may read, and makes its own what programs change. The one place where their files
    /// change the owner; only root can do that, and only root needs it.
    /// - Throws: `unavailable` with the path that it cannot be given, and what to do.
    @LoopActor static func prepare(_ order: LaunchOrder, _ files: ProcessFiles) throws(ServiceError) {
        guard getuid() == 0 else { return }
        // Also groups that this program only reads: others of its app write there.
        let changed = Set(files.writable + files.groups.map(\.path)).sorted()
        for path in changed { try own(path, order.user ?? 0) }
        guard let user = order.user else { return }
        let access = AccessList(user)
        let readable = order.readable + files.readable.filter { !changed.contains($0) }
        for path in readable + changed + [files.home, files.temporary] { try access.letReach(path) }
        for path in readable { try access.letRead(path) }
    }

    // MARK: what programs change

    /// What root's apps make there later, programs may change, too.
    private static func own(_ path: String, _ user: uid_t) throws(ServiceError) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { throw failed("opening", path) }
        var status = stat()
        let isKnown = fstat(directory, &status) == 0
        // With root's own rights inside of bubblewrap nothing changes from one start to the next.
        if isKnown, status.st_uid == user, user == 0 {
            close(directory)
            return
        }
        let isDone =
            isKnown && fchown(directory, user, user) == 0
            && (user == 0 || AccessList(user).inherit(directory))
        guard isDone else {
            let error = failed("giving it", path)
            close(directory)
            throw error
        }
        try ownEntries(directory, path, user, depth: 0)
    }

    /// By descriptors, and never through a link: a program may change its directories meanwhile.
    /// - Parameter directory: is closed.
    private static func ownEntries(
        _ directory: Int32, _ path: String, _ user: uid_t, depth: Int
    ) throws(ServiceError) {
        guard let handle = fdopendir(directory) else {
            let error = failed("listing", path)
            close(directory)
            throw error
        }
        defer { closedir(handle) }
        for name in entryNames(handle) {
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            if status.st_uid != user, isDirectory || status.st_nlink == 1,
                fchownat(directory, name, user, user, AT_SYMLINK_NOFOLLOW) != 0, errno != ENOENT
            {
                throw failed("giving it", "\(path)/\(name)")
            }
            guard isDirectory else { continue }
            let below = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            errno = depth < depthMax ? errno : ELOOP
            guard below >= 0, depth < depthMax else {
                let error = failed("opening", "\(path)/\(name)")
                if below >= 0 { close(below) }
                // Gone again, or something else by now.
                if errno == ENOENT || errno == ENOTDIR { continue }
                throw error
            }
            guard user == 0 || AccessList(user).inherit(below) else {
                let error = failed("giving it what is made in", "\(path)/\(name)")
                close(below)
                throw error
            }
            try ownEntries(below, "\(path)/\(name)", user, depth: depth + 1)
        }
    }

    static func failed(_ what: String, _ path: String) -> ServiceError {
        ServiceError(
            .unavailable,
            "extensions of root run as user \(number), and \(what) '\(path)' failed: "
                + String(cString: strerror(errno)),
            remedy: "Run the services as a normal user, or install bubblewrap where it works.")
    }
}

/// The names in an open directory, without its own and its parent's.
func entryNames(_ handle: OpaquePointer) -> [String] {
    var names: [String] = []
    while let entry = readdir(handle) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}
