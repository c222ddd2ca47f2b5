import Bus
import Contract
import class Foundation.FileManager
import Glibc
import Loop
import Schedules
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// Weekly reports on their way, in one process with programs that stand for the machine's sendmail.
@Suite @LoopActor struct OutgoingReportTests {
    /// A notifier whose sendmail notes each address in the file `sent`, and for the first one waits for a
    /// line of the gate and ends with what it says.
    @LoopActor private struct Post {
        let directory: TestDirectory
        let notifier: NotifierService
        let gate: Int32

        init() throws {
            directory = try TestDirectory()
            var configuration = try directory.configuration()
            let program = directory.path + "/sendmail"
            let script = """
                #!/bin/sh
                cd '\(directory.path)'
                cat >/dev/null
                echo "$3" >>sent
                if [ "$3" = a@example.org ]; then read code <gate; exit "$code"; fi
                """
            try script.write(toFile: program, atomically: true, encoding: .utf8)
            #expect(chmod(program, 0o700) == 0 && mkfifo(directory.path + "/gate", 0o600) == 0)
            // Open for both directions, no end waits for the other one.
            gate = open(directory.path + "/gate", O_RDWR | O_CLOEXEC)
            configuration.sendmail = program
            notifier = try NotifierService(configuration)
            try notifier.start()
        }

