import Bus
import Contract
import ExtensionLink
import Glibc
import ServiceKit

/// Where each extension's log and journal are.
struct ExtensionFiles {
    private let logDirectory: String
    private let journalDirectory: String
    private let stateDirectory: String

    init(_ configuration: Configuration) throws(ServiceError) {
        logDirectory = configuration.logDirectory
        stateDirectory = configuration.stateDirectory
        journalDirectory = "\(configuration.stateDirectory)/\(ServiceName.monitor.rawValue)/returned"
        try makeDirectories(journalDirectory, mode: 0o700)
    }

    /// The file with the last callback that returned; see ``Wire``.
    func journal(_ id: String) -> String { "\(journalDirectory)/\(id)" }

    /// What the program writes on standard output and error. A long one becomes `.1` first.
    func log(_ id: String) -> String {
        let path = "\(logDirectory)/\(id).log"
        var status = stat()
        if stat(path, &status) == 0, status.st_size > MonitorLimits.logBytesMax { rename(path, path + ".1") }
        return path
    }

    /// All of its logs.
    func logs(_ id: String) -> [String] { ["\(logDirectory)/\(id).log", "\(logDirectory)/\(id).log.1"] }

    /// What gives a program our clock, where that is the virtual one: the preloaded library and its page.
    /// - Throws: `unavailable` when the library is not beside this program.
    func clockEnvironment() throws(ServiceError) -> [String] {
        guard WallTime.isVirtual else { return [] }
        let name = "libscreentime-clock.so"
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let program = String(
            decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
        let places = ["\(folder)/\(name)", "\(folder)/../lib/screentime/\(name)"]
        guard let library = places.first(where: { access($0, R_OK) == 0 }) else {
            throw ServiceError(
                .unavailable, "\(name) is neither in '\(places[0])' nor in '\(places[1])'",
                remedy: "Build it: extensions need it to live by the virtual clock.")
        }
        return [
            "LD_PRELOAD=\(library)",
            "\(ClockPage.environmentKey)=\(ClockPage.path(in: stateDirectory))",
        ]
    }

    /// Whether the program noted that this attempt returned.
    func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        let descriptor = open(journal(id), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Wire.journalBytes)
        let count = read(descriptor, &bytes, bytes.count)
        return count == bytes.count && bytes == Wire.journal(delivery: delivery, attempt: attempt)
    }
}
