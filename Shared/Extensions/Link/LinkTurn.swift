package import Contract
package import JSON

/// The turn of an app's commands: one at a time reads rules, changes them and registers what follows; no
/// backup is made meanwhile. `app-link` answers it itself.
package enum LinkTurn: Method {
    package static let name = "turn"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.anyone
    package static let summary = "Waits for the turn of the app's commands and keeps it, or gives it back."
    package typealias Result = Nothing

    package struct Params: Record {
        package static var title: String { "turn.params" }
        package var held = true

        package init() {}
        package init(held: Bool) { self.held = held }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("held", &held, "False: it is given back; it ends with the program, too.")
        }
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
