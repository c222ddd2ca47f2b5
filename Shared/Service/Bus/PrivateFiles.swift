package import Contract
import Glibc

/// Makes a directory of this user's alone if it is missing, and refuses one that another user owns or may
/// change: whoever can write there decides what is read from it.
/// - Parameters:
///   - name: what it is, for people.
///   - key: the environment key that names another one.
///   - refused: permission bits that it must not have.
/// - Throws: `storageFailed`; `wrongUser`; `accessDenied`
package func preparePrivateDirectory(
    _ path: String, _ name: String, key: String, refused: UInt32 = 0o022
) throws(ServiceError) {
    try makeDirectories(path, mode: 0o700)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw ServiceError(
            .storageFailed, "the \(name) '\(path)' is not a directory", remedy: "Remove it, or set \(key).")
    }
    guard status.st_uid == getuid() else {
        throw ServiceError(
            .wrongUser, "the \(name) '\(path)' belongs to uid \(status.st_uid), not to \(getuid())",
            remedy: "Set \(key) to a directory of your own.")
    }
    guard status.st_mode & refused == 0 else {
        let mode = String(status.st_mode & 0o7777, radix: 8)
        throw ServiceError(
            .accessDenied, "the \(name) '\(path)' is open to other users (mode \(mode))",
            remedy: "Run `chmod 700 \(VisibleText.shellWord(path))`, after a look at what is in it.")
    }
}

/// Puts a full log aside, as `<path>.1`. Where that cannot be (a directory has the name), what the log holds
/// is dropped: it must not fill the disk, and what stands in the way is not ours to remove.
/// - Parameter descriptor: the log, open for writing.
/// - Returns: whether it was put aside; if not, `descriptor` is the empty log.
package func setLogAside(_ path: String, _ descriptor: Int32) -> Bool {
    if rename(path, path + ".1") == 0 { return true }
    ftruncate(descriptor, 0)
    return false
}

/// Opens a file of this process's own, or makes it: mode 0600, a regular file of this user, never behind a
/// symbolic link, and without waiting for whoever is at the other end of a FIFO.
/// - Parameter flags: of open(2), as `O_RDWR | O_CREAT`.
/// - Throws: `storageFailed`; `wrongUser`
package func openPrivateFile(_ path: String, _ flags: Int32) throws(ServiceError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
        let code = errno
        // open(2): ENXIO is a FIFO that nobody reads, or a socket.
        guard code != ELOOP, code != ENXIO else { throw noRegularFile(path) }
        throw ServiceError(
            .storageFailed, "opening '\(path)' failed: \(String(cString: strerror(code)))",
            remedy: "Check the permissions of the file and of its directory.")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw noRegularFile(path)
    }
    guard status.st_uid == getuid() else {
        close(descriptor)
        throw ServiceError(
            .wrongUser, "'\(path)' belongs to uid \(status.st_uid), not to \(getuid())",
            remedy: "Remove it, or run as that user.")
    }
    // Made by an older version, or by hand, with other permissions.
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    return descriptor
}

private func noRegularFile(_ path: String) -> ServiceError {
    ServiceError(
        .storageFailed, "'\(path)' is no regular file, or a symbolic link to one",
        remedy: "Move it away; the file is made again.")
}
