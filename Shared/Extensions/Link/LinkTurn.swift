package import Contract
package import JSON

/// Acquires or releases the turn of the app's commands.
///
/// Only one process at a time reads rules, changes them and registers what follows, and no backup is made
/// meanwhile. `app-link` answers it itself.
@Method("turn", of: .activity, .read, for: .anyone)
package enum LinkTurn: Method {
    package typealias Result = Nothing

    /// Whether to acquire or release the turn.
    @Record("turn.params")
    package struct Params: Record {
        /// True acquires the turn, false releases it; it also ends with the program.
        package var held: Bool = true
    }
}

extension Link {
    /// Waits until no other command of the app changes anything; call ``endTurn()`` afterwards.
    /// - Throws: `deadlineExceeded` if the other command does not end.
    package func beginTurn() throws(ServiceError) {
        _ = try call(LinkTurn.self, LinkTurn.Params(held: true))
    }

    /// Releases the turn.
    package func endTurn() {
        // If this fails, the process that keeps the turn has ended, and the turn with it.
        _ = try? call(LinkTurn.self, LinkTurn.Params(held: false))
    }
}
