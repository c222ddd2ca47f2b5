import Loop
import Units

/// Known instants at which apps may become shielded. Covers are prepared shortly before.
///
/// Durations, not instants, since only the services know the trusted time. They say them again with each
/// answer: while an app is in use at least with each heartbeat.
@LoopActor final class Boundaries {
    /// What happens then; of each kind the next one is known.
    enum Kind { case callback, exceptionEnd }

    private let loop: EventLoop
    private let prepare: @LoopActor () -> Void
    private var timers: [Kind: [TimerToken]] = [:]

    init(_ loop: EventLoop = .main, prepare: @escaping @LoopActor () -> Void) {
        self.loop = loop
        self.prepare = prepare
    }

    /// - Parameters:
    ///   - pause: nil: there is none.
    ///   - reached: called at the instant itself.
    func expect(
        _ kind: Kind, in pause: Milliseconds?, reached: @escaping @LoopActor () -> Void = {}
    ) {
        timers.removeValue(forKey: kind)?.forEach(loop.cancel)
        guard let pause else { return }
        timers[kind] = [
            loop.after(max(0, pause - AgentLimits.coverLead), prepare), loop.after(pause, reached),
        ]
    }

    func close() {
        for timer in timers.values.joined() { loop.cancel(timer) }
        timers = [:]
    }
}
