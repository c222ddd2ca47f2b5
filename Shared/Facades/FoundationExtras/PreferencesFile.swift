import CPosix
import Foundation
import ProgramLog

/// The values of one suite in one property list, shared by all processes that name it: each write is done
/// under a lock of its own on the newest values, and replaces the file at once.
final class PreferencesFile {
    /// Tells two states of the file apart. Inodes are used again and times are coarse, so the writers count
    /// too, in the file that they lock; a writer that died before it could count has left another inode.
    private struct Stamp: Equatable {
        var count: UInt64
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int
        var bytes: Int
    }
    private struct State {
        var values: [String: Any] = [:]
        var stamp: Stamp?
        var hasComplained = false
    }

    let name: String
    private let path: String
    private let isWritable: Bool
    private let lock = NSLock()
    private var state = State()
    /// What writers lock and count in; -1: not open yet.
    private var guardian: Int32 = -1

    /// - Parameter directory: of the container.
    init(name: String, in directory: String, isWritable: Bool) {
        self.name = name
        path = "\(directory)/Library/Preferences/\(name).plist"
        self.isWritable = isWritable
    }

    deinit { if guardian >= 0 { close(guardian) } }

    /// The values as the last writer of any process left them.
    var values: [String: Any] { lock.withLock { newest() } }

    /// - Returns: false when nothing could be written; the log says why, and the values are the old ones.
    @discardableResult
    func change(_ body: (inout [String: Any]) -> Void) -> Bool {
        lock.withLock {
            guard isWritable else { return refuse("this kind of extension may only read it") }
            guard let failure = write(body) else { return true }
            return refuse(failure)
        }
    }

    /// - Returns: why it failed.
    private func write(_ body: (inout [String: Any]) -> Void) -> String? {
        let directory = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            return "\(error)"
        }
        guard openGuardian(O_RDWR | O_CREAT) else { return String(cString: strerror(errno)) }
        while flock(guardian, LOCK_EX) != 0 {
            guard errno == EINTR else { return String(cString: strerror(errno)) }
        }
        defer { flock(guardian, LOCK_UN) }
        var values = newest()
        body(&values)
        do {
            let data = try PropertyListSerialization.data(
                fromPropertyList: values, format: .binary, options: 0)
            // Atomically: into a file beside it, which then takes its place.
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            return "\(error)"
        }
        var next = count() &+ 1
        // A disk too full for the count has room for the values no more either; the next write tells.
        _ = pwrite(guardian, &next, MemoryLayout.size(ofValue: next), 0)
        state.values = values
        state.stamp = stamp()
        return nil
    }

    private func openGuardian(_ flags: Int32) -> Bool {
        if guardian < 0 { guardian = open(path + ".lock", flags | O_CLOEXEC, 0o660) }
        return guardian >= 0
    }

    /// How often the file was written; 0: never, or nobody knows.
    private func count() -> UInt64 {
        guard openGuardian(isWritable ? O_RDWR : O_RDONLY) else { return 0 }
        var count: UInt64 = 0
        _ = pread(guardian, &count, MemoryLayout.size(ofValue: count), 0)
        return count
    }

    private func newest() -> [String: Any] {
        let stamp = stamp()
        guard stamp != state.stamp || stamp == nil else { return state.values }
        state.stamp = stamp
        guard stamp != nil else {
            state.values = [:]
            return [:]
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
            state.values = list as? [String: Any] ?? [:]
        } catch {
            complain("the values of '\(name)' cannot be read: \(error).", remedy: "Remove \(path).")
            state.values = [:]
        }
        return state.values
    }

    private func stamp() -> Stamp? {
        let count = count()
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            count: count, inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec, bytes: Int(status.st_size))
    }

    private func refuse(_ reason: String) -> Bool {
        complain(
            "nothing was written to '\(name)': \(reason); the old values stay.",
            remedy: "Write from the app, its monitor or its shield action.")
        return false
    }

    /// Once; what is wrong once is wrong each time.
    private func complain(_ message: String, remedy: String) {
        guard !state.hasComplained else { return }
        state.hasComplained = true
        ProgramLog.refuse(message, remedy: remedy)
    }
}
