import Bus
package import Contract
import ExtensionLink
import Glibc
package import ServiceKit

/// Where the files of extension programs are: logs, journals, containers of their own, containers of app
/// groups.
package struct HostFiles: Sendable {
    private let logDirectory: String
    private let journalDirectory: String
    private let stateDirectory: String

    /// - Parameter host: the service that starts the programs; journals are its own.
    package init(_ configuration: Configuration, host: ServiceName) throws(ServiceError) {
        logDirectory = configuration.logDirectory
        stateDirectory = configuration.stateDirectory
        journalDirectory = "\(configuration.stateDirectory)/\(host.rawValue)/returned"
        try makeDirectories(journalDirectory, mode: 0o700)
    }

    /// The file with the last callback that returned; see ``Wire``.
    package func journal(_ id: String) -> String { "\(journalDirectory)/\(id)" }

    /// What the program prints and logs.
    package func log(_ id: String) -> String { "\(logDirectory)/\(id).log" }

    /// All of its logs.
    package func logs(_ id: String) -> [String] { [log(id), log(id) + ".1"] }

    /// The directory of an app group; the app and its extensions share it.
    package func group(_ group: String) -> String { "\(stateDirectory)/groups/\(group)" }

    /// A directory of the extension's own, its HOME.
    package func container(_ id: String) -> String { "\(stateDirectory)/containers/\(id)" }

    /// An extension is removed: what it kept for itself goes. App groups are its app's, too; they stay.
    package func remove(_ id: String) {
        removeTree(container(id))
        unlink(journal(id))
    }

    /// Makes what the program will find; what shall not outlive its process is emptied.
    func prepare(_ program: ExtensionRecord) throws(ServiceError) {
        let container = container(program.id)
        if !program.point.keepsFiles { removeTree(container) }
        removeTree(container + "/tmp")
        try makeDirectories(container + "/tmp", mode: 0o700)
        guard program.point.groupUse != .none else { return }
        for name in program.groups ?? [] { try makeDirectories(group(name), mode: 0o700) }
    }

    /// What gives a program our clock, where that is the virtual one: the preloaded library and its page.
    /// - Throws: `unavailable` when the library is not beside this program.
    func clock() throws(ServiceError) -> (library: String, page: String)? {
        guard WallTime.isVirtual else { return nil }
        let library = try Programs.find(
            "libscreentime-clock.so", purpose: "extensions need it to live by the virtual clock")
        return (library, ClockPage.path(in: stateDirectory))
    }

    /// Whether the program noted that this attempt returned.
    package func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        let descriptor = open(journal(id), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Wire.journalBytes)
        let count = read(descriptor, &bytes, bytes.count)
        return count == bytes.count && bytes == Wire.journal(delivery: delivery, attempt: attempt)
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

    /// Whether its own container outlives its process.
    var keepsFiles: Bool { groupUse == .write }
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

    /// Whether a file of ours is installed.
    /// - Throws: `unavailable` when that cannot be told.
    package static func isInstalled(_ name: String) throws(ServiceError) -> Bool {
        try first(of: places(name)) != nil
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
    return String(decoding: bytes, as: UTF8.self)
}

/// Removes a directory with everything in it; symbolic links are removed, not followed.
func removeTree(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
        unlink(path)
        return
    }
    if let handle = opendir(path) {
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        closedir(handle)
        for name in names where name != "." && name != ".." { removeTree(path + "/" + name) }
    }
    rmdir(path)
}
