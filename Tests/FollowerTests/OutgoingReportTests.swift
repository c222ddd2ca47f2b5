import Bus
import Contract
import class Foundation.FileManager
import Glibc
import Loop
import Schedules
import ScreenTimeTesting
import Testing
import Units

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

        func set(_ address: String) throws {
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

    /// report-service refuses, and so does the daemon: what must wait for the daemon is not over.
    @Test func aReportThatWaitsForOthersStaysReported() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let reports = try Service(.report, configuration: configuration, migrations: [])
        try reports.start(
            answering: { reports in
                reports.read(ReportQuery.self) { _, _ in
                    throw ServiceError(.unavailable, "not now", remedy: "Wait.")
                }
            }, following: { _ in })
        let desktop = DirectedDesktop()
        let notifier = try desktop.notifier(configuration)
        let weekly = notifier.deliverer.weekly
        var retries = 0
        let flush = weekly.onRetry
        weekly.onRetry = {
            retries += 1
            return flush()
        }
        desktop.refusal = .noAnswer(afterMilliseconds: 1)
        let person = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        _ = try await person.call(
            NotificationPost.self, NotificationPost.Params(identifier: "n", title: "N"))
        try await untilTurn("the daemon refuses") { notifier.deliverer.trouble != nil }
        var record = NotificationRecord(identifier: "week")
        record.details = NotificationDetails(weeklyReport: true)
        weekly.write(StoredNotification(number: 1, record: record, trace: ""), trace: .root()) { _ in }
        try await untilTurn("it fails") { notifier.service.degradedBy("weekly report") != nil }
        try await untilTurn("it is tried again") {
            let isReported = notifier.service.degradedBy("weekly report") != nil
            #expect(isReported, "after \(retries) retries")
            return retries > 2 || !isReported
        }
        person.close()
        notifier.service.close()
        reports.close()
    }
}
