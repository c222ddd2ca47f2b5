import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Covers the windows of shielded apps and freezes their processes; thaws and uncovers all others, in this
/// order. Processes are recorded with shield-service and sent to the guard before they are stopped.
@LoopActor final class ShieldKeeper {
    private let session: X11Session
    private let presence: Presence
    private var freezer: Freezer
    private let record: FreezeRecord
    private let protection: ProtectionSource
    private let guardSocket: GuardSocket
    private let covers: Covers
    /// Processes that a predecessor had frozen, by app. They belong to the app, although nothing else shows
    /// that.
    private var released: [String: Set<ProcessIdentity>]
    private let member: String
    private let tracer: Tracer
    private let log: Log
    private let reports: FreezeReports
    private var judgements = ShieldJudgements()
    private var apps: [String: ShieldedApp] = [:]
    private var isClosed = false
    private lazy var monitor = StoppedProcessMonitor(freezer.cgroups, log: log) { [weak self] app, count in
        self?.continued(app, count)
    }
    private lazy var grabWatch = GrabWatch(
        session, onAsked: { [weak self] in self?.onDisplayAsked?() },
        onHeld: { [weak self] in self?.giveWay($0, .hotkey) })
    private lazy var closer = makeCloser()
    private let questions: ClosingQuestions
    private var owners = WindowOwners()
    /// Number of processes and groups that another program continued.
    private(set) var continuedCount = 0
    /// Called when an app without a judgement opens a window.
    var onUnjudged: (@LoopActor () -> Void)?
    /// Called after each request to the display: it may have queued events that poll does not report.
    var onDisplayAsked: (@LoopActor () -> Void)?
    /// Number of consecutive times the display did not answer when judgements were applied.
    private var silentCount = 0

    init(
        _ session: X11Session, tree: ProcessTree, presence: Presence, record: FreezeRecord,
        protection: ProtectionSource, guardSocket: GuardSocket, covers: Covers,
        released: [String: Set<ProcessIdentity>], member: String, tracer: Tracer, log: Log
    ) {
        self.session = session
        self.presence = presence
        self.record = record
        self.protection = protection
        self.guardSocket = guardSocket
        self.covers = covers
        self.released = released
        self.member = member
        self.tracer = tracer
        self.log = log
        reports = FreezeReports(tracer, log)
        questions = ClosingQuestions(session: session)
        freezer = Freezer(tree: tree, protection: protection.current(guardSocket.pid))
    }

    // MARK: judgements

    /// The apps to judge: those with windows, and the shielded ones.
    var present: Set<String> { windowed.union(known.values.map(\.judgedName)) }
    /// Apps with windows, as ``AppIdentity/judgedName``.
    private var windowed: Set<String> = []

    /// Call when windows may belong to other apps than before.
    func appsChanged() { apply(judgements, [:]) }

