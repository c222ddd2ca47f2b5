import Contract
import Loop
import Testing

@testable import MonitorCore
@testable import ReportCore
@testable import ServiceKit
@testable import Store

/// A record of the installed extension programs that cannot be read any more.
@Suite @LoopActor struct DamagedCopyTests {
    private static let program = ExtensionRecord(
        id: "org.example.report", client: "org.example.c", point: .report, path: "/nowhere",
        executable: "/nowhere/program")

    /// monitor-runner, which has the program.
    private static func monitor(_ configuration: Configuration) throws -> MonitorService {
        let monitor = try MonitorService(configuration)
        try monitor.start()
        try monitor.service.transact(trace: nil) {
            try $0.database.run(
                "INSERT INTO extension (id, body) VALUES (?1, ?2)", program.id, program.encoded())
            try $0.emit(ExtensionInstalled(program: program))
        }
        monitor.service.endTurn()
        monitor.place(program)
        return monitor
    }

    private static func damage(_ service: Service) throws {
        try service.database.run("INSERT INTO extension_copy (id, body) VALUES ('org.example.report', '{')")
    }

    /// monitor-runner has it, too.
    @Test func itIsAskedForAgain() async throws {
        let configuration = try TestDirectory().configuration()
        let monitor = try Self.monitor(configuration)
        var core = try ReportService(configuration)
        try core.start()
        func isKnown() throws -> Bool {
            try core.service.database.integer(
                "SELECT count(*) FROM extension_copy WHERE CAST(body AS TEXT) LIKE '%/nowhere/program%'") == 1
        }
        try await untilTurn("it is known") { try isKnown() }
        try core.service.database.run("UPDATE extension_copy SET body = CAST('{' AS BLOB)")
        core.service.close()
        core = try ReportService(configuration)
        try core.start()
        #expect(try Settings(core.service.database).get("complete.monitor-runner") != nil)
        try await untilTurn("it is known again") { try isKnown() }
        #expect(core.service.healthReport().notActing == nil)
        core.service.close()
        monitor.service.close()
    }

    @Test func aRepairRemovesItTheSecondTime() async throws {
        let core = try ReportService(try TestDirectory().configuration())
        try core.start()
        try Self.damage(core.service)
        let reset = try #require(core.service.followers[.monitor]?.following.reset)
        #expect(throws: ServiceError.self) { try core.service.transact(trace: nil) { try reset($0) } }
        core.service.endTurn()
        try await untilTurn("it is asked for again") {
            core.service.followers[.monitor]?.applied.isRebuilding == true
        }
        try core.service.transact(trace: nil) { try reset($0) }
        core.service.endTurn()
        #expect(try core.service.database.integer("SELECT count(*) FROM extension_copy") == 0)
        core.service.close()
    }

    @Test func aRemovedExtensionWhoseCopyCannotBeReadIsNotHosted() async throws {
        let configuration = try TestDirectory().configuration()
        let monitor = try Self.monitor(configuration)
        let core = try ReportService(configuration)
        try core.start()
        func isHosted() -> Bool { core.renderer.programs.program(of: Self.program.client, .report) != nil }
        try await untilTurn("it is hosted") { isHosted() }
        try core.service.database.run(
            "UPDATE extension_copy SET body = CAST('{' AS BLOB) WHERE id = ?1", Self.program.id)
        try monitor.service.transact(trace: nil) { _ = try monitor.remove(Self.program.id, $0) }
        monitor.service.endTurn()
        try await untilTurn("it is retired") { !isHosted() }
        #expect(try UnreadableRowTests.setAside(core.service).isEmpty)
        core.service.close()
        monitor.service.close()
    }
}
