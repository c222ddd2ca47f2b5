import Glibc

/// Proves that only this process owns a store file: an exclusive flock on `<path>.lock`.
///
/// The kernel releases it when the process ends, however it ends. The file remains: bytes 0..<20 contain the
/// last owner's pid, bytes 20... the mark that the store was created (see `StoreFile`).
final class StoreLock {
    private static let processWidth = 20
    private static let createdMark = "created\n"

    private let file: any OpenFile

    /// - Throws: `.locked` with the owner's pid; `.io` if the lock file cannot be created.
    init(storePath: String, in files: any StoreFiles) throws(StoreError) {
        file = try files.lock(storePath + ".lock", of: storePath)
        let process = String(getpid())
        let padding = String(repeating: " ", count: Self.processWidth - 1 - process.utf8.count)
        try file.write(Array((process + padding + "\n").utf8), at: 0)
        let mark = try file.read(at: Self.processWidth, count: Self.createdMark.utf8.count)
        isMarkedCreated = mark == Array(Self.createdMark.utf8)
    }

    /// Whether a store was ever completely created beside this lock.
    let isMarkedCreated: Bool

    /// Records permanently that the store exists, so that its loss is detected.
    func markCreated() throws(StoreError) {
        try file.write(Array(Self.createdMark.utf8), at: Self.processWidth)
        try file.sync()
    }
}
