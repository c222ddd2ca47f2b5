import CPosix
import FileAccess
import Foundation
import ProgramLog

/// The values of one suite in one property list, shared by all processes that use the suite. Each write is
/// applied to the newest values under a lock and replaces the file atomically. Confined programs write here
/// too, so a link in place of a file or directory is refused.
final class PreferencesFile {
    /// Identifies a state of the file. Inodes are reused and times are coarse, so writers also increment a
    /// counter in the lock file. A writer that died before it incremented the counter has left a different
    /// inode.
    private struct Stamp: Equatable {
        var count: UInt64
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int
        var bytes: Int
    }
    /// There may be values, but they cannot be read.
    private struct Unreadable: Error {
        let reason: String
    }
    private struct State {
        var values: [String: Any] = [:]
        var stamp: Stamp?
        var hasComplained = false
    }

    /// The maximum size of the property list in bytes. A larger file is not read.
    static let bytesMax = 16 << 20
    /// The maximum size in bytes with each object expanded wherever it is referenced.
    private static let expandedBytesMax = 4 * bytesMax

    let name: String
    /// The path of the container.
    private let root: String
    private let isWritable: Bool
    private let lock = NSLock()
    private var state = State()
    /// The file that writers lock and count in. -1 if it is not open yet.
    private var guardian: Int32 = -1

    /// - Parameter directory: the path of the container.
    init(name: String, in directory: String, isWritable: Bool) {
        self.name = name
        root = directory
        self.isWritable = isWritable
    }

    deinit { if guardian >= 0 { close(guardian) } }

    /// The values after the last write of any process. If they cannot be read, empty; the log has the reason,
    /// and no write replaces them.
    var values: [String: Any] {
        lock.withLock {
            do throws(Unreadable) { return try newest() } catch {
                complain("\(error.reason).", remedy: "Check the files in \(root)/Library/Preferences.")
                return [:]
            }
        }
    }

    /// - Returns: false if nothing was written. The log has the reason, and the values are unchanged.
    @discardableResult
    func change(_ body: (inout [String: Any]) -> Void) -> Bool {
        lock.withLock {
            guard isWritable else {
                return refuse(
                    "this kind of extension may only read it",
                    remedy: "Write from the app, its monitor or its shield action.")
            }
            guard let failure = write(body) else { return true }
            return refuse(failure, remedy: "Check the files in \(root)/Library/Preferences.")
        }
    }

    // MARK: the files

    /// The directory of the files: `Library/Preferences` in the container.
    private func directory() throws(FileError) -> Directory {
        // A host creates the container; a program without a host creates its own. If that fails, opening it
        // reports why.
        if isWritable { _ = mkdir(root, 0o700) }
        let container = try Directory(path: root)
        let (library, preferences) = (EntryName(constant: "Library"), EntryName(constant: "Preferences"))
        guard isWritable else { return try container.directory(library).directory(preferences) }
        // If programs run under a different user, an access list grants access, limited to the permissions of
        // the group.
        return try container.making(library, mode: 0o770).making(preferences, mode: 0o770)
    }

    /// - Parameter suffix: appended to `<suite>.plist`.
    private func entry(_ suffix: String = "") throws(FileError) -> EntryName {
        guard let entry = EntryName("\(name).plist\(suffix)") else {
            throw FileError("using", name, code: EINVAL)
        }
        return entry
    }

