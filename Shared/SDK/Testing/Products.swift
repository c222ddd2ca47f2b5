import Foundation

/// The directory of the services' executables.
enum Products {
    /// `SCREENTIME_BIN`, else the directory of the test bundle, else the newest build of this file's
    /// checkout.
    static let folder: String = {
        if let named = ProcessInfo.processInfo.environment["SCREENTIME_BIN"] { return named }
        let beside = besideTests
        if has(beside) { return beside }
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let builds = ["debug", "release"].map { root.path + "/.build/" + $0 }.filter(has)
        return builds.max { age($0) < age($1) } ?? beside
    }()

    /// The directory of the programs that belong to the running tests.
    static let besideTests: String = {
        let place = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        let parts = place.split(separator: "/", omittingEmptySubsequences: false)
        let end = parts.firstIndex { $0.hasSuffix(".xctest") } ?? parts.count - 1
        return parts[..<end].joined(separator: "/")
    }()

    private static func program(_ folder: String) -> String { folder + "/activity-center" }
    private static func has(_ folder: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: program(folder))
    }
    private static func age(_ folder: String) -> Date {
        // Called for existing files; one that was deleted since counts as older than any other.
        let values = try? FileManager.default.attributesOfItem(atPath: program(folder))
        return values?[.modificationDate] as? Date ?? .distantPast
    }
}
