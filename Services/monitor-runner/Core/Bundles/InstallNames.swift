import Contract

/// Which names an extension that is installed may have: none that belongs to the system, to another app, or
/// that reads like that of another extension.
struct InstallNames {
    /// What begins like this comes with the system. As with Apple, case says nothing.
    private static let reserved = "org.screentime"

    let id: String
    let client: String
    let groups: [String]

    init(_ program: ExtensionRecord) {
        id = program.id
        client = program.client
        groups = program.groups ?? []
    }

    /// - Parameter known: all that are installed, built-in ones included.
    /// - Throws: `accessDenied`, `alreadyExists` or `invalidArgument`, with the name and whose it is.
    func check(beside known: [ExtensionRecord]) throws(ServiceError) {
        try checkClient()
        for name in [id, client] + groups.map({ $0.hasPrefix("group.") ? String($0.dropFirst(6)) : $0 })
        where Self.isReserved(name) {
            throw ServiceError(
                .accessDenied,
                "'\(name)' is a name of the system: '\(Self.reserved)' and what begins with it",
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

    /// Files are named after it, and file systems exist that do not tell case apart.
    private static func check(
        _ name: String, beside known: [String], _ what: String
    ) throws(ServiceError) {
        guard let other = known.first(where: { $0 != name && $0.lowercased() == name.lowercased() }) else {
            return
        }
        throw ServiceError(
            .alreadyExists, "'\(name)' differs from '\(other)', which is installed, by case only",
            remedy: "Use another \(what), or spell it like that.")
    }

    /// The longest one owns it: org.example.app.monitor is one of org.example.app, not of org.example.
    private func checkOwner(_ known: [ExtensionRecord]) throws(ServiceError) {
        let name = id.lowercased()
        let owners = Set(known.map(\.client) + [client]).filter { name.hasPrefix($0.lowercased() + ".") }
        guard let owner = owners.max(by: { $0.utf8.count < $1.utf8.count }), owner != client else { return }
        throw ServiceError(
            .accessDenied, "'\(id)' is a name of \(owner), and is to be installed for \(client)",
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
        // Two dots, or one at an end, read like the name without.
        let parts = client.split(separator: ".", omittingEmptySubsequences: false)
        guard isPlain, parts.allSatisfy({ !$0.isEmpty }), (1...200).contains(client.utf8.count) else {
            throw ServiceError(
                .invalidParams, "the host app's name is no bundle id of up to 200 bytes",
                remedy: "Use letters, digits, dots, hyphens and underscores.")
        }
    }
}
