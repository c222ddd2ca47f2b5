import Bus
import Contract
import ExtensionLink
import FileAccess
import Glibc
import Hosting
import Loop
import ServiceKit
import Units

/// The identity of the app at the other end. Within one uid it is attribution, not security: whoever starts a
/// program chooses its environment.
struct AppIdentity: Sendable {
    /// The environment variable that identifies an app without a bundle.
    static let clientKey = "SCREENTIME_CLIENT"
    /// How long monitor-runner may take to list the extensions' groups, and auth-service to return the
    /// member's time zone.
    static let othersDeadline: Milliseconds = 2_000

    let client: String
    /// The built-in limits app sends requests as the person, without a client.
    var isThePerson: Bool { client == BuiltInClient.limits }
    let owner: TokenOwner
    /// Directory of the program's Info.plist; nil if it has none.
    let bundle: String?
    let groups: [String]
    let dataAccess: Bool
    private let stateDirectory: String

    /// From `SCREENTIME_CLIENT`, else `CFBundleIdentifier` of the Info.plist beside the app's executable,
    /// else the program's own claim.
    /// - Throws: `invalidArgument` that tells how to set an identity, or what is wrong in the bundle.
    @LoopActor init(_ options: AppOptions, _ configuration: Configuration) throws(ServiceError) {
        let folder = Self.folder(of: getppid())
        let found = try folder.map { folder throws(ServiceError) in try AppBundle(directory: folder) }
        let named = getenv(Self.clientKey).map { String(cString: $0) }
        guard let client = named ?? found?.identifier ?? options.client else {
            throw ServiceError(
                .invalidArgument, "this program has no bundle identifier",
                remedy: "Put an Info.plist with CFBundleIdentifier beside its executable, set "
                    + "\(Self.clientKey), or call HostApplication.identify(\"org.example.app\") first.")
        }
        try Self.check(client)
        self.client = client
        owner = TokenOwner(client: client, member: Household.defaultMember)
        bundle = found?.identifier == nil ? nil : folder
        groups = found?.groups ?? []
        dataAccess = found?.dataAccess ?? false
        stateDirectory = configuration.stateDirectory
    }

    /// It is used as a directory name, so it must be a plain file name.
    private static func check(_ client: String) throws(ServiceError) {
        let isPlain = client.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
        guard isPlain, !client.hasPrefix("."), (1...200).contains(client.utf8.count) else {
            throw ServiceError(
                .invalidArgument, "'\(client.prefix(200))' is not a bundle identifier",
                remedy: "Use up to 200 letters, digits, dots, hyphens and underscores.")
        }
    }

    /// The directory of a process's executable; nil if the kernel does not report it.
    private static func folder(of pid: Int32) -> String? {
        guard let path = realpath("/proc/\(pid)/exe", nil) else { return nil }
        defer { free(path) }
        let program = String(cString: path)
        return program.lastIndex(of: "/").map { String(program[..<$0]) }
    }

    /// - Parameter extensions: all installed extensions, or why they are unknown.
    func hello(beside extensions: Result<[ExtensionRecord], ServiceError>) -> Hello.Answer {
        var own: [ExtensionRecord] = []
        var unknown: String?
        switch extensions {
        case .success(let all):
            own = all.filter { $0.client == client }
            if !all.contains(where: { $0.id == client }) { adoptContainer() }
        case .failure(let error): unknown = "monitor-runner did not answer: \(error.message)"
        }
        let groups = Set(groups).union(own.flatMap { $0.groups ?? [] }).sorted()
        var answer = Hello.Answer()
        answer.client = client
        answer.member = owner.member
        answer.bundlePath = bundle
        answer.containerPath = Self.made(client, in: containers)
        answer.dataAccess = dataAccess
        answer.groupsUnknown = unknown
        answer.groups = groups.compactMap { id in
            Self.made(id, in: stateDirectory + "/groups").map { AppGroup(id: id, path: $0, writable: true) }
        }
        return answer
    }

    /// Parent directory of apps' containers. Extensions have theirs elsewhere, whatever their ids are.
    private var containers: String { stateDirectory + "/apps" }

    /// Apps formerly had their containers among those of extensions. Such a container is moved if no
    /// extension has the app's id.
    private func adoptContainer() {
        let apps = containers
        guard let name = EntryName(client) else { return }
        do {
            try makeDirectories(apps, mode: 0o700)
            let old = try Directory(path: stateDirectory + "/containers")
            try old.rename(name, to: name, in: try Directory(path: apps))
        } catch {
            // There is none, or it was already moved.
        }
    }

    /// The directory, created if needed; nil if that fails or something else has its name.
    private static func made(_ name: String, in parent: String) -> String? {
        guard let entry = EntryName(name) else { return nil }
        do {
            try makeDirectories(parent, mode: 0o700)
            _ = try Directory(path: parent).making(entry)
            return "\(parent)/\(name)"
        } catch {
            // The program learns that it has no such directory.
            return nil
        }
    }
}