    /// Applies the present judgements of all apps. `traces` are those of the changes, by subject of the
    /// shield.
    func apply(_ judgements: ShieldJudgements, _ traces: [String: TraceContext]) {
        self.judgements = judgements
        presence.setShielded(judgements)
        let isAnswering = session.roundTrip(timeout: AgentLimits.display)
        silentCount = isAnswering ? 0 : silentCount + 1
        if !isAnswering { applyLater(judgements, traces) }
        var found: [String: (AppIdentity, [Window])] = [:]
        for window in isAnswering ? session.windows() : [] {
            guard let identity = presence.app(of: window) else { continue }
            let isFree = isFree(window, identity)
            guard !questions.isLeft(window, identity, among: closingApps, isFree: isFree) else { continue }
            // What was not judged when it appeared.
            if isFree, let asker = questions.asker(of: window, identity, among: closingApps, isFree: true) {
                asker.closing?.asks(window.id)
                continue
            }
            found[identity.id, default: (identity, [])].1.append(window)
        }
        if isAnswering { windowed = Set(found.values.map(\.0.judgedName)) }
        for (identity, windows) in found.values {
            for process in windows.compactMap(\.process) { owners.note(identity, process) }
        }
        owners.dropEnded()
        for (identity, windows) in found.values.sorted(by: { $0.0.id < $1.0.id }) {
            guard let subject = judgements.shield(of: identity) else { continue }
            apps[identity.id]?.forgetWindows()
            want(identity, windows, traces[subject] ?? traces[ShieldFollower.coverage])
        }
        for app in apps.values.sorted(by: { $0.id < $1.id }) where app.isWanted {
            let identity = found[app.id]?.0 ?? known[app.id]
            if identity.flatMap(judgements.shield) == nil { lift(app, traces[app.id] ?? traces.values.first) }
        }
        for (identity, _) in found.values where apps[identity.id] != nil { known[identity.id] = identity }
        known = known.filter { apps[$0.key] != nil }
        setApart()
        for (identity, windows) in found.values where judgements.shield(of: identity) == nil {
            windows.forEach { takeIn($0, of: identity) }
        }
        if isAnswering {
            // Of an app that is not judged yet, an earlier agent may have known more.
            let undecided = found.values.filter { !judgements.has($0.0) }.flatMap { $0.1.map(\.id) }
            covers.keep(only: Set(apps.values.filter(\.isWanted).flatMap(\.windows) + undecided))
        }
        if found.values.contains(where: { !judgements.has($0.0) }) { onUnjudged?() }
    }

    /// While the display does not answer, only thaws. Apps to freeze are found when it answers.
    private func applyLater(_ judgements: ShieldJudgements, _ traces: [String: TraceContext]) {
        EventLoop.main.after(AgentLimits.heldPause) { [weak self] in
            guard let self, !isClosed, self.judgements == judgements else { return }
            apply(judgements, traces)
        }
    }

    /// Identities of the apps in `apps`, also of those without a window.
    private var known: [String: AppIdentity] = [:]

    func windowMapped(_ window: Window) {
        guard let identity = presence.app(of: window) else { return }
        if let process = window.process { owners.note(identity, process) }
        setApart()
        defer { setApart() }
        let isFree = isFree(window, identity)
        if let asker = questions.asker(of: window, identity, among: closingApps, isFree: isFree) {
            asker.closing?.asks(window.id)
            return
        }
        // Some programs say only afterwards that it is a dialog.
        if !closingApps.isEmpty { session.followHints(of: window.id) }
        if judgements.shield(of: identity) == nil { takeIn(window, of: identity) }
        guard judgements.has(identity) else {
            windowed.insert(identity.judgedName)
            onUnjudged?()
            return
        }
        guard judgements.shield(of: identity) != nil else { return }
        want(identity, [window], apps[identity.id]?.trace)
    }

    /// The category that an app was judged by; nil if it was not judged.
    func category(of app: AppIdentity) -> String? { judgements.category(of: app) }

    func windowClosed(_ window: UInt32) {
        for app in apps.values {
            app.windows.remove(window)
            app.guests[window] = nil
            app.closing?.windowClosed(window)
        }
        covers.uncover([window])
    }

    /// A window that is covered may be a question of an app that is being closed.
    func hintsChanged(_ window: UInt32) {
        guard let asker = questions.asker(of: window, among: closingApps) else { return }
        leave([window], of: asker)
        asker.closing?.asks(window)
    }

    /// Leaves dialogs to the person.
    private func leave(_ dialogs: Set<UInt32>, of app: ShieldedApp) {
        app.windows.subtract(dialogs)
        for dialog in dialogs { app.guests[dialog] = nil }
        covers.uncover(dialogs)
    }

    /// What earlier agents had frozen is known only now.
    func adopt(_ later: [String: Set<ProcessIdentity>]) {
        released = later
        for (id, processes) in later {
            guard let app = apps[id], !processes.isSubset(of: app.roots) else { continue }
            app.roots.formUnion(processes)
            work(app)
        }
    }

