package import Contract
import Glibc
package import JSON

/// What an app of the system says of itself: the file `screentime_NAME.resources/app.json` beside our
/// programs, where SwiftPM puts the resources of its command. Nothing else lists the apps.
@Record
package struct AppManifest: Record, Sendable {
    /// Ends the app's bundle id.
    ///
    /// Ends the app's bundle id, `org.screentime.NAME`, and begins the names of its programs.
    @Field(.publicText) package var name: String = ""
    /// Whether its commands change anything.
    ///
    /// Its commands change what it keeps together with what is registered, each in the app's turn.
    package var takesTurns: Bool = false
    /// Whether it keeps rules in its app group.
    ///
    /// It keeps the person's own rules in its app group.
    package var keepsRules: Bool = false
    /// Its extension programs.
    package var extensions: [Part] = []

    package var client: String { BuiltInClient.prefix + name }

    /// One extension program.
    @Record("AppManifestPart")
    package struct Part: Record, Sendable {
        /// Ends the extension's id, and the program's name.
        @Field(.publicText) package var name: String = ""
        /// What it extends.
        package var point: ExtensionPoint = ExtensionPoint.monitor
        /// None: it has an entry point of its own.
        ///
        /// nil: it has an entry point of its own.
        @Field(.publicText) package var principalClass: String?
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
