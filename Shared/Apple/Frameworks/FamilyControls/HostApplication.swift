internal import ExtensionLink
internal import Synchronization

/// Our addition: the identity of a program that has no bundle.
///
/// An app is known by `SCREENTIME_CLIENT` of its environment, else by `CFBundleIdentifier` of the Info.plist
/// beside its executable, else by what it says here.
public enum HostApplication {
    private static let shown = Mutex<String?>(nil)

    /// How the app calls itself when it asks the person.
    static var name: String? { shown.withLock { $0 } }

    /// Says which app this program is; before anything else of these frameworks is used.
    /// - Parameters:
    ///   - bundleIdentifier: 1 to 200 letters, digits, dots, hyphens and underscores, as `org.example.focus`.
    ///   - name: what the person reads when the app asks for something.
    public static func identify(_ bundleIdentifier: String, name: String? = nil) {
        shown.withLock { $0 = name }
        ExtensionLink.Link.identify(bundleIdentifier)
    }
}
