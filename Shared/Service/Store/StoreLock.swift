import FileAccess
import Glibc

/// Proves that only this process owns a store file: an exclusive flock on `<path>.lock`.
///
/// The kernel releases it when the process ends, however it ends. The file remains: bytes 0..<20 contain the
/// last owner's pid, bytes 20... the mark that the store was created (see `StoreFile`).
final class StoreLock {
    private static let processWidth = 20
    private static let createdMark = "created\n"

    private let lock: FileLock
    private let path: String

    /// - Throws: `.locked` with the owner's pid; `.io` if the lock file cannot be created.
    init(storePath: String) throws(StoreError) {
        path = storePath + ".lock"
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard opened >= 0 else { throw StoreError(errno: errno, tried: "opening the lock file \(path)") }
        do throws(StoreError) { try StoreFile.checkRegular(opened, path) } catch {
            close(opened)
            throw error
        }
        do throws(FileLock.Failure) { lock = try FileLock(opened) } catch {
            switch error {
            case .system(let code): throw StoreError(errno: code, tried: "locking \(path)")
            case .held(let process):
                throw StoreError(
                    .locked,
                    message: "opening \(storePath): process \(process ?? "(still starting)") owns it")
            }
        }
        let process = String(getpid())
        let padding = String(repeating: " ", count: Self.processWidth - 1 - process.utf8.count)
        try write(process + padding + "\n", at: 0)
    }

    /// Whether a store was ever completely created beside this lock.
    var isMarkedCreated: Bool {
        let mark = Self.text(lock.descriptor, at: Self.processWidth, count: Self.createdMark.utf8.count)
        return mark == Self.createdMark
    }

    /// Records permanently that the store exists, so that its loss is detected.
    func markCreated() throws(StoreError) {
        try write(Self.createdMark, at: Self.processWidth)
        guard fsync(lock.descriptor) == 0 else { throw StoreError(errno: errno, tried: "syncing \(path)") }
    }

    private func write(_ text: String, at offset: Int) throws(StoreError) {
        let bytes = Array(text.utf8)
        let written = pwrite(lock.descriptor, bytes, bytes.count, off_t(offset))
        guard written == bytes.count else {
            throw StoreError(errno: written < 0 ? errno : ENOSPC, tried: "writing \(path)")
        }
    }

    private static func text(_ descriptor: Int32, at offset: Int, count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = pread(descriptor, &bytes, count, off_t(offset))
        return String(decoding: bytes.prefix(max(0, got)), as: UTF8.self)
    }
}
