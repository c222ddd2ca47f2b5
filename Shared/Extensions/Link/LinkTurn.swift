package import Contract
package import JSON

/// Waits for the turn of the app's commands and keeps it, or gives it back.
///
/// One at a time reads rules, changes them and registers what follows; no backup is made meanwhile. `app-
/// link` answers it itself.
@Method("turn", of: .activity, .read, for: .anyone)
package enum LinkTurn: Method {
    package typealias Result = Nothing

    @Record("turn.params")
    package struct Params: Record {
        /// False: it is given back; it ends with the program, too.
        package var held: Bool = true
    }
}

extension Link {
    /// Waits until no other command of the app changes anything; ``endTurn()`` must follow.
    /// - Throws: `deadlineExceeded` when one does not end.
    package func beginTurn() throws(ServiceError) {
        _ = try call(LinkTurn.self, LinkTurn.Params(held: true))
    }

    package func endTurn() {
        // Where nobody is there to be told, the turn has ended with them.
        _ = try? call(LinkTurn.self, LinkTurn.Params(held: false))
    }
}
