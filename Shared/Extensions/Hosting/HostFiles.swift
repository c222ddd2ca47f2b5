import Bus
package import Contract
import ExtensionLink
package import FileAccess
import Glibc
import Loop
package import ServiceKit
import Time

/// Paths of the files of extension programs. Directories that programs may write to are accessed through
/// descriptors that programs cannot replace, and no symbolic link is followed.
package struct HostFiles: Sendable {
    private let logDirectory: String
    private let stateDirectory: String
    private let host: ServiceName

    /// - Parameter host: the service that starts the programs; journals and temporary directories belong to
    ///   it.
    package init(_ configuration: Configuration, host: ServiceName) throws(ServiceError) {
        logDirectory = configuration.logDirectory
        stateDirectory = configuration.stateDirectory
        self.host = host
        for path in places { try makeDirectories(path, mode: 0o700) }
    }

    /// The same paths without creating anything, for inspection.
    init(lookingAt configuration: Configuration, host: ServiceName) {
        logDirectory = configuration.logDirectory
        stateDirectory = configuration.stateDirectory
        self.host = host
    }

    /// Directories that every program needs.
    var places: [String] { [journals, removed, groups, temporaries] }

    var journals: String { "\(stateDirectory)/\(host.rawValue)/returned" }
    var containers: String { "\(stateDirectory)/containers" }
    /// Cannot collide: no extension's id begins with a dot.
    var removed: String { containers + "/.removed" }
    var groups: String { "\(stateDirectory)/groups" }
    var temporaries: String { "\(stateDirectory)/temporary/\(host.rawValue)" }

    /// The log file of a program's output.
    package func log(_ id: String) -> String { "\(logDirectory)/\(id).log" }

    /// All log files of a program.
    package func logs(_ id: String) -> [String] { [log(id), log(id) + ".1"] }

    /// The preloaded library and the page that give a program the virtual clock; nil without a virtual clock.
    /// - Throws: `unavailable` if the library is not installed.
    func clock() throws(ServiceError) -> (library: String, page: String)? {
        guard WallTime.isVirtual else { return nil }
        let library = try Programs.find(
            "libscreentime-clock.so", purpose: "extensions need it to live by the virtual clock")
        return (library, ClockPage.path(in: stateDirectory))
    }

    // MARK: directories of programs

    /// The extension's container, which is its HOME; created if missing.
    package func container(_ id: String) throws(ServiceError) -> OpenDirectory {
        try make(id, in: containers)
    }

    /// The directory of an app group, shared by the app and its extensions; created if missing.
    package func group(_ group: String) throws(ServiceError) -> OpenDirectory { try make(group, in: groups) }

    func path(container id: String) -> String { "\(containers)/\(id)" }

    /// Path of an app group's directory.
    package func path(group: String) -> String { "\(groups)/\(group)" }

    /// Whether a group's directory is empty or missing.
    package func isEmpty(group: String) throws(ServiceError) -> Bool {
        let entry = try Self.entry(group)
        return try stored { () throws(FileError) in
            do throws(FileError) {
                return try Directory(path: groups).directory(entry).entries(max: 1).isEmpty
            } catch {
                if error.code == ENOENT { return true }
                throw error
            }
        }
    }

    /// Creates a directory for one process, and one in it for its temporary files; both are otherwise empty.
    /// - Parameter number: unique among the processes of this host.
    func temporary(
        _ number: Int64
    ) throws(ServiceError) -> (empty: OpenDirectory, temporary: OpenDirectory) {
        let empty = try make(Self.temporaryName(number), in: temporaries)
        return try stored { () throws(FileError) in
            let inner = try empty.directory.making(EntryName(constant: "tmp"))
            return (empty, OpenDirectory(path: empty.path + "/tmp", inner))
        }
    }

    private func make(_ name: String, in parent: String) throws(ServiceError) -> OpenDirectory {
        let entry = try Self.entry(name)
        return try stored { () throws(FileError) in
            OpenDirectory(path: "\(parent)/\(name)", try Directory(path: parent).making(entry))
        }
    }

    static func entry(_ name: String) throws(ServiceError) -> EntryName {
        guard let entry = EntryName(name) else {
            throw ServiceError(
                .invalidArgument, "'\(name)' cannot name a directory",
                remedy: "Use letters, digits, hyphens and dots.")
        }
        return entry
    }

    // MARK: the end of files

    /// Moves the container of a removed extension out of sight; ``sweep()`` deletes it. App groups also
    /// belong to its app, and stay.
    package func remove(_ id: String) throws(ServiceError) {
        let entry = try Self.entry(id)
        try stored { () throws(FileError) in
            _ = try Directory(path: journals).remove(entry)
            do throws(FileError) {
                _ = try Directory(path: removed).moveAside(entry, from: try Directory(path: containers))
            } catch {
                if error.code != ENOENT { throw error }
            }
        }
    }

    /// Deletes removed containers that no process uses. This is slow: do not call it on the loop's thread.
    /// - Returns: whether all are deleted.
    package func sweep() throws(ServiceError) -> Bool {
        try stored { () throws(FileError) in
            try Self.empty(try Directory(path: removed))
        }
    }

    /// - Returns: whether nothing remains.
    static func empty(_ removed: borrowing Directory) throws(FileError) -> Bool {
        var isDone = true
        for name in try removed.entries() {
            if isInUse(name, in: removed) { isDone = false } else { try removed.removeTree(name) }
        }
        return isDone
    }

    /// The starter of a process locks what it may use until its exit was seen.
    static func isInUse(_ name: EntryName, in removed: borrowing Directory) -> Bool {
        do throws(FileError) {
            return try !removed.directory(name).lock(.exclusive)
        } catch {
            // A directory that cannot be opened is not open anywhere.
            return false
        }
    }

    /// Temporary directories of processes of a previous run of this host.
    func leftoverTemporaries() throws(ServiceError) -> [EntryName] {
        try stored { () throws(FileError) in try Directory(path: temporaries).entries() }
    }

    /// Deletes temporary directories. As slow as ``sweep()``.
    func remove(temporaries names: [EntryName]) throws(ServiceError) {
        try stored { () throws(FileError) in
            let parent = try Directory(path: temporaries)
            for name in names { try parent.removeTree(name) }
        }
    }

    /// Deletes the temporary directory with this number.
    func remove(temporary number: Int64) throws(ServiceError) {
        try remove(temporaries: [Self.entry(Self.temporaryName(number))])
    }

    private static func temporaryName(_ number: Int64) -> String { "\(getpid())-\(number)" }

    /// Deletes what was written into a container since an instant of the file system; the container may have
    /// been removed meanwhile. Slow, too.
    func revertWrites(_ container: OpenDirectory, since instant: timespec) throws(ServiceError) {
        try stored { () throws(FileError) in
            try container.directory.removeChanged(
                since: instant, depth: HostingLimits.treeDepthMax, through: try Directory(path: removed))
        }
    }

    // MARK: journals

    /// Opens the journal in which a program notes the last callback that returned; see ``Wire``.
    /// - Returns: a descriptor that the caller owns.
    func journal(_ id: String) throws(ServiceError) -> Int32 {
        let entry = try Self.entry(id)
        return try stored { () throws(FileError) in
            let directory = try Directory(path: journals)
            do throws(FileError) {
                return try directory.plainFile(entry, O_RDWR | O_CREAT)
            } catch {
                // Something else is at this path; replace it.
                guard [ELOOP, EINVAL, EACCES, EISDIR, ENXIO].contains(error.code) else { throw error }
                try directory.removeTree(entry)
                return try directory.plainFile(entry, O_RDWR | O_CREAT | O_EXCL)
            }
        }
    }

    /// Whether the program has noted that this attempt returned.
    package func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        guard let entry = EntryName(id) else { return false }
        do throws(FileError) {
            let descriptor = try Directory(path: journals).plainFile(entry, O_RDONLY)
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: Wire.journalBytes)
            let count = read(descriptor, &bytes, bytes.count)
            return count == bytes.count && bytes == Wire.journal(delivery: delivery, attempt: attempt)
        } catch {
            return false
        }
    }
}

