import Loop

/// Steps that restore what the writes of this turn changed in memory. They run after the store has undone the
/// savepoint or turn.
@LoopActor struct UndoList {
    typealias Step = @LoopActor () throws -> Void

    private var steps: [(step: Step, reloads: ObjectIdentifier?)] = []

    var count: Int { steps.count }

    mutating func append(_ step: @escaping Step) { steps.append((step, nil)) }

    /// Adds a step that reloads `owner` from the store. It runs once, however many writes changed the owner.
    mutating func append(reloading owner: AnyObject, _ step: @escaping Step) {
        steps.append((step, ObjectIdentifier(owner)))
    }

    mutating func removeAll() { steps = [] }

    /// Removes the steps after the first `count` and returns them, newest first.
    mutating func removeLast(after count: Int) -> [Step] {
        var known: Set<ObjectIdentifier> = []
        let taken = steps[count...].reversed().filter { step in
            step.reloads.map { known.insert($0).inserted } ?? true
        }
        steps.removeLast(steps.count - count)
        return taken.map(\.step)
    }
}
