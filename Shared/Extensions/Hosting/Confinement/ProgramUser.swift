import Contract
import Glibc
import Loop

/// The user that root's programs run as where no namespace removes root's rights: Landlock and seccomp remove
/// single rights, and root has too many.
enum ProgramUser {
    /// Debian and systemd do not assign the numbers 65520 to 65533.
    static let number: uid_t = 65_529

    /// Nil if programs run as the host's user.
    static func needed(isInBubblewrap: Bool) -> uid_t? {
        getuid() == 0 && !isInBubblewrap ? number : nil
    }

    /// Nesting of directories in a container; deeper ones are created only by malicious programs.
    private static let depthMax = 64

    /// Lets the user read what programs may read, and makes it the owner of what programs change. This is the
    /// only place where their files change the owner; only root can do that, and only root needs it.
    /// - Throws: `unavailable` with the path that failed, and what to do.
    @LoopActor static func prepare(_ order: LaunchOrder, _ files: ProcessFiles) throws(ServiceError) {
        guard getuid() == 0 else { return }
        // Also groups that this program only reads, because other extensions of its app write there.
        let changed = Set(files.writable + files.groups.map(\.path)).sorted()
        for path in changed { try own(path, order.user ?? 0) }
        guard let user = order.user else { return }
        let access = AccessList(user)
        let readable = order.readable + files.readable.filter { !changed.contains($0) }
        for path in readable + changed + [files.home, files.temporary] { try access.letReach(path) }
        for path in readable { try access.letRead(path) }
    }

    // MARK: what programs change

    /// Programs may also change what root's apps create there later.
    private static func own(_ path: String, _ user: uid_t) throws(ServiceError) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { throw failed("opening", path) }
        var status = stat()
        let isKnown = fstat(directory, &status) == 0
        // With root's rights inside bubblewrap, nothing changes between starts.
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

    /// Through descriptors, and never through a link, because a program may change its directories meanwhile.
    /// - Parameter directory: closed by this function.
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
                // It was removed or replaced meanwhile.
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

/// The names in an open directory except `.` and `..`.
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
