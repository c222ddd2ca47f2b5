import CPosix
import FileAccess
import Foundation
import ProgramLog

/// The values of one suite in one property list, shared by all processes that name it: each write is done
/// under a lock of its own on the newest values, and replaces the file at once. Confined programs write
/// there, too: what they put in the place of a file or directory, such as a link, is refused.
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
    /// There may be values, and nobody knows which.
    private struct Unreadable: Error {
        let reason: String
    }
    private struct State {
        var values: [String: Any] = [:]
        var stamp: Stamp?
        var hasComplained = false
    }

    /// Bytes of the values as a property list; what is longer is not read.
    static let bytesMax = 16 << 20
    /// Bytes of the values with each object wherever it is named.
    private static let expandedBytesMax = 4 * bytesMax

    let name: String
    /// Of the container.
    private let root: String
    private let isWritable: Bool
    private let lock = NSLock()
    private var state = State()
    /// What writers lock and count in; -1: not open yet.
    private var guardian: Int32 = -1

    /// - Parameter directory: of the container.
    init(name: String, in directory: String, isWritable: Bool) {
        self.name = name
        root = directory
        self.isWritable = isWritable
    }

    deinit { if guardian >= 0 { close(guardian) } }

    /// The values as the last writer of any process left them.
    /// Those that cannot be read are none; the log says why, and no write replaces them.
    var values: [String: Any] {
        lock.withLock {
            do throws(Unreadable) { return try newest() } catch {
                complain("\(error.reason).", remedy: "See what is at \(root)/Library/Preferences.")
                return [:]
            }
        }
    }

    /// - Returns: false when nothing could be written; the log says why, and the values are the old ones.
    @discardableResult
    func change(_ body: (inout [String: Any]) -> Void) -> Bool {
        lock.withLock {
            guard isWritable else {
                return refuse(
                    "this kind of extension may only read it",
                    remedy: "Write from the app, its monitor or its shield action.")
            }
            guard let failure = write(body) else { return true }
            return refuse(failure, remedy: "See what is at \(root)/Library/Preferences.")
        }
    }

    // MARK: the files

    /// Where the files are: `Library/Preferences` of the container.
    private func directory() throws(FileError) -> Directory {
        // A host makes it; a program that none started makes its own. Why it cannot, opening says.
        if isWritable { _ = mkdir(root, 0o700) }
        let container = try Directory(path: root)
        let (library, preferences) = (EntryName(constant: "Library"), EntryName(constant: "Preferences"))
        guard isWritable else { return try container.directory(library).directory(preferences) }
        // Where programs run as a user of their own an access list lets them in, as far as a group may go.
        return try container.making(library, mode: 0o770).making(preferences, mode: 0o770)
    }

    /// - Parameter suffix: of `<suite>.plist`.
    private func entry(_ suffix: String = "") throws(FileError) -> EntryName {
        guard let entry = EntryName("\(name).plist\(suffix)") else {
            throw FileError("using", name, code: EINVAL)
        }
        return entry
    }

    /// - Returns: why it failed.
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
                return "\(data.count) bytes are more than \(Self.bytesMax)"
            }
            try replace(in: directory, data)
            var next = count() &+ 1
            // A disk too full for the count has room for the values no more either; the next write tells.
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

    /// Milliseconds for which another writer is waited for, and between two tries.
    private static let (lock, tryPause) = (3_000, 1)

    /// A program that stands still, or means no good, may hold the lock for ever.
    private func lockGuardian() throws(FileError) {
        for _ in 0..<Self.lock / Self.tryPause {
            if flock(guardian, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError("locking", name) }
            usleep(UInt32(Self.tryPause * 1_000))
        }
        throw FileError("locking (another program holds it)", name, code: ETIMEDOUT)
    }

    /// Into a file beside it, which then takes its place. Under the lock.
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

    /// How often the file was written; 0: never, or nobody knows.
    private func count() -> UInt64 {
        var count: UInt64 = 0
        if guardian >= 0 { _ = pread(guardian, &count, MemoryLayout.size(ofValue: count), 0) }
        return count
    }

    /// - Throws: the file is there and cannot be read, or holds no values.
    /// - Throws: there is a file, and it cannot be read, or holds no values.
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
            // A link holds no values: what a write replaces may be one.
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

    /// - Returns: nil when there is no such file.
    private func stamp() throws(FileError) -> Stamp? {
        do throws(FileError) {
            let directory = try directory()
            guard let status = try directory.status(try entry()) else { return nil }
            // Without the lock file nobody has counted.
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
        complain("nothing was written to '\(name)': \(reason); the old values stay.", remedy: remedy)
        return false
    }

    /// Once; what is wrong once is wrong each time.
    private func complain(_ message: String, remedy: String) {
        guard !state.hasComplained else { return }
        state.hasComplained = true
        ProgramLog.refuse(message, remedy: remedy)
    }
}
