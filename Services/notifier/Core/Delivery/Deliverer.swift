import Bus
import Contract
import Loop
import ServiceKit
internal import Store

/// Shows pending notifications on the desktop, oldest first, and records the result.
@LoopActor final class Deliverer {
    let service: Service
    let table: NotificationTable
    private let pictures: Pictures
    private let channel: any DesktopChannel
    private let banners: Banners
    let weekly: WeeklyReports
    private let outbox: Outbox
    private var flights: [NotificationKey: Flight] = [:]
    /// Shown before, but their buttons would no longer be received; they must be shown again.
    private var lost: Set<NotificationKey> = []
    /// ``lost`` must be read from the table.
    private var mustRecall = false
    /// Notifications that were withdrawn while no daemon could be told must be closed.
    private var mustClose = false
    private var attempts: [Int64: Int] = [:]
    /// Numbers of warnings that the desktop-agent was asked about while there was no daemon.
    private var asked: Set<Int64> = []
    private var pause = BackOff()
    private var retry: TimerToken?
    /// Why the daemon cannot be used although it runs. Notifications are then sent one at a time until one
    /// succeeds.
    private var refusal: String?

    /// Results reported by the daemon that are not committed yet, in order; below, how many of them are part
    /// of the open turn. The daemon reports each once, so they are kept until committed.
    private var changes: [Change] = []
    private var changesWritten = 0

    private struct Change {
        let key: NotificationKey
        let trace: TraceContext?
        let body: @LoopActor (inout StoredNotification, Transaction) throws -> Void
    }

    /// A notification whose answer is awaited: the daemon's, or that of who is asked before it.
    private struct Flight {
        var number: Int64
        var span: StartedSpan
        /// Whether the desktop-agent or report-service was asked first and has not answered: the daemon knows
        /// nothing of it.
        var isAsking = false
    }

    /// - Parameter channel: nil for the session bus of the configuration.
    init(_ service: Service, _ channel: (any DesktopChannel)?, _ outbox: Outbox) {
        self.outbox = outbox
        self.service = service
        self.channel = channel ?? DBusChannel(address: service.configuration.sessionBus)
        banners = Banners(service: service)
        weekly = WeeklyReports(service)
        table = NotificationTable(database: service.database)
        pictures = Pictures(
            directory: service.configuration.runtime.path + "/notifier.pictures",
            state: service.configuration.stateDirectory)
    }

    func start() {
        channel.onEvent = { [weak self] in self?.receive($0) }
        channel.onDecided = { [weak self] in self?.reportTrouble() }
        weekly.onRetry = { [weak self] in
            guard let self else { return false }
            flush()
            return isHeldBack && hasUnwritten
        }
        channel.open()
        reportTrouble()
    }

    func stop() {
        channel.close()
        weekly.stop()
        if let retry { service.loop.cancel(retry) }
        retry = nil
        flights = flights.filter { !$0.value.isAsking }
        write()
        pictures.dropAll()
    }

    /// What the daemon, or who is asked before it, has not answered yet, as a sentence.
    var unfinished: [String] {
        flights.isEmpty ? [] : ["\(flights.count) notifications wait for an answer"]
    }

    var daemonPresent: Bool { channel.daemonPresent }

    /// Why pending notifications wait, as a sentence; nil if they are being sent.
    var trouble: String? { channel.trouble ?? refusal }

    /// A row as clients may see it.
    func told(_ row: StoredNotification) -> NotificationRecord {
        var record = row.record
        if record.state == .pending {
            record.waitingFor = trouble ?? weekly.obstacle(row.number)
                ?? "the notification daemon is being asked to show it"
        }
        return record
    }

    // MARK: sending

    /// Sends what can be sent. Call it after each commit that may have left pending notifications.
    func flush() {
        reportTrouble()
        guard retry == nil else { return }
        do {
            guard channel.daemonPresent else { return try askOthers() }
            if mustClose { try closeWithdrawn() }
            if mustRecall { try recallQuestions() }
            for key in lost where flights.count < flightsMax {
                let row = try table.find(key)
                lost.remove(key)
                if let row, row.record.isQuestion { send(row) }
            }
            for row in try table.all(.pending) where flights.count < flightsMax { send(row) }
        } catch {
            service.noteDamage(error)
            service.log.error(
                "reading the pending notifications failed; it will be retried",
                [("error", .name(of: error))])
            retryLater()
        }
    }

