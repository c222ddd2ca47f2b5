import Contract
import Glibc
import Loop
import ServiceKit
import Store
import Units

/// Sends weekly reports through the channels that are switched on, and again until they arrive.
@LoopActor final class Outbox {
    private let service: Service
    let table: ChannelTable
    private var timer: (token: TimerToken, due: Instant)?
    /// Nil also if the program could not be started, until that is told.
    private var run: ChildRun?
    private var isSending = false
    private var isStopped = false

    init(_ service: Service) {
        self.service = service
        table = ChannelTable(database: service.database)
    }

    /// Whether any channel is switched on.
    func isUsed() throws(StoreError) -> Bool { try !table.all().isEmpty }

    // MARK: methods

    /// - Returns: the key of a webhook that was switched on now, or got another key.
    func set(_ params: ChannelSet.Params, _ transaction: Transaction) throws -> String? {
        try ChannelCheck.check(params)
        transaction.afterCommit { [weak self] in self?.poll() }
        guard let address = params.address else {
            try table.remove(params.kind)
            return nil
        }
        let former = try table.find(params.kind)
        var channel = former ?? StoredChannel(kind: params.kind)
        if channel.address != address {
            // Whoever had the earlier address must not sign for this one, and nothing was sent to it.
            channel = StoredChannel(kind: params.kind, address: address)
        }
        if params.kind == .webhook {
            // A damaged one signs nothing.
            let kept = channel.secret.flatMap { Webhook.key($0) == nil ? nil : $0 }
            channel.secret = params.secret ?? kept ?? Webhook.freshSecret()
        }
        try table.set(channel)
        // The address may have been what was wrong.
        try table.hurry(params.kind, at: service.clock.now)
        return channel.secret == former?.secret ? nil : channel.secret
    }

    func list() throws(StoreError) -> [Channel] {
        let rows = try table.waiting()
        return try table.all().map { channel in
            let own = rows.filter { $0.kind == channel.kind }
            return Channel(
                kind: channel.kind, address: channel.address, delivered: channel.delivered,
                waiting: Int64(own.count), problem: channel.problem, next: own.map(\.due).min())
        }
    }

    // MARK: sending

    /// Adds a report for each channel.
    func add(_ report: OutgoingReport, _ transaction: Transaction) throws {
        let rows = try table.waiting()
        for channel in try table.all() {
            for number in Self.givingWay(to: report, on: channel.kind, among: rows) {
                try table.remove(number)
            }
            try table.add(report, to: channel.kind, at: service.clock.now)
        }
        transaction.afterCommit { [weak self] in self?.poll() }
    }

    /// Numbers of the rows, in any order, that leave the queue when `report` comes: the oldest about the same
    /// member, since a newer week says more.
    nonisolated static func givingWay(
        to report: OutgoingReport, on kind: ChannelKind, among rows: [OutgoingRow]
    ) -> [Int64] {
        let own = rows.filter { $0.kind == kind && $0.report.member == report.member }
        return own.map(\.number).sorted().dropLast(NotifierLimits.outgoingMax - 1)
    }

    /// Sends what is due, one at a time.
    func poll() {
        guard !isSending, !isStopped else { return }
        arm(nil)
        do {
            let rows = try table.waiting()
            reportTrouble(try table.all(), rows)
            guard let first = rows.first else { return }
            guard first.due <= service.clock.now else { return arm(first.due) }
            guard let channel = try table.find(first.kind) else {
                return service.log.error("a report waits for a channel that is switched off")
            }
            send(first, through: channel)
        } catch {
            service.noteDamage(error)
            service.log.error("reading the outgoing reports failed", [("error", .name(of: error))])
            arm(service.clock.now + NotifierLimits.pause)
        }
    }

    func stop() {
        isStopped = true
        arm(nil)
        run?.stop()
    }

    private func send(_ row: OutgoingRow, through channel: StoredChannel) {
        let span = service.tracer.start("report.send", .internal, parent: nil)
        guard let (words, input) = Self.command(row, channel, service.configuration, at: service.clock.now)
        else {
            isSending = true
            service.tracer.end(span, outcome: "failed", subject: row.kind.rawValue)
            return service.loop.inNextTurn { [weak self] in
                self?.sent(row, channel, "the key of its signatures is damaged; set the webhook again")
            }
        }
        isSending = true
        run = ChildRun(
            words, environment: Configuration.processEnvironment, input: Array(input.utf8),
            outputBytesMax: NotifierLimits.programOutputMax, time: NotifierLimits.program
        ) { [weak self, service] outcome in
            let problem = Self.problem(outcome, words[0], row.kind)
            service.tracer.end(span, outcome: problem == nil ? "ok" : "failed", subject: row.kind.rawValue)
            self?.sent(row, channel, problem)
        }
    }

    /// What the clock must wait for, as a sentence.
    var unfinished: [String] { isSending ? ["a weekly report is being sent"] : [] }