    /// - Returns: the reason of the failure, or nil.
    private func write(_ body: (inout [String: Any]) -> Void) -> String? {
        do {
            let directory = try directory()
            try openGuardian(in: directory)
            try lockGuardian()
            defer { flock(guardian, LOCK_UN) }
            var values = try newest()
            body(&values)
            let data = try PropertyListSerialization.data(
                fromPropertyList: values, format: .binary, options: 0)
            guard data.count <= Self.bytesMax else {
                return "the values take \(data.count) bytes, and \(Self.bytesMax) are allowed"
            }
            try replace(in: directory, data)
            var next = count() &+ 1
            // If the disk is too full for the counter, it is also too full for the values, and the next write
            // reports that.
            _ = pwrite(guardian, &next, MemoryLayout.size(ofValue: next), 0)
            state.values = values
            state.stamp = try stamp()
            return nil
        } catch let error as FileError {
            return error.message
        } catch let error as Unreadable {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    /// How long to wait for another writer, and between two attempts, in milliseconds.
    private static let (lock, tryPause) = (3_000, 1)

    /// A program that is stopped or malicious may hold the lock indefinitely.
    private func lockGuardian() throws(FileError) {
        for _ in 0..<Self.lock / Self.tryPause {
            if flock(guardian, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError("locking", name) }
            usleep(UInt32(Self.tryPause * 1_000))
        }
        throw FileError("locking (another program holds it)", name, code: ETIMEDOUT)
    }

    /// Writes a new file and renames it. Call it under the lock.
    private func replace(in directory: borrowing Directory, _ data: Data) throws(FileError) {
        let new = try entry(".new")
        _ = try directory.remove(new)
        let file = try directory.plainFile(new, O_WRONLY | O_CREAT | O_EXCL, mode: 0o660)
        defer { close(file) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError("writing", new.text) }
            rest = rest.dropFirst(count)
        }
        guard fdatasync(file) == 0 else { throw FileError("writing", new.text) }
        try directory.replace(try entry(), by: new)
    }

    private func openGuardian(in directory: borrowing Directory) throws(FileError) {
        guard guardian < 0 else { return }
        let flags = isWritable ? O_RDWR | O_CREAT : O_RDONLY
        guardian = try directory.plainFile(try entry(".lock"), flags, mode: 0o660)
    }

    /// How often the file was written. 0 if never or unknown.
    private func count() -> UInt64 {
        var count: UInt64 = 0
        if guardian >= 0 { _ = pread(guardian, &count, MemoryLayout.size(ofValue: count), 0) }
        return count
    }

    /// - Throws: if the file exists but cannot be read or contains no values.
    private func newest() throws(Unreadable) -> [String: Any] {
        do {
            let stamp = try stamp()
            guard stamp != state.stamp || stamp == nil else { return state.values }
            state.stamp = nil
            state.values = [:]
            guard stamp != nil else { return [:] }
            let data = try read()
            guard !BinaryListCost.exceeds(data, Self.expandedBytesMax) else {
                throw FileError("reading", name, code: EFBIG)
            }
            let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
            guard let values = list as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
            (state.values, state.stamp) = (values, stamp)
            return values
        } catch let error as FileError where error.code == ELOOP {
            // A link contains no values; a write may replace it.
            return [:]
        } catch {
            let reason = (error as? FileError)?.message ?? "it is no property list with names and values"
            throw Unreadable(reason: "the values of '\(name)' cannot be read: \(reason)")
        }
    }

    private func read() throws(FileError) -> Data {
        let file = try directory().plainFile(try entry(), O_RDONLY)
        defer { close(file) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while data.count <= Self.bytesMax {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("reading", name) }
            if count == 0 { return data }
            data += buffer[..<count]
        }
        throw FileError("reading", name, code: EFBIG)
    }

    /// - Returns: nil if the file does not exist.
    private func stamp() throws(FileError) -> Stamp? {
        do throws(FileError) {
            let directory = try directory()
            guard let status = try directory.status(try entry()) else { return nil }
            // Without the lock file there is no counter.
            do throws(FileError) { try openGuardian(in: directory) } catch { guardian = -1 }
            return Stamp(
                count: count(), inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec, bytes: Int(status.st_size))
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    private func refuse(_ reason: String, remedy: String) -> Bool {
        complain("nothing was written to '\(name)': \(reason); the values are unchanged.", remedy: remedy)
        return false
    }

    /// Logs only the first problem, because it recurs at each access.
    private func complain(_ message: String, remedy: String) {
        guard !state.hasComplained else { return }
        state.hasComplained = true
        ProgramLog.refuse(message, remedy: remedy)
    }
}
