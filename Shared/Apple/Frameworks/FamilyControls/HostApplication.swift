internal import ExtensionLink
internal import Synchronization

/// Not in Apple's API: the identity of a program without a bundle.
///
/// The identity is `SCREENTIME_CLIENT` in the environment, otherwise `CFBundleIdentifier` in the Info.plist
/// next to the executable, otherwise the identifier passed here.
public enum HostApplication {
    private static let shown = Mutex<String?>(nil)

    /// The app's name in requests to the person.
    static var name: String? { shown.withLock { $0 } }

    /// Sets the identity of this program. Call it before using any other part of these frameworks.
    /// - Parameters:
    ///   - bundleIdentifier: 1 to 200 letters, digits, dots, hyphens and underscores, such as
    /// `org.example.focus`.
    ///   - name: the name shown to the person when the app requests something.
    public static func identify(_ bundleIdentifier: String, name: String? = nil) {
        shown.withLock { $0 = name }
        ExtensionLink.Link.identify(bundleIdentifier)
    }
}