    private var flightsMax: Int { refusal == nil ? NotifierLimits.flightsMax : 1 }

    /// Whether ``flush()`` could not send everything.
    private var isHeldBack: Bool { retry != nil || flights.count >= flightsMax }

    /// Whether a weekly report waits to be written.
    private var hasUnwritten: Bool {
        // What cannot be read may be one; ``flush()`` reports it.
        (try? table.all(.pending).contains(where: \.isUnwritten)) ?? true
    }

    /// Without a daemon, too, the person may see a warning: as the desktop-agent's banner. Each is asked
    /// about once, and again when a daemon is there. A weekly report may leave by other channels.
    private func askOthers() throws {
        let pending = try table.all(.pending)
        asked.formIntersection(pending.map(\.number))
        if try outbox.isUsed() {
            for row in pending where row.isUnwritten && flights.count < flightsMax { send(row) }
        }
        for row in pending where row.record.details?.warning != nil && flights.count < flightsMax {
            if asked.insert(row.number).inserted { send(row) }
        }
    }

    private func send(_ row: StoredNotification) {
        guard flights[row.key] == nil, weekly.obstacle(row.number) == nil else { return }
        let span = service.tracer.start("notification.show", .internal, parent: TraceContext(row.trace))
        flights[row.key] = Flight(number: row.number, span: span)
        if row.isUnwritten {
            flights[row.key]?.isAsking = true
            return weekly.write(row, trace: span.context) { [weak self] in self?.written($0, row) }
        }
        guard let warning = row.record.details?.warning else { return show(row) }
        flights[row.key]?.isAsking = true
        banners.isShown(warning, trace: span.context) { [weak self] in self?.answered($0, about: row) }
    }

    /// The desktop-agent's answer: whether the person sees the same as its banner.
    private func answered(_ isShown: Bool, about row: StoredNotification) {
        guard let flight = flights[row.key], flight.number == row.number, flight.isAsking else { return }
        flights[row.key]?.isAsking = false
        guard isShown || channel.daemonPresent else {
            flights[row.key] = nil
            service.tracer.end(flight.span, outcome: "waiting")
            return flush()
        }
        guard isShown else { return show(row) }
        settle(row.key.text, "banner") { [unowned self] in try shown(&$0, nil, $1) }
        flush()
    }

    /// From here on it is a notification like any other.
    private func written(_ report: OutgoingReport?, _ row: StoredNotification) {
        guard let flight = flights[row.key], flight.number == row.number, flight.isAsking else { return }
        guard let report else {
            flights[row.key] = nil
            return service.tracer.end(flight.span, outcome: "waiting")
        }
        settle(row.key.text, "written") { [outbox] row, transaction in
            (row.record.title, row.record.body) = (report.title, report.body)
            row.record.details?.weeklyReport = nil
            try outbox.add(report, transaction)
        }
        flush()
    }

    private func show(_ row: StoredNotification) {
        if let shown = row.shownAs { channel.adopt(row.key.text, serverID: shown.serverID, of: shown.daemon) }
        var content = NotificationContent(row)
        content.imagePath = picture(of: row)
        channel.show(content)
    }

    /// The text matters more than its picture: without a usable picture it is shown alone.
    private func picture(of row: StoredNotification) -> String? {
        guard let path = row.record.details?.attachments?.first(where: \.isImage)?.path else { return nil }
        do throws(ServiceError) { return try pictures.take(path, for: row.key) } catch {
            service.log.warning(
                "showing a notification without its picture",
                [("client", .text(row.record.client ?? "")), ("reason", .text(error.message))])
            return nil
        }
    }

    /// Closes it on the desktop, or prevents that it is shown.
    func close(_ row: StoredNotification) {
        lost.remove(row.key)
        if let flight = flights[row.key], flight.isAsking {
            flights[row.key] = nil
            service.tracer.end(flight.span, outcome: "withdrawn")
        }
        if let shown = row.shownAs { channel.adopt(row.key.text, serverID: shown.serverID, of: shown.daemon) }
        channel.close(row.key.text)
    }

    /// Sends nothing more until the pause is over.
    func retryLater() {
        guard retry == nil else { return }
        retry = service.loop.after(pause.take()) { [weak self] in
            self?.retry = nil
            self?.write()
            self?.flush()
        }
    }

    private func retryNow() {
        if let retry { service.loop.cancel(retry) }
        retry = nil
        refusal = nil
        pause.reset()
    }

