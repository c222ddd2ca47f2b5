import Bus
package import Contract
import ExtensionLink
package import FileAccess
import Glibc
import Loop
package import ServiceKit
import Time

/// Where the files of extension programs are. What programs may write to is reached through descriptors of
/// directories that they cannot exchange, and no symbolic link is followed.
package struct HostFiles: Sendable {
    private let logDirectory: String
    private let stateDirectory: String
    private let host: ServiceName

    /// - Parameter host: the service that starts the programs; journals and temporary directories are its
    ///   own.
    package init(_ configuration: Configuration, host: ServiceName) throws(ServiceError) {
        logDirectory = configuration.logDirectory
        stateDirectory = configuration.stateDirectory
        self.host = host
        for path in places { try makeDirectories(path, mode: 0o700) }
    }

    /// The same without making anything, for who only looks.
    init(lookingAt configuration: Configuration, host: ServiceName) {
        logDirectory = configuration.logDirectory
        stateDirectory = configuration.stateDirectory
        self.host = host
    }

    /// Directories without which no program starts.
    var places: [String] { [journals, removed, groups, temporaries] }

    var journals: String { "\(stateDirectory)/\(host.rawValue)/returned" }
    var containers: String { "\(stateDirectory)/containers" }
    /// No extension's id begins with a dot.
    var removed: String { containers + "/.removed" }
    var groups: String { "\(stateDirectory)/groups" }
    var temporaries: String { "\(stateDirectory)/temporary/\(host.rawValue)" }

    /// What the program prints and logs.
    package func log(_ id: String) -> String { "\(logDirectory)/\(id).log" }

    /// All of its logs.
    package func logs(_ id: String) -> [String] { [log(id), log(id) + ".1"] }

    /// What gives a program our clock, where that is the virtual one: the preloaded library and its page.
    /// - Throws: `unavailable` when the library is not beside this program.
    func clock() throws(ServiceError) -> (library: String, page: String)? {
        guard WallTime.isVirtual else { return nil }
        let library = try Programs.find(
            "libscreentime-clock.so", purpose: "extensions need it to live by the virtual clock")
        return (library, ClockPage.path(in: stateDirectory))
    }

    // MARK: directories of programs

    /// The extension's own directory, its HOME, made when it is not there.
    package func container(_ id: String) throws(ServiceError) -> OpenDirectory {
        try make(id, in: containers)
    }

    /// The directory of an app group, which the app and its extensions share, made when it is not there.
    package func group(_ group: String) throws(ServiceError) -> OpenDirectory { try make(group, in: groups) }

    func path(container id: String) -> String { "\(containers)/\(id)" }

    package func path(group: String) -> String { "\(groups)/\(group)" }

    /// Whether nothing is kept in a group's directory, or there is none.
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

    /// A directory for one process, and one in it for its temporary files; both are empty else.
    /// - Parameter number: no other process of this host has it.
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

    /// An extension is removed: what it kept for itself is not found any more, and ``sweep()`` deletes it.
    /// App groups are its app's, too; they stay.
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

    /// Deletes containers that were removed, as far as no process has them any more. This takes long: it is
    /// not for the thread of the sockets.
    /// - Returns: whether all are gone.
    package func sweep() throws(ServiceError) -> Bool {
        try stored { () throws(FileError) in
            try Self.empty(try Directory(path: removed))
        }
    }

    /// - Returns: whether nothing is left.
    static func empty(_ removed: borrowing Directory) throws(FileError) -> Bool {
        var isDone = true
        for name in try removed.entries() {
            if isInUse(name, in: removed) { isDone = false } else { try removed.removeTree(name) }
        }
        return isDone
    }

    /// Who starts a process has what it may use locked until the exit was seen.
    static func isInUse(_ name: EntryName, in removed: borrowing Directory) -> Bool {
        do throws(FileError) {
            return try !removed.directory(name).lock(.exclusive)
        } catch {
            // What cannot be opened nobody has opened.
            return false
        }
    }

    /// Temporary directories of processes that a former run of this host had.
    func forsakenTemporaries() throws(ServiceError) -> [EntryName] {
        try stored { () throws(FileError) in try Directory(path: temporaries).entries() }
    }

    /// Deletes temporary directories. As ``sweep()`` this takes long.
    func remove(temporaries names: [EntryName]) throws(ServiceError) {
        try stored { () throws(FileError) in
            let parent = try Directory(path: temporaries)
            for name in names { try parent.removeTree(name) }
        }
    }

    /// The same with the one that has this number.
    func remove(temporary number: Int64) throws(ServiceError) {
        try remove(temporaries: [Self.entry(Self.temporaryName(number))])
    }

    private static func temporaryName(_ number: Int64) -> String { "\(getpid())-\(number)" }

    /// Takes back what was written into a container since an instant of the file system; it may have been
    /// removed meanwhile. Takes long, too.
    func takeBack(_ container: OpenDirectory, since instant: timespec) throws(ServiceError) {
        try stored { () throws(FileError) in
            try container.directory.removeChanged(
                since: instant, depth: HostingLimits.treeDepthMax, through: try Directory(path: removed))
        }
    }

    // MARK: journals

    /// Opens the file in which a program notes the last callback that returned; see ``Wire``.
    /// - Returns: a descriptor that the caller owns.
    func journal(_ id: String) throws(ServiceError) -> Int32 {
        let entry = try Self.entry(id)
        return try stored { () throws(FileError) in
            let directory = try Directory(path: journals)
            do throws(FileError) {
                return try directory.plainFile(entry, O_RDWR | O_CREAT)
            } catch {
                // Whatever lies there says nothing of a callback.
                guard [ELOOP, EINVAL, EACCES, EISDIR, ENXIO].contains(error.code) else { throw error }
                try directory.removeTree(entry)
                return try directory.plainFile(entry, O_RDWR | O_CREAT | O_EXCL)
            }
        }
    }

    /// Whether the program noted that this attempt returned.
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

/// A directory by its descriptor, with the path under which programs know it.
package final class OpenDirectory: Sendable {
    package let path: String
    package let directory: Directory

    init(path: String, _ directory: consuming Directory) {
        self.path = path
        self.directory = directory
    }

    func inner(_ name: EntryName) throws(FileError) -> OpenDirectory {
        OpenDirectory(path: "\(path)/\(name.text)", try directory.directory(name))
    }

    /// A directory in it that anyone may read who comes that far.
    func making(_ name: EntryName) throws(ServiceError) -> OpenDirectory {
        try stored { () throws(FileError) in
            OpenDirectory(path: "\(path)/\(name.text)", try directory.making(name, mode: 0o755))
        }
    }
}

/// What a program of an extension point may do with files: one that sees names or figures of use keeps
/// nothing and can leave nothing for others to read.
extension ExtensionPoint {
    enum GroupUse { case none, read, write }

    var groupUse: GroupUse {
        switch self {
        case .monitor, .shieldAction: .write
        case .shieldConfiguration: .read
        case .report: .none
        }
    }

    /// Whether it has a container of its own. One that has none finds a HOME that is empty and goes with it.
    var keepsFiles: Bool { groupUse == .write }

    /// Whether it may lock files. A lock is seen by all who may read the file: one that sees names has none.
    var locksFiles: Bool { keepsFiles }
}

/// Does what only files can refuse.
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

/// Does what takes long, away from the thread of the sockets.
@LoopActor func inBackground<Value: Sendable>(
    _ body: @escaping @Sendable () throws(ServiceError) -> Value
) async throws(ServiceError) -> Value {
    let result = await onOwnThread { Result<Value, ServiceError>(catching: body) }
    return try result.get()
}

/// Files that are installed together with this program.
package enum Programs {
    /// Our own executable, without symbolic links.
    package static func own() throws(ServiceError) -> String {
        guard let path = realPath("/proc/self/exe") else {
            throw ServiceError(
                .unavailable, "reading /proc/self/exe failed: \(String(cString: strerror(errno)))",
                remedy: "Mount /proc.")
        }
        return path
    }

    /// Where files of ours lie: beside our executable, and in `../lib/screentime`.
    private static func places(_ name: String) throws(ServiceError) -> [String] {
        let own = try own()
        let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        return ["\(folder)/\(name)", "\(folder)/../lib/screentime/\(name)"]
    }

    /// A file of ours.
    /// - Throws: `unavailable` with both places, or with why it cannot be read.
    package static func find(_ name: String, purpose: String) throws(ServiceError) -> String {
        let places = try places(name)
        if let found = try first(of: places) { return found }
        throw ServiceError(
            .unavailable, "\(name) is neither in '\(places[0])' nor in '\(places[1])'",
            remedy: "Build or install it: \(purpose).")
    }

    /// The first of these files that is there, without links; nil: none is.
    /// - Throws: `unavailable` when one is there and cannot be read.
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

    /// The directory of the Swift runtime that this process runs with.
    static let swiftRuntime: String? = {
        guard let maps = readWhole("/proc/self/maps") else { return nil }
        for line in maps.split(separator: "\n") where line.hasSuffix("/libswiftCore.so") {
            guard let start = line.firstIndex(of: "/"), let end = line.lastIndex(of: "/") else { continue }
            return String(line[start..<end])
        }
        return nil
    }()
}

/// The path without symbolic links; nil: there is no such file.
func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// A file of /proc as text; nil: it cannot be read.
func readWhole(_ path: String) -> String? {
    readBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

/// The same as bytes.
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

/// Goes through the lines of a file, as the kernel writes them for one read after the other, until one of
/// them is enough. A file that cannot be read has none.
/// - Parameter body: false: no more.
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
