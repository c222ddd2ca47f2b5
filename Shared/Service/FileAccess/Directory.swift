package import CPosix
import Glibc

/// A directory by its descriptor. Entries are accessed relative to it, one name at a time, and symbolic links
/// are not followed. Exchanging entries meanwhile therefore cannot redirect an access.
package struct Directory: ~Copyable, Sendable {
    /// Open while the value exists, and closed with it.
    package let descriptor: Int32

    /// - Parameter path: links in its parent directories are followed, so only this user may be able to
    ///   change those.
    package init(path: String) throws(FileError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("opening the directory", path) }
    }

    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // A child between fork and exec shares the lock. Closing alone would keep the directory locked until
        // exec.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    // MARK: entries

    /// Opens the subdirectory `name`.
    package func directory(_ name: EntryName) throws(FileError) -> Directory {
        let opened = openat(descriptor, name.bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw FileError("opening the directory", name.text) }
        return Directory(owning: opened)
    }

    /// Opens the subdirectory `name`, and creates it if it is missing.
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

    /// The same, but follows a link on purpose.
    package func followedFile(_ name: EntryName) throws(FileError) -> Int32 {
        let flags = O_RDONLY | (plainFlags & ~O_NOFOLLOW)
        return try opened(openat(descriptor, name.bytes, flags), name.text)
    }

    /// The target of the link `name`.
    package func linkTarget(_ name: EntryName) throws(FileError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(descriptor, name.bytes, &buffer, buffer.count)
        guard count >= 0 else { throw FileError("reading the link", name.text) }
        return buffer[..<count].map { UInt8(bitPattern: $0) }
    }

    /// Makes a symbolic link.
    package func makeLink(_ name: EntryName, to target: [UInt8]) throws(FileError) {
        guard symlinkat(target.map { CChar(bitPattern: $0) } + [0], descriptor, name.bytes) == 0 else {
            throw FileError("making the link", name.text)
        }
    }

    /// Makes a directory with an unused random name.
    package func makeUniqueDirectory(mode: mode_t) throws(FileError) -> EntryName {
        while true {
            let name = EntryName.fresh()
            if mkdirat(descriptor, name.bytes, mode) == 0 { return name }
            guard errno == EEXIST else { throw FileError("making the directory", name.text) }
        }
    }

    /// Removes an empty directory; leaves a directory with entries.
    package func removeIfEmpty(_ name: EntryName) throws(FileError) {
        guard unlinkat(descriptor, name.bytes, AT_REMOVEDIR) != 0, errno != ENOTEMPTY, errno != EEXIST,
            errno != ENOENT
        else { return }
        throw FileError("removing the directory", name.text)
    }

    /// - Parameter max: the largest number of entries to return. They are unsorted.
    package func entries(max: Int = .max) throws(FileError) -> [EntryName] {
        // A new descriptor, so that each listing starts at the first entry.
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

    /// The status of `name`, of a link itself and not of its target. Nil if it does not exist.
    package func status(_ name: EntryName) throws(FileError) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError("reading about", name.text)
        }
        return status
    }

    /// The status of this directory.
    package func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("reading about", "a directory") }
        return status
    }

    /// The status of the open file that a link in /proc refers to. Nil if it is closed.
    package func target(_ name: EntryName) -> stat? {
        var status = stat()
        return fstatat(descriptor, name.bytes, &status, 0) == 0 ? status : nil
    }

    /// - Throws: an error with code EEXIST if `newName` exists.
    package func rename(
        _ name: EntryName, to newName: EntryName, in other: borrowing Directory
    ) throws(FileError) {
        let noReplace: UInt32 = 1  // RENAME_NOREPLACE of linux/fs.h
        guard renameat2(descriptor, name.bytes, other.descriptor, newName.bytes, noReplace) == 0 else {
            throw FileError("renaming", name.text)
        }
    }

    /// Renames `other` to `name`, replacing what had that name.
    package func replace(_ name: EntryName, by other: EntryName) throws(FileError) {
        guard renameat(descriptor, other.bytes, descriptor, name.bytes) == 0 else {
            throw FileError("replacing", name.text)
        }
    }

    /// Locks the directory by flock(2) without waiting, until it is closed.
    /// - Returns: false if another process holds a conflicting lock.
    package func lock(_ kind: Lock) throws(FileError) -> Bool {
        if flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw FileError("locking", "a directory") }
        return false
    }

    /// Kind of flock(2) lock.
    package enum Lock: Sendable { case shared, exclusive }

    /// - Returns: true if the entry is removed or did not exist; false if it is a directory.
    package func remove(_ name: EntryName) throws(FileError) -> Bool {
        if unlinkat(descriptor, name.bytes, 0) == 0 || errno == ENOENT { return true }
        guard errno == EISDIR || errno == EPERM else { throw FileError("removing", name.text) }
        return false
    }
}

/// Flags for opening a regular file: do not follow a link, and do not block on a FIFO.
private let plainFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY

/// Opens a file that may have been exchanged for something else. Refuses symbolic links and anything that is
/// not a regular file.
/// - Parameter path: links in its parent directories are followed.
/// - Returns: a descriptor that the caller owns.
package func openPlain(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) -> Int32 {
    try opened(open(path, flags | plainFlags, mode), path)
}

private func opened(_ descriptor: Int32, _ name: String) throws(FileError) -> Int32 {
    guard descriptor >= 0 else {
        if errno == ELOOP {
            throw FileError("'\(name)' is a symbolic link, which is not followed", code: ELOOP)
        }
        throw FileError("opening", name)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw FileError("'\(name)' is not a regular file", code: EINVAL)
    }
    return descriptor
}
