/// Why one process of an app was not stopped.
package enum RefusalReason: Hashable, Sendable, CustomStringConvertible {
    case protected(ProtectionReason)
    /// The kernel refused the signal: usually another user's process (EPERM).
    case notPermitted(errno: Int32)

    package var description: String {
        switch self {
        case .protected(let reason): "protected: \(reason)"
        case .notPermitted(let code): "the kernel refused the signal (errno \(code))"
        }
    }
}

/// A control group that was frozen.
package struct FrozenGroup: Sendable, Equatable {
    /// Path of the group below the mount point of cgroup v2.
    package let path: String
    /// Processes of the app in it.
    package let members: [ProcessIdentity]
}

/// The result of a freeze. Keep it: `thaw` needs it.
package struct FreezeOutcome: Sendable {
    /// Control groups, which were frozen first.
    package internal(set) var groups: [FrozenGroup] = []
    /// Processes that were then stopped with a signal, in that order: parents first.
    package internal(set) var stopped: [ProcessIdentity] = []
    /// Processes that were not stopped, with the reason.
    package internal(set) var refused: [ProcessIdentity: RefusalReason] = [:]
    /// Processes that were already stopped by somebody else (Ctrl-Z); freeze and thaw ignore them.
    package internal(set) var stoppedBefore: [ProcessIdentity] = []
    /// Processes that received the signal but had not stopped at the time limit: inside a system call (disk,
    /// network file system). They run no user code before they stop.
    package internal(set) var unsettled: [ProcessIdentity] = []
    /// False if the app still created processes at the time limit.
    package internal(set) var foundAll = true

    /// The result before anything is frozen.
    package init() {}

    /// Every process that this freeze stopped.
    package var frozen: [ProcessIdentity] { groups.flatMap(\.members) + stopped }
}

/// The result of a thaw.
package struct ThawOutcome: Sendable {
    package internal(set) var thawed: [ProcessIdentity] = []
    /// Processes that have exited, or whose id was reused. They were not signalled.
    package internal(set) var gone: [ProcessIdentity] = []
    /// The errno of each refused signal.
    package internal(set) var refused: [ProcessIdentity: Int32] = [:]
    /// Groups that the kernel did not thaw: removed, or no permission.
    package internal(set) var groupsRefused: [String] = []
}
