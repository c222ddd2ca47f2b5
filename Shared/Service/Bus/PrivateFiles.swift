package import Contract
import Glibc

/// Makes a directory that only this user can write to, if it is missing. Refuses one that another user owns
/// or can change: its contents are trusted.
/// - Parameters:
///   - name: what it is, for error messages.
///   - key: the environment variable that sets another path.
///   - refused: permission bits that it must not have.
/// - Throws: `storageFailed`, `wrongUser` or `accessDenied`.
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
            remedy: "Run `chmod 700 \(VisibleText.shellWord(path))` after checking what is in it.")
    }
}

/// Rotates a full log to `<path>.1`. If the rename fails (a directory has that name), the log is truncated
/// instead: it must not fill the disk, and the obstacle is not ours to remove.
/// - Parameter descriptor: the log, open for writing.
/// - Returns: true if it was renamed; false if `descriptor` is now the empty log.
package func rotateLog(_ path: String, _ descriptor: Int32) -> Bool {
    if rename(path, path + ".1") == 0 { return true }
    ftruncate(descriptor, 0)
    return false
}

/// Opens or creates a file that only this user can access: mode 0600, a regular file of this user, never
/// through a symbolic link, and without blocking on a FIFO.
/// - Parameter flags: flags of open(2), as `O_RDWR | O_CREAT`.
/// - Throws: `storageFailed` or `wrongUser`.
package func openPrivateFile(_ path: String, _ flags: Int32) throws(ServiceError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
        let code = errno
        // open(2): ENXIO means a FIFO without a reader, or a socket.
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
    // An older version, or a person, created it with wider permissions.
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    return descriptor
}

private func noRegularFile(_ path: String) -> ServiceError {
    ServiceError(
        .storageFailed, "'\(path)' is a symbolic link or not a regular file",
        remedy: "Move it away; the service creates a new file.")
}
