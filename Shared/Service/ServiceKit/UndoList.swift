import Loop

/// What takes back what writes of this turn changed in memory: run when their savepoint is undone, or their
/// turn, after the store has undone it.
@LoopActor struct UndoList {
    typealias Step = @LoopActor () throws -> Void

    private var steps: [(step: Step, reloads: ObjectIdentifier?)] = []

    var count: Int { steps.count }

    mutating func append(_ step: @escaping Step) { steps.append((step, nil)) }

    /// A step that reads `owner` from the store again: once is enough, however many writes changed it.
    mutating func append(reloading owner: AnyObject, _ step: @escaping Step) {
        steps.append((step, ObjectIdentifier(owner)))
    }

    mutating func removeAll() { steps = [] }

    /// Takes out what was added after the first `count`, newest first.
    mutating func removeLast(after count: Int) -> [Step] {
        var known: Set<ObjectIdentifier> = []
        let taken = steps[count...].reversed().filter { step in
            step.reloads.map { known.insert($0).inserted } ?? true
        }
        steps.removeLast(steps.count - count)
        return taken.map(\.step)
    }
}