    /// Covers a window of an app that is not shielded, if its process is a shielded app's and stands still.
    private func takeIn(_ window: Window, of other: AppIdentity) {
        guard let process = window.process else { return }
        for app in apps.values where app.isWanted && app.guests[window.id] == nil {
            guard app.roots.contains(process), !app.apart.contains(process), let identity = known[app.id]
            else { continue }
            app.guests[window.id] = other.judgedName
            app.windows.insert(window.id)
            want(identity, [], app.trace)
        }
    }

    /// Leaves apps alone that a shielded one started; continues one that was frozen with it.
    private func setApart() {
        for app in apps.values where app.isWanted {
            let apart = owners.apart(from: app.id) {
                judgements.has($0) && judgements.shield(of: $0) == nil
            }
            guard apart != app.apart else { continue }
            let released = apart.subtracting(app.apart)
            let isLess = !app.apart.isSubset(of: apart)
            app.apart = apart
            if !released.isDisjoint(with: app.frozen) { thaw(app) } else if !isLess { continue }
            work(app)
        }
    }

    private func want(_ identity: AppIdentity, _ windows: [Window], _ trace: TraceContext?) {
        let id = identity.id
        let app = apps[id] ?? ShieldedApp(id, roots: released[id] ?? [])
        apps[id] = app
        known[id] = identity
        app.forgetEndedClosing()
        let roots = Set(windows.compactMap(\.process))
        let isRecorded = app.recorded.map { !$0.isEmpty } ?? false
        app.windows.formUnion(Set(windows.map(\.id)).subtracting(app.closing?.questions ?? []))
        guard
            !app.isWanted || !isRecorded || !roots.isSubset(of: app.roots) || !covers.areAsked(abouts(app))
        else { return }
        app.isWanted = true
        app.roots.formUnion(roots)
        app.trace = trace ?? app.trace
        work(app)
    }

    /// What the covers of an app's windows are about.
    private func abouts(_ app: ShieldedApp) -> [CoveredWindow] {
        guard let identity = known[app.id] else { return [] }
        let name = identity.judgedName
        let isByItself = judgements.shield(of: identity) == name
        let question = app.closing?.questions.last.map { Int64($0) }
        return app.windows.sorted().map { window in
            CoveredWindow(
                window: Int64(window), app: name, name: identity.name, member: member, kind: .app,
                subject: name, category: isByItself ? nil : judgements.category(of: identity),
                guest: app.guests[window], closing: question == nil ? app.stay : .asking, question: question)
        }
    }

    private func lift(_ app: ShieldedApp, _ trace: TraceContext?) {
        app.isWanted = false
        app.trace = trace ?? app.trace
        app.closing?.cancel()
        (app.closing, app.stay) = (nil, nil)
        thaw(app)
        covers.uncover(app.windows)
        work(app)
    }

    /// Shielded apps, and parts of them, that run nevertheless; one sentence each.
    var problems: (runningOn: [String], parts: [String]) {
        var all: (runningOn: [String], parts: [String]) = ([], [])
        // A single missing answer may only mean that it was slow.
        if silentCount > 1, judgements.isAnyShielded {
            all.runningOn.append(
                "the display does not answer; apps that were shielded since are not frozen until it does")
        }
        // What of the canary does not act is in the result of its check.
        for app in apps.values.sorted(by: { $0.id < $1.id }) where app.id != CanaryApp.id {
            switch app.gap {
            case .runsOn(let sentence): all.runningOn.append(sentence)
            case .part(let sentence): all.parts.append(sentence)
            case nil: break
            }
            all.parts += app.guestProblems
        }
        all.parts += covers.problems
        return all
    }

    /// Whether nothing is shielded on this desktop now.
    var isCalm: Bool { apps.isEmpty }

    /// Whether the shield of an app has arrived here.
    func isWanted(_ app: String) -> Bool { apps[app]?.isWanted == true }

    /// Why an app that is shielded runs on; nil if it does not, or nothing is known of it.
    func gap(of app: String) -> String? {
        switch apps[app]?.gap {
        case .runsOn(let sentence), .part(let sentence): sentence
        case nil: nil
        }
    }