        /// The addresses that a report was sent to.
        var sent: [String] {
            // Before the first report there is no file.
            let text = (try? String(contentsOfFile: directory.path + "/sent", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        func set(_ address: String?) throws {
            try notifier.service.transact(trace: nil) {
                _ = try notifier.outbox.set(ChannelSet.Params(kind: .email, address: address), $0)
            }
            notifier.service.endTurn()
        }

        func add() throws {
            let week = WeekOfUse(first: LocalDate(dayNumber: 20_000), total: 1, before: nil)
            let report = OutgoingReport(week, title: "t", body: "b", member: nil)
            try notifier.service.transact(trace: nil) { try notifier.outbox.add(report, $0) }
            notifier.service.endTurn()
        }

        func end(_ code: Int) { #expect(write(gate, "\(code)\n", 2) == 2) }

        func close() {
            notifier.service.close()
            Glibc.close(gate)
        }
    }

    /// A report is under way when the person writes another address: what became of it says nothing about
    /// that one, which gets the report, too.
    @Test(arguments: [0, 1])
    func aResultOfAnEarlierAddressIsNotTakenForThePresentOne(code: Int) async throws {
        let post = try Post()
        try post.set("a@example.org")
        try post.add()
        try await untilTurn("it is under way") { post.sent == ["a@example.org"] }
        try post.set("b@example.org")
        #expect(try post.notifier.outbox.list().first?.waiting == 1)
        post.end(code)
        try await untilTurn("it is sent") {
            let channel = try post.notifier.outbox.list().first
            #expect(channel?.problem == nil)
            return channel?.waiting == 0 || channel?.problem != nil
        }
        #expect(post.sent == ["a@example.org", "b@example.org"])
        let channel = try #require(try post.notifier.outbox.list().first)
        #expect(channel.address == "b@example.org" && channel.problem == nil && channel.delivered != nil)
        post.close()
    }

    @Test func aDamagedKeyIsReplacedWhenTheWebhookIsSetAgain() throws {
        let directory = try TestDirectory()
        let notifier = try NotifierService(try directory.configuration())
        try notifier.start()
        func set() throws -> String? {
            let params = ChannelSet.Params(kind: .webhook, address: "http://127.0.0.1:9/x")
            return try notifier.service.transact(trace: nil) { try notifier.outbox.set(params, $0) }
        }
        #expect(try set() != nil)
        #expect(try set() == nil)
        var channel = try #require(try notifier.outbox.table.find(.webhook))
        channel.secret = "whsec_*"
        try notifier.service.transact(trace: nil) { _ in try notifier.outbox.table.set(channel) }
        #expect(try set().flatMap(Webhook.key) != nil)
        notifier.service.close()
    }

    /// What was under way on a channel that was switched off says nothing about the next one.
    @Test(arguments: [0, 1])
    func aResultOfAChannelThatWasSwitchedOffIsNotTakenForTheNextOne(code: Int) async throws {
        let post = try Post()
        try post.set("a@example.org")
        try post.add()
        try await untilTurn("it is under way") { post.sent == ["a@example.org"] }
        try post.set(nil)
        try post.set("a@example.org")
        post.end(code)
        try await untilTurn("it ended") { post.notifier.outbox.unfinished.isEmpty }
        let channel = try #require(try post.notifier.outbox.list().first)
        #expect(channel.problem == nil && channel.delivered == nil)
        post.close()
    }

    /// report-service refuses, and so does the daemon: what must wait for the daemon is not over, before it
    /// is withdrawn.
    @Test(arguments: [false, true])
    func aReportThatWaitsForOthersStaysReported(isWithdrawn: Bool) async throws {
        let room = try RefusedReport(daemonRefuses: true)
        try await room.post("uid-0")
        try await untilTurn("it is tried again") {
            #expect(room.isReported, "after \(room.retries) retries")
            return room.retries > 1 || !room.isReported
        }
        if isWithdrawn {
            try room.withdraw()
            try await untilTurn("it is over") { !room.isReported }
        }
        room.close()
    }

    /// There will be no use of theirs to write about.
    @Test(arguments: [false, true])
    func theReportOfARemovedMemberIsWithdrawn(isMissed: Bool) async throws {
        let room = try RefusedReport(daemonRefuses: false)
        let auth = try AuthService(room.configuration)
        try auth.start()
        let person = try RequestClient(
            to: .auth, in: room.configuration.runtime, tracer: Tracer(service: "test"))
        var add = MemberAdd.Params()
        add.name = "kid"
        let kid = try await person.call(MemberAdd.self, add).member.id
        try await untilTurn("the member is known") { room.notifier.service.household.member(kid) != nil }
        try await room.post(kid)
        if isMissed { room.notifier.service.close() }
        var remove = MemberRemove.Params()
        remove.name = "kid"
        _ = try await person.call(MemberRemove.self, remove)
        if isMissed {
            try auth.service.database.write { _ in _ = try auth.service.eventLog.trim(keepingLast: 0) }
            try room.restart()
        }
        try await untilTurn("it is withdrawn") {
            try room.notifier.table.all(.closed).map(\.record.member) == [kid]
        }
        try await untilTurn("nothing is tried any more") { !room.isReported }
        person.close()
        room.close()
        auth.service.close()
    }
}

/// A report that waits because report-service refuses.
@LoopActor private final class RefusedReport {
    let configuration: Configuration
    private(set) var notifier: NotifierService
    private(set) var retries = 0
    private let directory: TestDirectory
    private let reports: Service
    private let desktop = DirectedDesktop()
    private let daemonRefuses: Bool

    init(daemonRefuses: Bool) throws {
        self.daemonRefuses = daemonRefuses
        directory = try TestDirectory()
        configuration = try directory.configuration()
        reports = try Service(.report, configuration: configuration, migrations: [])
        try reports.start(
            answering: { reports in
                reports.read(ReportQuery.self) { _, _ in
                    throw ServiceError(.unavailable, "not now", remedy: "Wait.")
                }
            }, following: { _ in })
        notifier = try desktop.notifier(configuration)
    }

    var isReported: Bool { notifier.service.degradedBy("weekly report") != nil }

    /// Returns when it was tried and, if the daemon refuses, is held back.
    func post(_ member: String) async throws {
        let weekly = notifier.deliverer.weekly
        let flush = weekly.onRetry
        weekly.onRetry = { [unowned self] in
            retries += 1
            return flush()
        }
        var record = NotificationRecord(identifier: "week")
        record.member = member
        record.state = .pending
        record.posted = notifier.service.clock.now
        record.details = NotificationDetails(weeklyReport: true)
        try notifier.service.transact(trace: nil) { transaction in
            try notifier.table.replace(
                StoredNotification(record: record, trace: TraceContext.root().traceparent))
            transaction.afterCommit { [notifier] in notifier.deliverer.flush() }
        }
        try await untilTurn("it fails") { self.isReported }
        guard daemonRefuses else { return }
        desktop.refusal = .noAnswer(afterMilliseconds: 1)
        let person = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        _ = try await person.call(
            NotificationPost.self, NotificationPost.Params(identifier: "n", title: "N"))
        try await untilTurn("the daemon refuses") { self.notifier.deliverer.trouble != nil }
        person.close()
    }

    func withdraw() throws {
        let notifier = notifier
        let row = try #require(try notifier.table.all(.pending).first(where: \.isUnwritten))
        try notifier.service.transact(trace: nil) { try notifier.withdraw(row, $0) }
    }

    func restart() throws { notifier = try desktop.notifier(configuration) }

    func close() {
        notifier.service.close()
        reports.close()
    }
}
