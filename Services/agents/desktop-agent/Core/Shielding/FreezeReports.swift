import Bus
import Contract
import Loop
import ServiceKit

/// What a frozen app holds and others need.
enum SessionHold: String {
    case display = "display_silent"
    case pointer = "pointer_held"
    case keyboard = "keyboard_held"
    /// One of its hotkeys was pressed, and the server waits for what it does with it.
    case hotkey = "hotkey_held"
}

/// What the log and the trace say of freezing and thawing. A reason is logged once for each app.
@LoopActor struct FreezeReports {
    private let tracer: Tracer
    private let log: Log

    init(_ tracer: Tracer, _ log: Log) {
        self.tracer = tracer
        self.log = log
    }

    func froze(_ app: ShieldedApp, _ outcome: FreezeOutcome) {
        var reasons = Set(outcome.refused.values.map(\.description))
        if !outcome.unsettled.isEmpty { reasons.insert("some processes are in a system call and stop later") }
        if !outcome.foundAll { reasons.insert(ShieldedApp.tooFast) }
        for reason in reasons.sorted() {
            warn(app, once: reason, "a part of a shielded app runs", [("reason", .text(reason))])
        }
        guard !app.frozen.isEmpty else { return }
        log.info("frozen", [("app", .text(app.id)), ("processes", .number(Int64(app.frozen.count)))])
    }

    func gaveWay(_ app: ShieldedApp, _ hold: SessionHold) {
        warn(
            app, once: hold.rawValue,
            "a frozen app holds the session's input or display; it runs until it releases them",
            [("held", .text(hold.rawValue))])
    }

    /// Another program continued `count` processes or groups.
    func stoppedAgain(_ app: ShieldedApp, _ count: Int) {
        tracer.mark(
            "stopped again", .internal, parent: app.trace, subject: app.id,
            numbers: [Counter(name: "processes", count: Int64(count))])
        warn(
            app, once: "continued", "another program continued a shielded app; it is stopped again each time",
            [("processes", .number(Int64(count)))])
    }

    /// Call it while the app still lists what was frozen.
    func thawed(_ app: ShieldedApp, _ outcome: ThawOutcome) {
        for (identity, code) in outcome.refused {
            log.error(
                "a process could not be thawed",
                [("pid", .number(Int64(identity.pid))), ("errno", .number(Int64(code)))])
        }
        let count = Int64(app.frozen.count)
        tracer.mark(
            "thaw", .internal, parent: app.trace, subject: app.id,
            numbers: [Counter(name: "processes", count: count)])
        log.info("thawed", [("app", .text(app.id)), ("processes", .number(count))])
    }

    /// The end of an attempt to freeze.
    /// - Parameter refused: processes that must run.
    func end(_ span: StartedSpan, _ app: ShieldedApp, _ outcome: String, refused: Int = 0) {
        tracer.end(
            span, outcome: outcome, subject: app.id,
            numbers: [
                Counter(name: "processes", count: Int64(app.frozen.count)),
                Counter(name: "refused", count: Int64(refused)),
            ])
    }

    private func warn(
        _ app: ShieldedApp, once reason: String, _ sentence: StaticString, _ details: [(String, Log.Value)]
    ) {
        guard app.logged.insert(reason).inserted else { return }
        log.warning(sentence, [("app", .text(app.id))] + details)
    }
}
