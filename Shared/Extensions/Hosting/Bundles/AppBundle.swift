package import Contract
import Glibc

/// What lies beside an app's executable: its Info.plist and its entitlements, where it has them.
package struct AppBundle: Sendable {
    /// `CFBundleIdentifier`; nil: there is no Info.plist.
    package let identifier: String?
    /// App groups its entitlements name.
    package let groups: [String]
    /// Whether its entitlements let it ask for names of apps and sites.
    package let dataAccess: Bool

    /// - Throws: `invalidArgument` naming the file, the key and what is wrong.
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