    // MARK: freezing

    private func work(_ app: ShieldedApp) {
        app.needsWork = true
        guard !app.isWorking, !isClosed else { return }
        app.isWorking = true
        Task { @LoopActor [weak self] in
            while app.needsWork, let self, !isClosed {
                app.needsWork = false
                if app.mustFreeze { await freeze(app) } else { await letRun(app) }
            }
            app.isWorking = false
            if !app.isWanted, app.recorded == [] { self?.apps[app.id] = nil }
        }
    }

    /// The app runs. It stays covered while it is being closed.
    private func letRun(_ app: ShieldedApp) async {
        if app.isWanted {
            Task { @LoopActor [covers, abouts = abouts(app)] in
                await covers.cover(abouts, trace: app.trace)
            }
        }
        await recordThaw(app)
    }

    private func workLater(_ app: ShieldedApp, _ pause: Milliseconds) {
        guard !app.willRetry else { return }
        app.willRetry = true
        EventLoop.main.after(pause) { [weak self] in
            app.willRetry = false
            guard let self, apps[app.id] === app else { return }
            work(app)
        }
    }

    private func freeze(_ app: ShieldedApp) async {
        let span = tracer.start("freeze", .internal, parent: app.trace)
        app.dropEndedRoots()
        if let focus = session.focusedWindow, app.windows.contains(focus) { app.mayHoldKeyboard = true }
        let covering = Task { @LoopActor [covers, abouts = abouts(app)] in
            await covers.cover(abouts, trace: span.context)
        }
        freezer.protection = protection.current(guardSocket.pid)
        let found = freezer.plan(app.roots, apart: app.apart)
        let planned = app.frozen + found.filter { !app.frozen.contains($0) }
        do throws(ServiceError) {
            try await record.set(app, planned, trace: span.context)
        } catch {
            app.obstacle = "\(app.id) is shielded and runs on: it is not frozen: \(error.message)"
            workLater(app, AgentLimits.pause)
            return reports.end(span, app, error.name.rawValue)
        }
        await covering.value
        guard app.mustFreeze, !isClosed else { return reports.end(span, app, "superseded") }
        let outcome = freezer.freeze(app.roots, apart: app.apart, recorded: Set(app.frozen)) {
            [guardSocket] batch in
            guardSocket.hold(batch)
            app.held += batch
        }
        app.merge(outcome)
        watchStoppedProcesses()
        if let hold = holdOnSession(app) { return giveWay(app, hold, span) }
        session.setAside(app.windows, true)
        app.hasHotkeys = session.haveHotkeys(Set(app.frozen.map(\.pid)))
        watchStoppedProcesses()
        reports.froze(app, outcome)
        app.obstacle = nil
        if !outcome.foundAll { workLater(app, AgentLimits.pause) }
        presence.setCovered(app.id, !app.frozen.isEmpty)
        if Set(app.frozen) != app.recorded {
            // Forks during the freeze; the guard knows them already.
            do throws(ServiceError) { try await record.set(app, app.frozen, trace: span.context) } catch {
                workLater(app, AgentLimits.pause)
            }
        }
        let isSpared = app.frozen.isEmpty && !outcome.refused.isEmpty
        reports.end(span, app, isSpared ? "spared" : "ok", refused: outcome.refused.count)
    }

    private func holdOnSession(_ app: ShieldedApp) -> SessionHold? {
        guard !app.frozen.isEmpty else { return nil }
        defer { onDisplayAsked?() }
        guard session.roundTrip(timeout: AgentLimits.display) else { return .display }
        if session.grabs.isPointerHeld() { return .pointer }
        guard session.grabs.isKeyboardHeld() else {
            app.mayHoldKeyboard = false
            return nil
        }
        if session.grabs.isPointerFrozen() { return .pointer }
        // A viewer of another machine may have it while it is in use: that is no reason to let this app run.
        return app.mayHoldKeyboard ? .keyboard : nil
    }

