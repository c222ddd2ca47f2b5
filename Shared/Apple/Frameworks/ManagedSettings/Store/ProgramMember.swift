internal import ExtensionLink
internal import Synchronization

/// Whose screen time this program's calls are about: that of the callback that runs, or ran last; else of the
/// member its host started it for.
package enum ProgramMember {
    private static let ofCallback = Mutex<String?>(nil)

    /// To be called before a callback runs.
    package static func begin(callbackOf member: String) { ofCallback.withLock { $0 = member } }

    /// Nil: the person of this account, or nobody can be asked.
    package static var current: String? {
        if let member = ofCallback.withLock({ $0 }) { return member }
        // Where the host cannot be reached the call that this is for says so.
        guard let member = try? Link.shared.hello().member, !member.isEmpty else { return nil }
        return member
    }
}
