import Loop
import Units

/// How long an app runs on while its windows are covered: until all are, or none was for
/// `AgentLimits.cover`, and never longer than `AgentLimits.covers`. So an app with many windows is not frozen
/// while its covers still come, one after the other.
@LoopActor final class CoverWait {
    private var missing: Int
    private var left: Milliseconds = AgentLimits.covers
    private let after: @LoopActor (Milliseconds, @escaping @LoopActor () -> Void) -> Void
    private var whenOver: (@LoopActor (_ isLate: Bool) -> Void)?

    /// - Parameters:
    ///   - count: windows without a cover.
    ///   - after: calls a function after a time.
    ///   - whenOver: called once.
    init(
        count: Int, after: @escaping @LoopActor (Milliseconds, @escaping @LoopActor () -> Void) -> Void,
        _ whenOver: @escaping @LoopActor (_ isLate: Bool) -> Void
    ) {
        missing = count
        self.after = after
        self.whenOver = whenOver
        watch()
    }

    /// A window is covered, or needs no cover.
    func arrive() {
        missing -= 1
        if missing == 0 { end(isLate: false) }
    }

    /// There will be no covers.
    func giveUp() { end(isLate: false) }

    private func watch() {
        let before = missing
        after(AgentLimits.cover) { [weak self] in
            guard let self, whenOver != nil else { return }
            left -= AgentLimits.cover
            if missing < before, left > 0 { watch() } else { end(isLate: true) }
        }
    }

    private func end(isLate: Bool) {
        let body = whenOver
        whenOver = nil
        body?(isLate)
    }
}
