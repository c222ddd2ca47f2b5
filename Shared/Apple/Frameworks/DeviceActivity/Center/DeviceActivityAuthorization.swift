internal import Contract
internal import ExtensionLink
public import Foundation
internal import Synchronization

/// What a program can ask about its permission to monitor.
public protocol DeviceActivityAuthorizing {
    static var isAuthorized: Bool { get }
    static func isAuthorized(_ bundleIdentifier: String) -> Bool
}

/// Whether this client may monitor. A client learns only about itself.
public class DeviceActivityAuthorization: NSObject, DeviceActivityAuthorizing {
    /// An object without state; all members are static.
    public override init() { super.init() }

    /// Whether this client may monitor, now.
    public static var isAuthorized: Bool { !authorizedClientIdentifiers.isEmpty }

    /// - Parameter bundleIdentifier: of this client. For any other client the result is false.
    public static func isAuthorized(_ bundleIdentifier: String) -> Bool {
        authorizedClientIdentifiers.contains(bundleIdentifier)
    }

    /// The identifier of this client if it may monitor. Empty if it may not, or if the services cannot be
    /// reached.
    public static var authorizedClientIdentifiers: [String] {
        let member = ProgramMember.current
        // A client that cannot ask may not monitor either.
        guard let list = try? Link.shared.call(AuthorizationList.self, AuthorizationList.Params()) else {
            return []
        }
        let own = list.authorizations.filter { member == nil || $0.member == member }
        return Set(own.filter { $0.status == .approved && $0.access }.map(\.client)).sorted()
    }

    /// Whether usage is shared with other devices. Devices are not connected here, so always false.
    public static var sharingEnabled: Bool { false }

    /// Kept in memory for this process and read back. Nothing acts on it; Apple does not document an effect
    /// either.
    public static var isOverridden: Bool {
        get { overridden.withLock { $0 } }
        set { overridden.withLock { $0 = newValue } }
    }

    private static let overridden = Mutex(false)
}
