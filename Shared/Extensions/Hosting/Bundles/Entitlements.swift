package import Contract
import Glibc

/// The entitlements of a bundle (`*.entitlements` or `Entitlements.plist`): the app groups it shares files
/// with, and whether it may ask for names of apps and sites.
package struct Entitlements: Equatable, Sendable {
    /// Sorted, without duplicates.
    package private(set) var groups: [String] = []
    /// Whether the program may ask for names of apps and sites.
    package private(set) var dataAccess = false

    private static let groupsKey = "com.apple.security.application-groups"
    private static let dataAccessKey = "com.apple.developer.family-controls.app-and-website-usage"

    package init() {}

    /// - Parameters:
    ///   - bundle: a bundle's directory; without such a file there are no entitlements.
    ///   - following: whether the files may be links.
    /// - Throws: `invalidArgument` with the file, the key and what is wrong.
    package init(bundle: String, following: Bool) throws(ServiceError) {
        let files = Self.files(in: bundle)
        guard files.count <= HostingLimits.entitlementFilesMax else {
            throw ServiceError(
                .limitExceeded,
                "'\(bundle)' has \(files.count) files of entitlements; entitlementFilesMax is "
                    + "\(HostingLimits.entitlementFilesMax)",
                remedy: "Leave those of its own program.")
        }
        for file in files {
            let keys = BundleKeys(
                file: file, product: "", info: try BundleKeys.read(file, following: following))
            try read(keys)
        }
        groups = Set(groups).sorted()
        guard groups.count <= HostingLimits.groupsMax else {
            throw ServiceError(
                .limitExceeded, "\(groups.count) app groups; groupsMax is \(HostingLimits.groupsMax)",
                remedy: "Name fewer in the entitlements.")
        }
    }

    private mutating func read(_ keys: BundleKeys) throws(ServiceError) {
        if case .bool(true)? = keys.info[Self.dataAccessKey] { dataAccess = true }
        guard let value = keys.info[Self.groupsKey] else { return }
        guard case .list(let members) = value else {
            throw keys.wrong(Self.groupsKey, "no array", "an array of texts")
        }
        for member in members {
            let written = member.text ?? ""
            let group = Self.withoutTeam(written)
            guard Self.isGroup(group) else {
                throw keys.wrong(
                    Self.groupsKey, written,
                    "1 to 200 letters, digits, dots, hyphens and underscores, not beginning with a dot")
            }
            groups.append(group)
        }
    }

    /// On macOS a group may begin with the team's prefix, which Xcode fills in.
    private static func withoutTeam(_ group: String) -> String {
        for prefix in ["$(TeamIdentifierPrefix)", "$(AppIdentifierPrefix)"] where group.hasPrefix(prefix) {
            return String(group.dropFirst(prefix.count))
        }
        return group
    }

    /// It is the name of a directory, so it must be a plain file name.
    private static func isGroup(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || [0x2d, 0x2e, 0x5f].contains(byte)
            }
    }

    private static func files(in bundle: String) -> [String] {
        guard let handle = opendir(bundle) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".entitlements") || name == "Entitlements.plist" { names.append(name) }
        }
        return names.sorted().map { bundle + "/" + $0 }
    }
}
