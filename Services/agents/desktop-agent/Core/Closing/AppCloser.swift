import Bus
import Contract
import Loop
import ServiceKit

/// Closes shielded apps because the person asked for it.
@LoopActor final class AppCloser {
    private let session: X11Session
    private let tracer: Tracer
    private let log: Log
    private let processes: @LoopActor (ShieldedApp) -> [ProcessIdentity]
    private let run: @LoopActor (ShieldedApp) -> Void
    private let onAsked: @LoopActor () -> Void
    private let onEnd: @LoopActor (ShieldedApp) -> Void

    /// - Parameters:
    ///   - processes: all that belong to an app now.
    ///   - run: lets an app run, behind its cover.
    ///   - onAsked: called after requests to the display.
    ///   - onEnd: called when an app was closed, or stayed.
    init(
        _ session: X11Session, tracer: Tracer, log: Log,
        processes: @escaping @LoopActor (ShieldedApp) -> [ProcessIdentity],
        run: @escaping @LoopActor (ShieldedApp) -> Void, onAsked: @escaping @LoopActor () -> Void,
        onEnd: @escaping @LoopActor (ShieldedApp) -> Void
    ) {
        self.session = session
        self.tracer = tracer
        self.log = log
        self.processes = processes
        self.run = run
        self.onAsked = onAsked
        self.onEnd = onEnd
    }

    /// Closes an app, or insists, if it is being closed.
    func close(_ app: ShieldedApp, _ trace: TraceContext?) {
        if let closing = app.closing { return closing.insist() }
        app.dropEndedRoots()
        let isAgain = app.stayed.map { EventLoop.main.now - $0 < AgentLimits.closeAgain } ?? false
        let closing = Closing(app.roots, isFinal: isAgain) { [processes] in
            processes(app)
        } end: { [weak self] outcome in
            self?.ended(app, outcome, trace)
        }
        app.closing = closing
        run(app)
        let asked = app.windows.sorted().filter { session.askToClose($0) }
        onAsked()
        closing.start(wereAsked: !asked.isEmpty)
    }

    private func ended(_ app: ShieldedApp, _ outcome: Closing.Outcome, _ trace: TraceContext?) {
        if outcome == .stayed, app.closing?.hasAsked == true { app.stayed = EventLoop.main.now }
        app.closing = nil
        tracer.mark("close", .internal, parent: trace, outcome: outcome.rawValue, subject: app.id)
        log.info("closed", [("app", .text(app.id)), ("how", .text(outcome.rawValue))])
        onEnd(app)
    }
}