    /// The program, its arguments, and what it reads; nil without a key to sign with.
    private static func command(
        _ row: OutgoingRow, _ channel: StoredChannel, _ configuration: Configuration, at now: Instant
    ) -> (words: [String], input: String)? {
        switch channel.kind {
        case .email:
            let message = MailMessage.text(
                to: channel.address, subject: row.report.title, body: row.report.body, id: row.id,
                host: hostName, at: row.made)
            return ([configuration.sendmail, "-i", "--", channel.address], message)
        case .webhook:
            let body = Webhook.body(row.report, at: row.made)
            let seconds = now.sinceEpoch.count / 1_000
            guard let key = channel.secret.flatMap(Webhook.key) else { return nil }
            let signature = Webhook.signature(key, id: row.id, seconds: seconds, body: body)
            let input = Webhook.configuration(
                url: channel.address, id: row.id, seconds: seconds, signature: signature, body: body)
            return ([configuration.curl] + Webhook.options, input)
        }
    }

    /// Why a program did not do what it should, a sentence; nil if it did.
    private static func problem(
        _ outcome: ChildRun.Outcome, _ program: String, _ kind: ChannelKind
    ) -> String? {
        // A server that has taken it may send a long answer, or a slow one.
        if kind == .webhook, let status = Webhook.status(outcome.output) {
            return (200..<300).contains(status) ? nil : "the server answered \(status)"
        }
        let name = program.split(separator: "/").last.map(String.init) ?? program
        let said = String(decoding: outcome.errors.prefix(300), as: UTF8.self)
            .split(separator: "\n").first.map { ": " + VisibleText.escaped(String($0)) } ?? ""
        switch outcome.end {
        case .status(0): return kind == .email ? nil : "\(name) ended without an answer"
        case .status(let code): return "\(name) ended with \(code)\(said)"
        case .stopped: return "\(name) took more than \(NotifierLimits.program / Milliseconds.second) s"
        case .tooLong: return "\(name) printed too much"
        case .notStarted(let code):
            return "\(program) cannot be started: \(String(cString: strerror(code)))"
        }
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func sent(_ row: OutgoingRow, _ used: StoredChannel, _ problem: String?) {
        (run, isSending) = (nil, false)
        guard !isStopped else { return }
        if let problem {
            service.log.warning(
                "a weekly report was not sent",
                [("channel", .text(row.kind.rawValue)), ("reason", .text(problem))])
        }
        do { try service.transact(trace: nil) { try record(row, used, problem, $0) } } catch {
            // It is sent once more.
            service.log.error("recording that a report was sent failed", [("error", .name(of: error))])
            arm(service.clock.now + NotifierLimits.pause)
        }
    }

    /// - Parameter used: the channel as it was when the report was sent through it.
    private func record(
        _ row: OutgoingRow, _ used: StoredChannel, _ problem: String?, _ transaction: Transaction
    ) throws {
        transaction.afterCommit { [weak self] in self?.poll() }
        transaction.onUndo { [weak self] in
            guard let self else { return }
            arm(service.clock.now + NotifierLimits.pause)
        }
        // Its channel was switched off meanwhile, or a newer week took its place.
        guard try table.waiting().contains(where: { $0.number == row.number }) else { return }
        if let present = try table.find(row.kind), Self.isOther(present, than: used, problem) { return }
        let now = service.clock.now
        let isOver = now - row.made >= NotifierLimits.outgoingAge
        if problem == nil || isOver {
            try table.remove(row.number)
        } else {
            let pause = NotifierLimits.outgoingPause * (1 << min(row.attempts, 10))
            try table.retry(row.number, at: now + min(pause, NotifierLimits.outgoingPauseMax))
        }
        guard var channel = try table.find(row.kind) else { return }
        if let problem {
            channel.problem = problem
        } else {
            channel.delivered = now
            // What is wrong with one is told until that one is sent.
            if try !table.waiting().contains(where: { $0.kind == row.kind && $0.hasFailed }) {
                channel.problem = nil
            }
            // The channel works again.
            try table.hurry(row.kind, at: now)
        }
        try table.set(channel)
    }

    /// Whether a result says nothing about the channel, because it was set meanwhile. Then the report is sent
    /// through what it is now.
    private static func isOther(
        _ present: StoredChannel, than used: StoredChannel, _ problem: String?
    ) -> Bool {
        present.address != used.address || problem != nil && present.secret != used.secret
    }

    private func reportTrouble(_ channels: [StoredChannel], _ rows: [OutgoingRow]) {
        let failing = rows.first(where: \.hasFailed).map { row in
            let problem = channels.first { $0.kind == row.kind }?.problem.map { ": \($0)" }
            return "a weekly report was not sent by \(row.kind.rawValue)\(problem ?? "")"
        }
        service.setDegraded("channels", failing)
    }

    private func arm(_ due: Instant?) {
        guard timer?.due != due else { return }
        if let timer { service.clock.cancel(timer.token) }
        timer = due.map { due in (service.clock.at(due) { [weak self] in self?.poll() }, due) }
    }
}
