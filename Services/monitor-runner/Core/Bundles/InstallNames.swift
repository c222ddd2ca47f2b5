import Contract

/// Checks the names of an extension that is installed: none may belong to the system, to another app, or look
/// like the name of another extension.
struct InstallNames {
    /// Prefix of the system's names. As with Apple, case is ignored.
    private static let reserved = "org.screentime"

    let id: String
    let client: String
    let groups: [String]

    init(_ program: ExtensionRecord) {
        id = program.id
        client = program.client
        groups = program.groups ?? []
    }

    /// - Parameter known: all installed extensions, including built-in ones.
    /// - Throws: `accessDenied`, `alreadyExists` or `invalidArgument`, with the name and its owner.
    func check(beside known: [ExtensionRecord]) throws(ServiceError) {
        try checkClient()
        for name in [id, client] + groups.map({ $0.hasPrefix("group.") ? String($0.dropFirst(6)) : $0 })
        where Self.isReserved(name) {
            throw ServiceError(
                .accessDenied,
                "'\(name)' is reserved for the system, as all names that begin with '\(Self.reserved)'",
                remedy: "Use another name in Info.plist, the entitlements or --client.")
        }
        if let other = known.first(where: { $0.id == id }), other.client != client {
            throw ServiceError(
                .alreadyExists, "'\(id)' is installed for \(other.client)",
                remedy: "Remove it there first, or use another CFBundleIdentifier.")
        }
        try Self.check(id, beside: known.map(\.id), "CFBundleIdentifier")
        try Self.check(client, beside: known.map(\.client), "name of the app")
        try checkOwner(known)
        try checkGroups(known)
    }

    /// Files are named after it, and some file systems ignore case.
    private static func check(
        _ name: String, beside known: [String], _ what: String
    ) throws(ServiceError) {
        guard let other = known.first(where: { $0 != name && $0.lowercased() == name.lowercased() }) else {
            return
        }
        throw ServiceError(
            .alreadyExists, "'\(name)' differs from '\(other)', which is installed, by case only",
            remedy: "Use another \(what), or the same spelling.")
    }

    /// The longest matching client owns it: org.example.app.monitor belongs to org.example.app, not to
    /// org.example.
    private func checkOwner(_ known: [ExtensionRecord]) throws(ServiceError) {
        let name = id.lowercased()
        let owners = Set(known.map(\.client) + [client]).filter { name.hasPrefix($0.lowercased() + ".") }
        guard let owner = owners.max(by: { $0.utf8.count < $1.utf8.count }), owner != client else { return }
        throw ServiceError(
            .accessDenied, "'\(id)' is a name of \(owner), but would be installed for \(client)",
            remedy: "Install it for \(owner), or use another CFBundleIdentifier.")
    }

    private func checkGroups(_ known: [ExtensionRecord]) throws(ServiceError) {
        let taken = groups + known.flatMap { $0.groups ?? [] }
        for group in groups { try Self.check(group, beside: taken, "name in the entitlements") }
    }

    private static func isReserved(_ name: String) -> Bool {
        let name = name.lowercased()
        return name == reserved || name.hasPrefix(reserved + ".")
    }

    private func checkClient() throws(ServiceError) {
        let isPlain = client.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
        // Empty parts look like the name without them.
        let parts = client.split(separator: ".", omittingEmptySubsequences: false)
        guard isPlain, parts.allSatisfy({ !$0.isEmpty }), (1...200).contains(client.utf8.count) else {
            throw ServiceError(
                .invalidParams, "the host app's name is not a bundle id of up to 200 bytes",
                remedy: "Use letters, digits, dots, hyphens and underscores.")
        }
    }
}
