/// Why one process of an app was left running.
package enum RefusalReason: Hashable, Sendable, CustomStringConvertible {
    case protected(ProtectionReason)
    /// The kernel refused the signal: mostly another user's process (EPERM).
    case notPermitted(errno: Int32)

    package var description: String {
        switch self {
        case .protected(let reason): "protected: \(reason)"
        case .notPermitted(let code): "the kernel refused the signal (errno \(code))"
        }
    }
}

/// A control group that was frozen as a whole.
package struct FrozenGroup: Sendable, Equatable {
    /// The group below the mount point of cgroup v2.
    package let path: String
    package let members: [ProcessIdentity]
}

/// What a freeze did. Keep it: it is what `thaw` needs.
package struct FreezeOutcome: Sendable {
    /// Control groups we froze first.
    package internal(set) var groups: [FrozenGroup] = []
    /// Processes we stopped with a signal after that, in the order in which it was done: parents first.
    package internal(set) var stopped: [ProcessIdentity] = []
    /// Processes left running, with the reason.
    package internal(set) var refused: [ProcessIdentity: RefusalReason] = [:]
    /// Processes that somebody else had stopped before (Ctrl-Z): left alone now and at the thaw.
    package internal(set) var stoppedBefore: [ProcessIdentity] = []
    /// Processes that have the signal but had not stopped at the limit: inside a system call (disk, network
    /// file system). They run none of their own code before they stop.
    package internal(set) var unsettled: [ProcessIdentity] = []
    /// False when the app still made new processes at the limit.
    package internal(set) var foundAll = true

    package init() {}

    /// Every process that stands still because of us.
    package var frozen: [ProcessIdentity] { groups.flatMap(\.members) + stopped }
}

/// What a thaw did.
package struct ThawOutcome: Sendable {
    package internal(set) var thawed: [ProcessIdentity] = []
    /// Ended since, or the id belongs to another process now. Nobody was signalled.
    package internal(set) var gone: [ProcessIdentity] = []
    /// The errno of each refused signal.
    package internal(set) var refused: [ProcessIdentity: Int32] = [:]
    /// Groups that the kernel did not thaw: gone, or no permission.
    package internal(set) var groupsRefused: [String] = []
}