/// An open directory with the path under which programs know it.
package final class OpenDirectory: Sendable {
    /// The path outside and inside the confinement.
    package let path: String
    /// The open directory.
    package let directory: Directory

    init(path: String, _ directory: consuming Directory) {
        self.path = path
        self.directory = directory
    }

    func inner(_ name: EntryName) throws(FileError) -> OpenDirectory {
        OpenDirectory(path: "\(path)/\(name.text)", try directory.directory(name))
    }

    /// Creates a directory in it that everyone who can reach it may read.
    func making(_ name: EntryName) throws(ServiceError) -> OpenDirectory {
        try stored { () throws(FileError) in
            OpenDirectory(path: "\(path)/\(name.text)", try directory.making(name, mode: 0o755))
        }
    }
}

/// What a program of an extension point may do with files. One that sees names or figures of use stores
/// nothing, and can leave nothing for others to read.
extension ExtensionPoint {
    enum GroupUse { case none, read, write }

    var groupUse: GroupUse {
        switch self {
        case .monitor, .shieldAction: .write
        case .shieldConfiguration: .read
        case .report: .none
        }
    }

    /// Whether it has a container. Otherwise its HOME is empty, and is deleted with the process.
    var keepsFiles: Bool { groupUse == .write }

    /// Whether it may lock files. Everyone who may read a file sees its locks, so a program that sees names
    /// may not lock.
    var locksFiles: Bool { keepsFiles }
}