    /// The frozen app holds the display or pointer, so the session could not be used. Thaws it, and retries
    /// later.
    private func giveWay(_ app: ShieldedApp, _ hold: SessionHold, _ span: StartedSpan) {
        giveWay(app, hold)
        reports.end(span, app, hold.rawValue)
    }

    private func giveWay(_ app: ShieldedApp, _ hold: SessionHold) {
        thaw(app)
        reports.gaveWay(app, hold)
        app.obstacle = "\(app.id) is shielded and runs on: it holds the session (\(hold.rawValue))"
        workLater(app, AgentLimits.heldPause)
    }

    // MARK: closing

    /// The person wants the app closed that a cover is about. It runs meanwhile, behind its cover.
    func close(_ cover: CoveredWindow, trace: TraceContext?) {
        guard let app = apps.values.first(where: { known[$0.id]?.judgedName == cover.app && $0.isWanted })
        else { return }
        closer.close(app, told: cover.closing, trace)
    }

    private var closingApps: [ShieldedApp] {
        apps.values.filter { $0.closing != nil }.sorted { $0.id < $1.id }
    }

    /// Whether nothing that is shielded, or may be, owns a window.
    private func isFree(_ window: Window, _ identity: AppIdentity) -> Bool {
        judgements.has(identity) && judgements.shield(of: identity) == nil
            && !apps.values.contains { $0.isWanted && $0.owns(window) }
    }

    private func makeCloser() -> AppCloser {
        let ports = AppCloser.Ports(
            processes: { [weak self] in self?.freezer.plan($0.roots, apart: $0.apart) ?? [] },
            sharers: { [weak self] in $0.sharers(among: self?.apps.values.map(\.self) ?? []) },
            run: { [weak self] app in
                self?.thaw(app)
                self?.work(app)
            },
            uncover: { [weak self] in self?.leave($1, of: $0) },
            onQuestions: { [weak self] in self?.work($0) },
            onAsked: { [weak self] in self?.onDisplayAsked?() },
            onEnd: { [weak self] app in
                guard let self, apps[app.id] === app, !isClosed else { return }
                work(app)
                appsChanged()
            })
        return AppCloser(session, tracer: tracer, log: log, ports)
    }

    // MARK: continued by others

    private func watchStoppedProcesses() {
        guard !isClosed else { return }
        let still = apps.values.filter(\.standsStill).sorted { $0.id < $1.id }
        monitor.set(still)
        grabWatch.set(still.filter(\.hasHotkeys))
    }

    /// The app's processes were stopped again. Freezes once more, to find processes that they created
    /// meanwhile.
    private func continued(_ app: ShieldedApp, _ count: Int) {
        continuedCount += count
        reports.stoppedAgain(app, count)
        work(app)
    }

    // MARK: thawing

    private func thaw(_ app: ShieldedApp) {
        app.obstacle = nil
        guard !app.frozen.isEmpty else { return }
        let outcome = freezer.thaw(stopped: app.standstill.stopped, groups: app.standstill.groups)
        guardSocket.free(app.held)
        session.setAside(app.windows, false)
        reports.thawed(app, outcome)
        app.forgetFrozen()
        watchStoppedProcesses()
        if !isClosed { presence.setCovered(app.id, false) }
    }

    private func recordThaw(_ app: ShieldedApp) async {
        guard app.recorded != [] else { return }
        do throws(ServiceError) {
            try await record.set(app, [], trace: app.trace)
        } catch {
            // Nothing is frozen; only the owner's record is not cleared yet.
            workLater(app, AgentLimits.pause)
        }
    }

    /// Thaws everything immediately; nothing is frozen afterwards.
    /// - Returns: the apps whose records must be cleared.
    func close() -> [ShieldedApp] {
        isClosed = true
        monitor.close()
        grabWatch.close()
        for app in apps.values {
            app.isWanted = false
            app.closing?.cancel()
            thaw(app)
        }
        return apps.values.filter { $0.recorded != [] }.sorted { $0.id < $1.id }
    }
}
