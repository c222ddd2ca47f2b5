internal import ExtensionLink
internal import Synchronization

/// The member that this program's calls are about: that of the callback that is running or ran last,
/// otherwise the member for which the host started the program.
package enum ProgramMember {
    private static let ofCallback = Mutex<String?>(nil)

    /// Call it before a callback runs.
    package static func begin(callbackOf member: String) { ofCallback.withLock { $0 = member } }

    /// Nil for the person of this account, and if the host cannot be reached.
    package static var current: String? {
        if let member = ofCallback.withLock({ $0 }) { return member }
        // If the host cannot be reached, the call that needs the member reports it.
        guard let member = try? Link.shared.hello().member, !member.isEmpty else { return nil }
        return member
    }
}