    // MARK: receiving

    func receive(_ event: DesktopNotificationEvent) {
        switch event {
        case .daemonAppeared:
            retryNow()
            (mustRecall, mustClose) = (true, true)
        case .daemonVanished, .disconnected: retryNow()
        case .shown(let text, let serverID):
            retryNow()
            let shownAs = channel.daemon.map { (serverID, $0) }
            settle(text, nil) { [unowned self] in try shown(&$0, shownAs, $1) }
        case .refused(let text, let reason):
            refused(text, reason)
            NotificationKey(text: text).map(pictures.drop)
        case .actionInvoked(let text, let key): change(text) { [unowned self] in try answered(&$0, key, $1) }
        case .closed(let text, let reason):
            change(text) { [unowned self] in try closed(&$0, reason, $1) }
            NotificationKey(text: text).map(pictures.drop)
        }
        if retry == nil { write() }
        reportTrouble()
        flush()
    }

    /// After a restart of this process or of the daemon: shows questions without an answer again.
    private func recallQuestions() throws {
        lost.formUnion(try table.all(.delivered).filter(\.record.isQuestion).map(\.key))
        mustRecall = false
    }

    /// Closes once more what was withdrawn or answered and not reported as closed: the process ended, or was
    /// without a bus, before the daemon could be told. Numbers of another daemon mean nothing to this one.
    private func closeWithdrawn() throws {
        let rows = try table.shownAndOver()
        mustClose = false
        guard !rows.isEmpty else { return }
        try service.transact(trace: nil) { transaction in
            transaction.onUndo { [weak self] in self?.mustClose = true }
            for var row in rows {
                let shown = row
                row.shownAs = nil
                try table.update(row)
                if shown.shownAs?.daemon == channel.daemon {
                    transaction.afterCommit { [weak self] in self?.close(shown) }
                }
            }
        }
    }

    /// While the bus is being asked for a daemon, trouble is reported only if a notification waits.
    private func reportTrouble() {
        if channel.isAsking, !isAnythingPending { return }
        let trouble = trouble
        if trouble != service.degradedBy("desktop") {
            if let trouble {
                service.log.warning("notifications wait", [("for", .text(trouble))])
            } else {
                service.log.info("notifications can be shown again")
            }
        }
        service.setDegraded("desktop", trouble)
    }

    private var isAnythingPending: Bool {
        do { return try !table.all(.pending).isEmpty } catch {
            service.log.error("reading the pending notifications failed", [("error", .name(of: error))])
            return false
        }
    }

    /// Ends a flight and changes its row, unless another posting replaced it meanwhile.
    private func settle(
        _ text: String, _ outcome: String?,
        _ body: @escaping @LoopActor (inout StoredNotification, Transaction) throws -> Void
    ) {
        guard let key = NotificationKey(text: text), let flight = flights.removeValue(forKey: key) else {
            return
        }
        service.tracer.end(flight.span, outcome: outcome ?? "ok")
        change(text, trace: flight.span.context) { row, transaction in
            if row.number == flight.number { try body(&row, transaction) }
        }
    }

    private func change(
        _ text: String, trace: TraceContext? = nil,
        _ body: @escaping @LoopActor (inout StoredNotification, Transaction) throws -> Void
    ) {
        guard let key = NotificationKey(text: text) else { return }
        changes.append(Change(key: key, trace: trace, body: body))
        // It waits behind a change that could not be committed.
        if changesWritten == changes.count - 1 { write() }
    }

    /// Writes the changes that are not part of the turn yet.
    private func write() {
        do {
            while changesWritten < changes.count { try write(changes[changesWritten]) }
        } catch {
            service.log.error(
                "recording the result of a notification failed; it will be retried",
                [("error", .name(of: error))])
            retryLater()
        }
    }

    private func write(_ change: Change) throws {
        guard var row = try table.find(change.key) else {
            changes.remove(at: changesWritten)
            return
        }
        try service.transact(trace: change.trace ?? TraceContext(row.trace)) { transaction in
            changesWritten += 1
            transaction.onUndo { [weak self] in
                self?.changesWritten -= 1
                self?.retryLater()
            }
            transaction.afterCommit { [weak self] in
                self?.changes.removeFirst()
                self?.changesWritten -= 1
            }
            try change.body(&row, transaction)
            try table.update(row)
        }
    }

    // MARK: results

