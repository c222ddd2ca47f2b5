import Bus
import Contract
import Loop
import ServiceKit

/// Closes shielded apps because the person asked for it.
@LoopActor final class AppCloser {
    /// What it needs of whoever keeps the apps.
    struct Ports {
        /// All processes that belong to an app now.
        var processes: @LoopActor (ShieldedApp) -> [ProcessIdentity]
        /// The other apps that have windows of an app's processes.
        var sharers: @LoopActor (ShieldedApp) -> Set<String>
        /// Lets an app run, behind its cover.
        var run: @LoopActor (ShieldedApp) -> Void
        /// Shows dialogs of an app, which the person may use.
        var uncover: @LoopActor (ShieldedApp, Set<UInt32>) -> Void
        /// Called when an app that is being closed asks something, or does not any more.
        var onQuestions: @LoopActor (ShieldedApp) -> Void
        /// Called after requests to the display.
        var onAsked: @LoopActor () -> Void
        /// Called when an app was closed, or stayed.
        var onEnd: @LoopActor (ShieldedApp) -> Void
    }

    private let session: X11Session
    private let tracer: Tracer
    private let log: Log
    private let ports: Ports

    init(_ session: X11Session, tracer: Tracer, log: Log, _ ports: Ports) {
        self.session = session
        self.tracer = tracer
        self.log = log
        self.ports = ports
    }

    /// Asks an app to close; or ends it, if it stayed before and its cover said so when it was pressed.
    /// - Parameter told: what the cover said. An agent that was started since knows nothing of it, and asks.
    func close(_ app: ShieldedApp, told: CoverClosing?, _ trace: TraceContext?) {
        // Its cover says what another press does as soon as it does something else.
        guard app.closing == nil else { return }
        app.dropEndedRoots()
        app.forgetEndedClosing()
        let closing = Closing(app.roots, patience: .init(answer: app.answerLeft)) { [ports] in
            // Whoever shares its processes was not meant.
            ports.sharers(app).isEmpty ? ports.processes(app) : []
        } end: { [weak self] outcome in
            self?.ended(app, outcome, trace)
        }
        let isForced = told == .stayed && app.stay == .stayed && ports.sharers(app).isEmpty
        // Of processes that came since, nobody has asked one to close.
        let isAsked = app.roots.isSubset(of: app.askedRoots)
        (app.closing, app.stay, app.askedRoots) = (closing, nil, app.roots)
        if isForced, isAsked { force(app, closing) } else { ask(app, closing, isLast: isForced) }
    }

    private func force(_ app: ShieldedApp, _ closing: Closing) {
        ports.run(app)
        closing.force()
    }

    /// Dialogs that are open already are questions: asking them would answer these.
    private func ask(_ app: ShieldedApp, _ closing: Closing, isLast: Bool) {
        let own = app.ownWindows
        let dialogs = own.filter { session.isDialog($0, of: own.subtracting([$0])) }
        // One that is all that the app shows is its window.
        let asking = dialogs.count < own.count ? dialogs : []
        ports.run(app)
        let asked = own.subtracting(asking).sorted().filter { session.askToClose($0) }
        closing.start(wereAsked: !asked.isEmpty, isLast: isLast)
        if closing.mayAsk {
            ports.uncover(app, asking)
            for dialog in asking.sorted() { closing.asks(dialog) }
        }
        closing.onQuestions = { [weak app, ports] in
            app?.questionPace.run { if let app { ports.onQuestions(app) } }
        }
        if !closing.questions.isEmpty { ports.onQuestions(app) }
        ports.onAsked()
    }

    private func ended(_ app: ShieldedApp, _ outcome: Closing.Outcome, _ trace: TraceContext?) {
        // An app that closed its windows, and goes on without one, did what was asked.
        let hasWindows = !app.ownWindows.union(app.closing?.questions ?? []).isEmpty
        app.answerLeft = app.closing?.answerLeft ?? app.answerLeft
        if outcome == .stayed, hasWindows { app.stay = ports.sharers(app).isEmpty ? .stayed : .shared }
        app.closing = nil
        tracer.mark("close", .internal, parent: trace, outcome: outcome.rawValue, subject: app.id)
        log.info("closed", [("app", .text(app.id)), ("how", .text(outcome.rawValue))])
        ports.onEnd(app)
    }
}
