package import Contract
import Glibc

/// The Info.plist and the entitlements beside an app's executable, if it has them.
package struct AppBundle: Sendable {
    /// `CFBundleIdentifier`; nil without an Info.plist.
    package let identifier: String?
    /// App groups of its entitlements.
    package let groups: [String]
    /// Whether its entitlements allow it to ask for names of apps and sites.
    package let dataAccess: Bool

    /// Reads the files of a directory.
    /// - Throws: `invalidArgument` with the file, the key and what is wrong.
    package init(directory: String) throws(ServiceError) {
        let file = directory + "/Info.plist"
        guard access(file, F_OK) == 0 else {
            identifier = nil
            groups = []
            dataAccess = false
            return
        }
        let product = directory.split(separator: "/").last.map(String.init) ?? ""
        let keys = BundleKeys(file: file, product: product, info: try BundleKeys.read(file, following: true))
        identifier = try keys.text("CFBundleIdentifier")
        let entitlements = try Entitlements(bundle: directory, following: true)
        groups = entitlements.groups
        dataAccess = entitlements.dataAccess
    }
}
