package import Contract
import Glibc
package import JSON

/// The manifest of a built-in app: the file `screentime_NAME.resources/app.json` beside the programs, where
/// SwiftPM puts the resources of its command. There is no other list of the apps.
@Record
package struct AppManifest: Record, Sendable {
    /// Last part of the app's bundle id.
    ///
    /// The bundle id is `org.screentime.NAME`; the name is also the prefix of the app's programs.
    @Field(.publicText) package var name: String = ""
    /// Whether its commands change rules.
    ///
    /// Such commands hold the app's lock while they change its rules and what is registered.
    package var takesTurns: Bool = false
    /// Whether it keeps rules in its app group.
    ///
    /// The person's rules are files in its app group, which a backup copies.
    package var keepsRules: Bool = false
    /// Its extension programs.
    package var extensions: [Part] = []

    /// Bundle id, `org.screentime.NAME`.
    package var client: String { BuiltInClient.prefix + name }

    /// One extension program.
    @Record("AppManifestPart")
    package struct Part: Record, Sendable {
        /// Last part of the extension's id and of the program's name.
        @Field(.publicText) package var name: String = ""
        /// The kind of extension.
        package var point: ExtensionPoint = ExtensionPoint.monitor
        /// Class that the extension host instantiates.
        ///
        /// If nil, the program has its own entry point.
        @Field(.publicText) package var principalClass: String?
    }
}

/// The built-in apps that are installed with this program.
package enum InstalledApps {
    private static let bytesMax = 64 * 1024

    private static func path(of name: Substring, in folder: String) -> String {
        "\(folder)/screentime_\(name).resources/app.json"
    }

    /// Whether the program `name` in `folder` is the command of a built-in app.
    package static func hasManifest(command name: String, in folder: String) -> Bool {
        access(path(of: name[...], in: folder), F_OK) == 0
    }

    /// Every manifest beside this process's executable or in `../lib/screentime`, sorted by name.
    /// - Throws: `unavailable` if a manifest or its folder cannot be read.
    package static func all() throws(ServiceError) -> [AppManifest] {
        guard let own = realpath("/proc/self/exe", nil) else { throw unreadable("/proc/self/exe", errno) }
        defer { free(own) }
        let program = String(cString: own)
        let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        return try all(in: [folder, folder + "/../lib/screentime"])
    }

    /// - Parameter folders: a missing folder contributes no apps; of two manifests with the same name the
    ///   first is used.
    static func all(in folders: [String]) throws(ServiceError) -> [AppManifest] {
        var found: [String: AppManifest] = [:]
        for folder in folders {
            for entry in try entries(of: folder) {
                guard entry.hasPrefix("screentime_"), entry.hasSuffix(".resources"),
                    case let name = entry.dropFirst(11).dropLast(10), !name.isEmpty,
                    let manifest = try read(path(of: name, in: folder)), found[manifest.name] == nil
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

    /// Nil if the folder holds resources of something else.
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
                .unavailable, "'\(path)' is not a valid app manifest: \(error.message)",
                remedy: "Build or install screentime again.")
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> ServiceError {
        ServiceError(
            .unavailable, "reading '\(path)' failed: \(String(cString: strerror(code)))",
            remedy: "Check the permissions of what is installed.")
    }
}
