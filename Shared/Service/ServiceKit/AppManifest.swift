package import Contract
import Glibc
package import JSON

/// What an app of the system says of itself: the file `screentime_NAME.resources/app.json` beside our
/// programs, where SwiftPM puts the resources of its command. Nothing else lists the apps.
package struct AppManifest: Record, Sendable {
    /// Ends the app's bundle id, `org.screentime.NAME`, and begins the names of its programs.
    package var name = ""
    /// Its commands change what it keeps together with what is registered, each in the app's turn.
    package var takesTurns = false
    /// It keeps the person's own rules in its app group.
    package var keepsRules = false
    package var extensions: [Part] = []

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Ends the app's bundle id.", .publicText)
        try visitor.field("takes_turns", &takesTurns, "Whether its commands change anything.")
        try visitor.field("keeps_rules", &keepsRules, "Whether it keeps rules in its app group.")
        try visitor.field("extensions", &extensions, "Its extension programs.")
    }

    package var client: String { BuiltInClient.prefix + name }

    /// One extension program.
    package struct Part: Record, Sendable {
        /// Ends the extension's id, and the program's name.
        package var name = ""
        package var point = ExtensionPoint.monitor
        /// nil: it has an entry point of its own.
        package var principalClass: String?

        package init() {}
        package static let title = "AppManifestPart"
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("name", &name, "Ends the extension's id, and the program's name.", .publicText)
            try visitor.field("point", &point, "What it extends.")
            try visitor.field(
                "principal_class", &principalClass, "None: it has an entry point of its own.", .publicText)
        }
    }
}

/// The apps of the system that are installed with the program that asks.
package enum InstalledApps {
    private static let bytesMax = 64 * 1024

    private static func path(of name: Substring, in folder: String) -> String {
        "\(folder)/screentime_\(name).resources/app.json"
    }

    /// Whether a program in `folder` is the command of an app of the system.
    package static func hasManifest(command name: String, in folder: String) -> Bool {
        access(path(of: name[...], in: folder), F_OK) == 0
    }

    /// Every manifest beside this process's own executable, or in `../lib/screentime`, by name.
    /// - Throws: `unavailable` when a manifest, or the folder, cannot be read: what, and why.
    package static func all() throws(ServiceError) -> [AppManifest] {
        guard let own = realpath("/proc/self/exe", nil) else { throw unreadable("/proc/self/exe", errno) }
        defer { free(own) }
        let program = String(cString: own)
        let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        return try all(in: [folder, folder + "/../lib/screentime"])
    }

    /// - Parameter folders: one that is not there has no apps; of two manifests for one name the first
    ///   counts.
    static func all(in folders: [String]) throws(ServiceError) -> [AppManifest] {
        var found: [String: AppManifest] = [:]
        for folder in folders {
            for entry in try entries(of: folder) {
                guard let match = entry.wholeMatch(of: /screentime_(.+)\.resources/),
                    let manifest = try read(path(of: match.1, in: folder)), found[manifest.name] == nil
                else { continue }
                found[manifest.name] = manifest
            }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    private static func entries(of folder: String) throws(ServiceError) -> [String] {
        guard let directory = opendir(folder) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw unreadable(folder, errno) }
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    /// nil: these are the resources of something else.
    private static func read(_ path: String) throws(ServiceError) -> AppManifest? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw unreadable(path, errno) }
            return nil
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw unreadable(path, errno) }
        do throws(JSONError) { return try AppManifest.decodeStrictly(Array(bytes.prefix(count))) } catch {
            throw ServiceError(
                .unavailable, "'\(path)' is no manifest of an app: \(error.message)",
                remedy: "Build or install screentime again.")
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> ServiceError {
        ServiceError(
            .unavailable, "reading '\(path)' failed: \(String(cString: strerror(code)))",
            remedy: "Check the permissions of what is installed.")
    }
}
