internal import Contract
internal import ExtensionLink
public import Foundation
internal import Synchronization

/// What can be asked about the right to monitor.
public protocol DeviceActivityAuthorizing {
    static var isAuthorized: Bool { get }
    static func isAuthorized(_ bundleIdentifier: String) -> Bool
}

/// Who may monitor. A client is told of itself only.
public class DeviceActivityAuthorization: NSObject, DeviceActivityAuthorizing {
    public override init() { super.init() }

    /// Whether this client may monitor, now.
    public static var isAuthorized: Bool { !authorizedClientIdentifiers.isEmpty }

    /// - Parameter bundleIdentifier: of this client; of another the answer is false.
    public static func isAuthorized(_ bundleIdentifier: String) -> Bool {
        authorizedClientIdentifiers.contains(bundleIdentifier)
    }

    /// This client, where it may monitor; none when that cannot be read now.
    public static var authorizedClientIdentifiers: [String] {
        let member = ProgramMember.current
        // Who cannot ask may not monitor either.
        guard let list = try? Link.shared.call(AuthorizationList.self, AuthorizationList.Params()) else {
            return []
        }
        let own = list.authorizations.filter { member == nil || $0.member == member }
        return Set(own.filter { $0.status == .approved && $0.access }.map(\.client)).sorted()
    }

    /// Whether use is shared with other machines: they are not connected, so false.
    public static var sharingEnabled: Bool { false }

    /// Kept for this process only, and read back; nothing acts on it, here as little as Apple says what does.
    public static var isOverridden: Bool {
        get { overridden.withLock { $0 } }
        set { overridden.withLock { $0 = newValue } }
    }

    private static let overridden = Mutex(false)
}