/// Runs a body that throws file errors, and converts them to `ServiceError`.
func stored<Result: ~Copyable>(
    _ body: () throws(FileError) -> Result
) throws(ServiceError) -> Result {
    do throws(FileError) { return try body() } catch { throw ServiceError(error) }
}

extension ServiceError {
    init(_ error: FileError) {
        self.init(
            error.code == ENOSPC || error.code == EDQUOT ? .storageFull : .storageFailed, error.message,
            remedy: "Check the state directory's space and permissions.")
    }
}

extension EventLoop {
    /// Runs slow work on a separate thread instead of the loop's.
    func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable () throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        let result = await onOwnThread { Result<Value, ServiceError>(catching: body) }
        return try result.get()
    }
}

/// Files that are installed with this program.
package enum Programs {
    /// Path of this executable, without symbolic links.
    package static func own() throws(ServiceError) -> String {
        guard let path = realPath("/proc/self/exe") else {
            throw ServiceError(
                .unavailable, "reading /proc/self/exe failed: \(String(cString: strerror(errno)))",
                remedy: "Mount /proc.")
        }
        return path
    }

    /// Directories of installed files: that of this executable, and `../lib/screentime`.
    private static func places(_ name: String) throws(ServiceError) -> [String] {
        let own = try own()
        let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        return ["\(folder)/\(name)", "\(folder)/../lib/screentime/\(name)"]
    }

    /// Finds an installed file.
    /// - Throws: `unavailable` with both places, or with why it cannot be read.
    package static func find(_ name: String, purpose: String) throws(ServiceError) -> String {
        let places = try places(name)
        if let found = try first(of: places) { return found }
        throw ServiceError(
            .unavailable, "\(name) is neither in '\(places[0])' nor in '\(places[1])'",
            remedy: "Build or install it: \(purpose).")
    }

    /// As ``find(_:purpose:)``, for a file that need not be there.
    static func findIfInstalled(_ name: String) throws(ServiceError) -> String? {
        try first(of: places(name))
    }

    /// The first of these files that exists, without links; nil if none exists.
    /// - Throws: `unavailable` if one exists and cannot be read.
    package static func first(of places: [String]) throws(ServiceError) -> String? {
        for place in places {
            if access(place, R_OK) == 0, let path = realPath(place) { return path }
            guard errno != ENOENT else { continue }
            throw ServiceError(
                .unavailable, "'\(place)' cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Correct its permissions, or install it again.")
        }
        return nil
    }

    /// The directory of the Swift runtime of this process.
    static let swiftRuntime: String? = {
        guard let maps = readWhole("/proc/self/maps") else { return nil }
        for line in maps.split(separator: "\n") where line.hasSuffix("/libswiftCore.so") {
            guard let start = line.firstIndex(of: "/"), let end = line.lastIndex(of: "/") else { continue }
            return String(line[start..<end])
        }
        return nil
    }()
}

/// The path without symbolic links; nil if there is no such file.
func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// A file of /proc as text; nil if it cannot be read.
func readWhole(_ path: String) -> String? {
    readBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

/// A file of /proc as bytes; nil if it cannot be read.
func readBytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        bytes += buffer[..<count]
    }
    return bytes
}

/// Iterates over the lines of a file as the kernel generates them, read by read, until `body` returns false.
/// A file that cannot be read has no lines.
/// - Parameter body: returns false to stop.
func scanLines(_ path: String, _ body: (ArraySlice<UInt8>) -> Bool) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest += buffer[..<count]
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            guard body(rest[start..<end]) else { return }
            start = end + 1
        }
        rest.removeFirst(start)
    }
}
