internal import Contract
internal import ExtensionLink
internal import Foundation
internal import ProgramLog

/// The app groups and directories that the host assigns to this program.
enum Surroundings {
    /// The directory of a group that the entitlements of this program's app list. Nil, with a log entry, for
    /// other groups.
    static func group(_ id: String) -> AppGroup? {
        do throws(ServiceError) { return try registered(id) } catch {
            ProgramLog.refuse("\(error.message).", remedy: error.remedy)
            return nil
        }
    }

    /// - Throws: `notFound` if no entitlement lists the group; `unavailable` if the host cannot tell.
    static func registered(_ id: String) throws(ServiceError) -> AppGroup {
        var answer = try Link.shared.hello()
        let isKnown = answer.groupsUnknown == nil || answer.groups.contains { $0.id == id }
        if !isKnown { answer = try Link.shared.hello(again: true) }
        if let group = answer.groups.first(where: { $0.id == id }) { return group }
        guard let reason = answer.groupsUnknown else { throw unregistered(id, answer) }
        throw ServiceError(
            .unavailable, "whether '\(id)' is an app group of \(answer.client) is not known: \(reason)",
            remedy: "See `screentime status`, start monitor-runner, and try again.")
    }

    private static func unregistered(_ id: String, _ answer: Hello.Answer) -> ServiceError {
        let known = answer.groups.map(\.id).sorted().joined(separator: ", ")
        return ServiceError(
            .notFound,
            "'\(id)' is not an app group of \(answer.client), which has \(known.isEmpty ? "none" : known)",
            remedy: answer.point == .report
                ? "Report extensions have no app groups, so that usage data cannot leave them."
                : "Name it under com.apple.security.application-groups in the bundle's .entitlements file, "
                    + "and install the bundle again.")
    }

    /// The program's own directory. Nil if it is the person's home.
    static var container: String? { asked(for: "the program's own directory")?.containerPath }

    /// The directory of the program's bundle.
    static var bundle: String? { asked(for: "the program's bundle")?.bundlePath }

    private static func asked(for what: String) -> Hello.Answer? {
        do { return try Link.shared.hello() } catch {
            ProgramLog.refuse("\(what) cannot be determined: \(error.message).", remedy: error.remedy)
            return nil
        }
    }
}

extension FileManager {
    /// The directory that an app and its extensions share.
    ///
    /// An app has a group if the entitlements in its bundle list it at installation. Shield-configuration
    /// extensions can only read it; report extensions have no groups.
    /// - Returns: nil for a group that is not registered; the log says what to do. (On some systems Apple's
    /// returns a directory that is not shared.)
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        Surroundings.group(groupIdentifier).map { URL(fileURLWithPath: $0.path, isDirectory: true) }
    }
}
