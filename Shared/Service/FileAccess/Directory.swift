package import CPosix
import Glibc

/// A directory by its descriptor. What is in it is reached from there, one name at a time, and no symbolic
/// link is followed: whoever exchanges entries meanwhile cannot lead us to another place.
package struct Directory: ~Copyable, Sendable {
    package let descriptor: Int32

    /// - Parameter path: in its parents links are followed: they are for directories that only we can change.
    package init(path: String) throws(FileError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("opening the directory", path) }
    }

    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // A child between fork and exec shares a lock; closing alone would leave it locked until the exec.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    // MARK: entries

    /// The directory of that name in it.
    package func directory(_ name: EntryName) throws(FileError) -> Directory {
        let opened = openat(descriptor, name.bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw FileError("opening the directory", name.text) }
        return Directory(owning: opened)
    }

    /// The same, made when it is not there.
    package func making(_ name: EntryName, mode: mode_t = 0o700) throws(FileError) -> Directory {
        guard mkdirat(descriptor, name.bytes, mode) == 0 || errno == EEXIST else {
            throw FileError("making the directory", name.text)
        }
        return try directory(name)
    }

    /// Opens a plain file; see ``openPlain(_:_:mode:in:)``.
    /// - Returns: a descriptor that the caller owns.
    package func plainFile(
        _ name: EntryName, _ flags: Int32, mode: mode_t = 0o600
    ) throws(FileError) -> Int32 {
        try opened(openat(descriptor, name.bytes, flags | plainFlags, mode), name.text)
    }

    /// The same where a link leads to the file: the caller means to follow it.
    package func followedFile(_ name: EntryName) throws(FileError) -> Int32 {
        let flags = O_RDONLY | (plainFlags & ~O_NOFOLLOW)
        return try opened(openat(descriptor, name.bytes, flags), name.text)
    }

    /// Where a link says that it leads.
    package func linkTarget(_ name: EntryName) throws(FileError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(descriptor, name.bytes, &buffer, buffer.count)
        guard count >= 0 else { throw FileError("reading the link", name.text) }
        return buffer[..<count].map { UInt8(bitPattern: $0) }
    }

    package func makeLink(_ name: EntryName, to target: [UInt8]) throws(FileError) {
        guard symlinkat(target.map { CChar(bitPattern: $0) } + [0], descriptor, name.bytes) == 0 else {
            throw FileError("making the link", name.text)
        }
    }

    /// Makes a directory of a name that nothing has.
    package func makeFresh(mode: mode_t) throws(FileError) -> EntryName {
        while true {
            let name = EntryName.fresh()
            if mkdirat(descriptor, name.bytes, mode) == 0 { return name }
            guard errno == EEXIST else { throw FileError("making the directory", name.text) }
        }
    }

    /// Removes a directory that has nothing in it, and leaves any other.
    package func removeIfEmpty(_ name: EntryName) throws(FileError) {
        guard unlinkat(descriptor, name.bytes, AT_REMOVEDIR) != 0, errno != ENOTEMPTY, errno != EEXIST,
            errno != ENOENT
        else { return }
        throw FileError("removing the directory", name.text)
    }

    /// - Parameter max: at most so many of them, in no order.
    package func entries(max: Int = .max) throws(FileError) -> [EntryName] {
        // A descriptor of its own, so that each listing begins at the beginning.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            let error = FileError("listing", "a directory")
            if own >= 0 { close(own) }
            throw error
        }
        defer { closedir(stream) }
        var names: [EntryName] = []
        while names.count < max, let entry = readdir(stream) {
            if let name = EntryName.of(entry) { names.append(name) }
        }
        return names
    }

    /// What is under that name, a link itself and not where it points; nil: nothing.
    package func status(_ name: EntryName) throws(FileError) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError("reading about", name.text)
        }
        return status
    }

    /// What it is itself.
    package func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("reading about", "a directory") }
        return status
    }

    /// What a link of /proc leads to, which is the open file itself; nil: it is closed.
    package func target(_ name: EntryName) -> stat? {
        var status = stat()
        return fstatat(descriptor, name.bytes, &status, 0) == 0 ? status : nil
    }

    /// - Throws: with the code EEXIST when there is an entry of the new name.
    package func rename(
        _ name: EntryName, to newName: EntryName, in other: borrowing Directory
    ) throws(FileError) {
        let noReplace: UInt32 = 1  // RENAME_NOREPLACE of linux/fs.h
        guard renameat2(descriptor, name.bytes, other.descriptor, newName.bytes, noReplace) == 0 else {
            throw FileError("renaming", name.text)
        }
    }

    /// Gives one entry the name of another, which it replaces.
    package func replace(_ name: EntryName, by other: EntryName) throws(FileError) {
        guard renameat(descriptor, other.bytes, descriptor, name.bytes) == 0 else {
            throw FileError("replacing", name.text)
        }
    }

    /// Locks the directory itself as flock(2) does, without waiting, until it is closed.
    /// - Returns: false: others have it locked.
    package func lock(_ kind: Lock) throws(FileError) -> Bool {
        if flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw FileError("locking", "a directory") }
        return false
    }

    package enum Lock: Sendable { case shared, exclusive }

    /// - Returns: false: it is a directory. An entry that is not there is removed already.
    package func remove(_ name: EntryName) throws(FileError) -> Bool {
        if unlinkat(descriptor, name.bytes, 0) == 0 || errno == ENOENT { return true }
        guard errno == EISDIR || errno == EPERM else { throw FileError("removing", name.text) }
        return false
    }
}

/// What every opening of a plain file adds: it follows no link, and waits for nobody at a FIFO.
private let plainFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY

/// Opens a file that may have been exchanged for something else: a symbolic link is refused, and so is
/// whatever is no plain file.
/// - Parameter path: in its parents links are followed.
/// - Returns: a descriptor that the caller owns.
package func openPlain(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) -> Int32 {
    try opened(open(path, flags | plainFlags, mode), path)
}

private func opened(_ descriptor: Int32, _ name: String) throws(FileError) -> Int32 {
    guard descriptor >= 0 else {
        if errno == ELOOP {
            throw FileError("'\(name)' is a symbolic link, and is not followed", code: ELOOP)
        }
        throw FileError("opening", name)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw FileError("'\(name)' is not a plain file", code: EINVAL)
    }
    return descriptor
}
