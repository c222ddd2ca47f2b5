import Contract
internal import CPosix
import Glibc

/// Gives one user access to files of the services by access control lists (acl(5)), so that no other user
/// gets it. A file that has a list already is not changed, because somebody wrote that list on purpose.
struct AccessList {
    private let user: uid_t

    init(_ user: uid_t) { self.user = user }

    private enum Right {
        static let read: UInt16 = 4
        static let write: UInt16 = 2
        static let search: UInt16 = 1
    }

    /// Lets the user search every directory on the path.
    func letReach(_ path: String) throws(ServiceError) {
        guard let real = realPath(path) else { throw ProgramUser.failed("reading", path) }
        for end in real.indices.dropFirst() where real[end] == "/" {
            let directory = String(real[..<end])
            try with(directory) { descriptor, status throws(ServiceError) in
                try allow(descriptor, directory, status, Right.search)
            }
        }
    }

    /// Lets the user read a file, or a directory with everything below; links are not followed.
    func letRead(_ path: String) throws(ServiceError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw ProgramUser.failed("reading", path) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return }
        let isExecutable = kind == S_IFDIR || status.st_mode & S_IXUSR != 0
        let right = Right.read | (isExecutable ? Right.search : 0)
        // Files that all users may read belong to the system, and are many.
        if Self.others(status) & right == right { return }
        try with(path) { descriptor, status throws(ServiceError) in
            try allow(descriptor, path, status, right)
        }
        guard kind == S_IFDIR else { return }
        guard let handle = opendir(path) else { throw ProgramUser.failed("listing", path) }
        defer { closedir(handle) }
        for name in entryNames(handle) { try letRead(path + "/" + name) }
    }

    /// Through a descriptor, so that the checked file is the changed one.
    private func with(
        _ path: String, _ body: (Int32, stat) throws(ServiceError) -> Void
    ) throws(ServiceError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw ProgramUser.failed("opening", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ProgramUser.failed("reading", path) }
        try body(descriptor, status)
    }

    private static func others(_ status: stat) -> UInt16 { UInt16(status.st_mode & 7) }

    private func allow(
        _ descriptor: Int32, _ path: String, _ status: stat, _ right: UInt16
    ) throws(ServiceError) {
        // The user can read its own files, or change their mode.
        if status.st_uid == user || Self.others(status) & right == right { return }
        var known = [UInt8](repeating: 0, count: 4_096)
        let count = fgetxattr(descriptor, Self.access, &known, known.count)
        let present = Array(known[..<max(0, count)])
        if count >= 0, grants(present, right) { return }
        // A list written here may have the user with fewer rights: a directory on a path becomes one to read.
        let before = count >= 0 ? ours(present) : nil
        guard before != nil || (count < 0 && errno == ENODATA) else {
            if count >= 0 { errno = EEXIST }
            throw cannot(path, right)
        }
        let list = bytes(
            owner: UInt16(status.st_mode >> 6 & 7), user: right | (before?.user ?? 0),
            group: before?.group ?? UInt16(status.st_mode >> 3 & 7), others: Self.others(status))
        guard fsetxattr(descriptor, Self.access, list, list.count, 0) == 0 else { throw cannot(path, right) }
    }

    /// Sets a default list, so that the user may change what is created in a directory from now on, as far as
    /// its mode allows a group. Returns whether that succeeded.
    func inherit(_ directory: Int32) -> Bool {
        let all = Right.read | Right.write | Right.search
        let list = bytes(owner: all, user: all, group: 0, others: 0)
        return fsetxattr(directory, "system.posix_acl_default", list, list.count, 0) == 0
    }

    private func cannot(_ path: String, _ right: UInt16) -> ServiceError {
        let reason = errno == EEXIST ? "it has an access control list" : String(cString: strerror(errno))
        let letters = (right & Right.read != 0 ? "r" : "") + (right & Right.search != 0 ? "x" : "")
        return ServiceError(
            .unavailable,
            "extensions of root run as user \(user), which cannot use '\(path)', and its rights could not be "
                + "changed: \(reason)",
            remedy: "Run `setfacl -m u:\(user):\(letters) \(VisibleText.shellWord(path))`, run the services "
                + "as a normal user, or install bubblewrap where it works.")
    }

    // MARK: the list as the kernel has it (linux/posix_acl_xattr.h)

    private static let access = "system.posix_acl_access"
    private enum Tag {
        static let owner: UInt16 = 0x01
        static let user: UInt16 = 0x02
        static let group: UInt16 = 0x04
        static let mask: UInt16 = 0x10
        static let others: UInt16 = 0x20
    }

    /// The mask bounds the rights of users and groups in the list; the group keeps its rights.
    private func bytes(owner: UInt16, user right: UInt16, group: UInt16, others: UInt16) -> [UInt8] {
        let nobody = UInt32.max
        let entries = [
            (Tag.owner, owner, nobody), (Tag.user, right, user), (Tag.group, group, nobody),
            (Tag.mask, right | group, nobody), (Tag.others, others, nobody),
        ]
        var bytes: [UInt8] = [2, 0, 0, 0]
        for (tag, rights, id) in entries {
            for half in [tag, rights] { bytes += [UInt8(half & 0xff), UInt8(half >> 8)] }
            for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(id >> shift & 0xff)) }
        }
        return bytes
    }

    private struct Entry {
        let tag: UInt16
        let rights: UInt16
        let id: UInt32
    }

    private func entries(_ list: [UInt8]) -> [Entry] {
        stride(from: 4, to: list.count - 7, by: 8).map { start in
            let tag = UInt16(list[start]) | UInt16(list[start + 1]) << 8
            var id: UInt32 = 0
            for byte in 0..<4 { id |= UInt32(list[start + 4 + byte]) << UInt32(byte * 8) }
            return Entry(tag: tag, rights: UInt16(list[start + 2]), id: id)
        }
    }

    private func grants(_ list: [UInt8], _ right: UInt16) -> Bool {
        let entries = entries(list)
        let mask = entries.last { $0.tag == Tag.mask }?.rights ?? 7
        let found = entries.last { $0.tag == Tag.user && $0.id == user }?.rights ?? 0
        return found & mask & right == right
    }

    /// The rights of a list written here; nil if somebody else wrote it.
    private func ours(_ list: [UInt8]) -> (user: UInt16, group: UInt16)? {
        let entries = entries(list)
        guard entries.map(\.tag) == [Tag.owner, Tag.user, Tag.group, Tag.mask, Tag.others],
            entries[1].id == user, entries[3].rights == entries[1].rights | entries[2].rights
        else { return nil }
        return (entries[1].rights, entries[2].rights)
    }
}