    private func shown(
        _ row: inout StoredNotification, _ shownAs: (UInt32, String)?, _ transaction: Transaction
    ) throws {
        row.shownAs = shownAs
        switch row.record.state {
        case .pending:
            row.record.state = .delivered
            row.record.delivered = service.clock.now
            attempts[row.number] = nil
            try transaction.emit(NotificationDelivered(notification: row.record))
        case .delivered: break  // Published when it was shown first.
        case .scheduled, .answered, .closed, .failed: close(row)
        }
    }

    private func answered(
        _ row: inout StoredNotification, _ action: String, _ transaction: Transaction
    ) throws {
        // A button pressed twice, or one of an earlier posting.
        guard row.record.state == .delivered, row.takes(action) else { return }
        try record(&row, answer: action, text: nil, transaction)
    }

    /// Publishes the answer and closes the question on the desktop; the caller saves the row.
    func record(
        _ row: inout StoredNotification, answer: String, text: String?, _ transaction: Transaction
    ) throws {
        row.record.state = .answered
        row.record.answer = answer
        let (row, record) = (row, row.record)
        let opens = answer == NotificationAnswered.defaultAction && record.isWeeklyReport
        try transaction.emit(
            NotificationAnswered(
                identifier: record.identifier, action: answer, client: record.client, text: text,
                notification: record.client == nil ? nil : record))
        transaction.afterCommit { [weak self] in
            self?.close(row)
            if opens { self?.weekly.open(trace: TraceContext(row.trace)) }
        }
    }

    private func closed(
        _ row: inout StoredNotification, _ reason: NotificationCloseReason, _ transaction: Transaction
    ) throws {
        guard row.record.state == .delivered else {
            if reason != .lost { row.shownAs = nil }
            return
        }
        switch reason {
        case .lost: if row.record.isQuestion { lost.insert(row.key) }
        case .dismissed where row.record.details?.tellsDismissal ?? false:
            try record(&row, answer: NotificationAnswered.dismissAction, text: nil, transaction)
            row.shownAs = nil
        default:
            row.record.state = .closed
            row.shownAs = nil
        }
    }

    private func refused(_ text: String, _ reason: NotificationRefusal) {
        guard let key = NotificationKey(text: text), let number = flights[key]?.number else { return }
        var failure: String?
        var isRetried = false
        switch reason {
        case .withdrawn, .disconnected, .noDaemon: break
        case .tooManyPending: isRetried = true
        case .noAnswer:
            refusal = reason.description
            isRetried = true
        case .daemonFailed(let name, _):
            // Only the error's name: its text may repeat the person's data.
            refusal = "the notification daemon answered \(name); check its log"
            isRetried = true
            attempts[number, default: 0] += 1
            if attempts[number, default: 0] >= NotifierLimits.attemptsMax { failure = name }
        case .blankSummary, .tooLong, .tooManyActions, .blankActionKey, .discarded:
            failure = reason.description
        }
        settle(text, reason.outcome) { [unowned self] row, transaction in
            if let failure { try fail(&row, failure, transaction) }
        }
        if isRetried { retryLater() }
    }

    private func fail(
        _ row: inout StoredNotification, _ reason: String, _ transaction: Transaction
    ) throws {
        attempts[row.number] = nil
        guard row.record.state == .pending else { return }
        row.record.state = .failed
        row.failure = reason
        try transaction.emit(NotificationFailed(notification: row.record, reason: reason))
    }
}

extension NotificationRecord {
    /// Whether it waits for a button.
    var isQuestion: Bool { !actions.isEmpty && (state == .delivered || state == .pending) }
}

extension NotificationRecord {
    /// Whether it is a weekly report, written or not.
    var isWeeklyReport: Bool {
        client == nil && WeeklyReport.identifiers(of: member).contains(identifier)
    }
}

extension NotificationRefusal {
    /// A stable name for spans.
    var outcome: String {
        switch self {
        case .blankSummary: "blank_summary"
        case .tooLong: "too_long"
        case .tooManyActions: "too_many_actions"
        case .blankActionKey: "blank_action_key"
        case .tooManyPending: "too_many_pending"
        case .disconnected: "disconnected"
        case .noDaemon: "no_daemon"
        case .noAnswer: "no_answer"
        case .withdrawn: "withdrawn"
        case .discarded: "discarded"
        case .daemonFailed: "daemon_failed"
        }
    }
}
