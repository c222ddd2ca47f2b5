import Contract
import ExtensionLink
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import ReportCore
@testable import ServiceKit

/// Reports that are drawn again while somebody shows them.
@Suite @LoopActor struct ReportRendererTests {
    /// Otherwise the page would stay as it was until the next use.
    @Test(arguments: [(1, 0), (3, 0), (0, 1), (0, 2)])
    func aChangeWhoseCommitOrDrawingFailedIsToldLater(failures: Int, failedDrawings: Int) async throws {
        let directory = try TestDirectory()
        let service = try Service(
            .report, configuration: try directory.configuration(), migrations: ReportService.migrations)
        try service.start(answering: { _ in }, following: { _ in })
        let program = ExtensionRecord(
            id: "org.example.report", client: "org.example.c", point: .report, path: "/nowhere",
            executable: "/nowhere/program")
        try service.database.run("CREATE TABLE extension_copy (id TEXT PRIMARY KEY, body BLOB NOT NULL)")
        try service.database.run(
            "INSERT INTO extension_copy (id, body) VALUES (?1, ?2)", program.id, program.encoded())
        service.endTurn()
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
}
