import Contract
import ExtensionLink
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ReportCore
@testable import ServiceKit

/// Reports that are drawn again while somebody shows them.
@Suite @LoopActor struct ReportRendererTests {
    /// A service in which a report extension is installed.
    private static func service() throws -> (Service, ExtensionRecord) {
        // The directory is removed with the process.
        let configuration = try TestDirectory().configuration()
        let service = try Service(
            .report, configuration: configuration, migrations: ReportService.migrations)
        try service.start(answering: { _ in }, following: { _ in })
        let program = ExtensionRecord(
            id: "org.example.report", client: "org.example.c", point: .report, path: "/nowhere",
            executable: "/nowhere/program")
        try service.database.run("CREATE TABLE extension_copy (id TEXT PRIMARY KEY, body BLOB NOT NULL)")
        try service.database.run(
            "INSERT INTO extension_copy (id, body) VALUES (?1, ?2)", program.id, program.encoded())
        service.endTurn()
        return (service, program)
    }

    /// A year of two devices is more than a message.
    @Test func dataThatIsLargeComesInParts() async throws {
        let (service, program) = try Self.service()
        let days = (0..<5_000 as Range<Int64>).map { day in
            ReportActivitySegment(
                dateInterval: Interval(
                    start: Instant(milliseconds: day), end: Instant(milliseconds: day + 1)),
                totalActivity: Milliseconds(day))
        }
        let whole = ["laptop", "phone"].map { name in
            ReportActivity(device: ReportActivityDevice(name: name, model: "mac"), activitySegments: days)
        }
        let runner = DirectedRunner()
        var sent: [DirectedProgram.Sent] = []
        runner.takes = { program, request in
            sent.append(request)
            let page = ReportMake.Result(html: "<html><body><p>drawn</p></body></html>", text: "drawn")
            let isLast = request.method == ReportMake.name
            EventLoop.main.inNextTurn {
                program.answer(.success(isLast ? RawJSON(encoding: page) : RawJSON(encoding: Nothing())))
            }
        }
        let renderer = try ReportRenderer(service, runner)
        renderer.query = { _ in ReportQuery.Result(activity: whole) }
        let params = ReportRender.Params(client: program.client, context: "All", filter: ReportQuery.Params())
        #expect(try await renderer.render(params, .root()).text.hasSuffix("drawn"))
        #expect(sent.count > 3 && sent.dropLast().allSatisfy { $0.method == ReportData.name })
        #expect(sent.allSatisfy { $0.params.bytes.count < Wire.messageBytesMax / 2 })
        let last = try ReportMake.Params.decode(try #require(sent.last).params.bytes)
        let parts = try sent.dropLast().map { try ReportData.Params.decode($0.params.bytes) }
        #expect(last.parts == Int64(parts.count) && Set(parts.map { Optional($0.report) }) == [last.report])
        let pieces = try (parts.flatMap(\.data) + last.data).map { try ReportActivity.decode($0.bytes) }
        for activity in whole {
            let own = pieces.filter { $0.device == activity.device }
            #expect(own.flatMap { $0.activitySegments } == activity.activitySegments)
        }
        renderer.stop()
        service.close()
    }

    /// Otherwise the page would stay as it was until the next use.
    @Test(arguments: [(1, 0), (3, 0), (0, 1), (0, 2)])
    func aChangeWhoseCommitOrDrawingFailedIsToldLater(failures: Int, failedDrawings: Int) async throws {
        let (service, program) = try Self.service()
        let runner = DirectedRunner()
        runner.takes = { program, _ in
            let number = program.sent.count
            let text = number == 1 ? "first" : "second"
            let page = ReportMake.Result(html: "<html><body><p>\(text)</p></body></html>", text: text)
            let error = ServiceError(.internalError, "it cannot draw now", remedy: "")
            let fails = (2..<2 + failedDrawings).contains(number)
            EventLoop.main.inNextTurn {
                program.answer(fails ? .failure(error) : .success(RawJSON(encoding: page)))
            }
        }
        let renderer = try ReportRenderer(service, runner)
        let params = ReportRender.Params(client: program.client, context: "All", filter: ReportQuery.Params())
        let before = try await renderer.render(params, .root())
        let faults = CommitFaults(service.database)
        faults.failsCommit = { faults.failures < failures }
        renderer.changed(member: service.member(nil))
        try await untilTurn("the change is told") { service.head > 0 }
        #expect(faults.failures >= failures)
        let event = try #require(try service.eventLog.read(after: 0, limit: 10).last)
        #expect(event.type == ReportRendered.type)
        let after = try await renderer.render(params, .root())
        #expect(after.etag != before.etag)
        #expect(String(decoding: event.body, as: UTF8.self).contains("\"\(after.etag)\""))
        renderer.stop()
        service.close()
    }

    /// One that fails waits longer and longer; the other is drawn as soon as ever.
    @Test func oneThatFailsDelaysNoOther() async throws {
        let (service, program) = try Self.service()
        let runner = DirectedRunner()
        var drawn: [String] = []
        runner.takes = { program, sent in
            let isGood = String(decoding: sent.params.bytes, as: UTF8.self).contains(#""Good""#)
            drawn.append(isGood ? "good" : "bad")
            let page = ReportMake.Result(html: "<html><body></body></html>", text: "\(drawn.count)")
            let error = ServiceError(.internalError, "it cannot draw now", remedy: "")
            let fails = !isGood && drawn.count > 2
            EventLoop.main.inNextTurn {
                program.answer(fails ? .failure(error) : .success(RawJSON(encoding: page)))
            }
        }
        let renderer = try ReportRenderer(service, runner)
        for context in ["Bad", "Good"] {
            _ = try await renderer.render(
                ReportRender.Params(client: program.client, context: context, filter: ReportQuery.Params()),
                .root())
        }
        func times(_ word: String) -> Int { drawn.count { $0 == word } }
        for round in 1...20 where times("good") < times("bad") + 2 {
            renderer.changed(member: service.member(nil))
            try await untilTurn("the good one is told again") {
                service.head == round && !service.hasUncommitted
            }
        }
        #expect(times("good") == times("bad") + 2, "\(drawn)")
        renderer.stop()
        service.close()
    }

    /// A program that always fails is not started every second.
    @Test func aDrawingThatFailsAgainIsTriedMoreRarely() async throws {
        let (service, program) = try Self.service()
        let runner = DirectedRunner()
        var asked: [Milliseconds] = []
        runner.takes = { program, _ in
            asked.append(service.loop.now)
            let page = ReportMake.Result(html: "<html><body></body></html>", text: "\(asked.count)")
            let error = ServiceError(.internalError, "it cannot draw now", remedy: "")
            let fails = (2...3).contains(asked.count)
            EventLoop.main.inNextTurn {
                program.answer(fails ? .failure(error) : .success(RawJSON(encoding: page)))
            }
        }
        let renderer = try ReportRenderer(service, runner)
        let params = ReportRender.Params(client: program.client, context: "All", filter: ReportQuery.Params())
        _ = try await renderer.render(params, .root())
        let began = service.loop.now
        renderer.changed(member: service.member(nil))
        try await untilTurn("the change is told") { service.head > 0 && !service.hasUncommitted }
        let pauses = zip([began] + asked.dropFirst(), asked.dropFirst()).map { $1 - $0 }
        #expect(pauses.count == 3)
        for (number, pause) in pauses.enumerated() {
            #expect(pause >= ReportLimits.redraw * (1 << number), "\(pauses)")
        }
        renderer.stop()
        service.close()
    }
}
