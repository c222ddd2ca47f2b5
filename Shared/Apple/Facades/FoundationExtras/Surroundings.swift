internal import Contract
internal import ExtensionLink
internal import Foundation
internal import ProgramLog

/// What this program is given by the system: its groups and its directories, as its host says.
enum Surroundings {
    /// The directory of a group that the entitlements of this program's app registered; nil, and a line in
    /// the log, otherwise.
    static func group(_ id: String) -> AppGroup? {
        do throws(ServiceError) { return try registered(id) } catch {
            ProgramLog.refuse("\(error.message).", remedy: error.remedy)
            return nil
        }
    }

    /// - Throws: `notFound` when no entitlements name it; `unavailable` when nobody could say.
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
            "'\(id)' is no app group of \(answer.client); it has \(known.isEmpty ? "none" : known)",
            remedy: answer.point == .report
                ? "Report extensions have none, by design: what they see stays there."
                : "Name it under com.apple.security.application-groups in the bundle's .entitlements file, "
                    + "and install the bundle again.")
    }

    /// Its own directory; nil: the person's home is its place.
    static var container: String? { asked(for: "the program's own directory")?.containerPath }

    /// The directory of its bundle.
    static var bundle: String? { asked(for: "the program's bundle")?.bundlePath }

    private static func asked(for what: String) -> Hello.Answer? {
        do { return try Link.shared.hello() } catch {
            ProgramLog.refuse("\(what) is not known: \(error.message).", remedy: error.remedy)
            return nil
        }
    }
}

extension FileManager {
    /// The directory that an app and its extensions share.
    ///
    /// A program's app has a group when the entitlements in its bundle name it at install. A shield
    /// configuration extension may only read there; a report extension has no groups.
    /// - Returns: nil for a group that is not registered; the log says what to do. (Apple's gives a directory
    ///   that nobody shares, on some systems.)
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        Surroundings.group(groupIdentifier).map { URL(fileURLWithPath: $0.path, isDirectory: true) }
    }
}
