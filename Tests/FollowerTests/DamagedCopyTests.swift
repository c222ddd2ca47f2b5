import Contract
import Loop
import Testing

@testable import ReportCore
@testable import ServiceKit
@testable import Store

/// A record of the installed extension programs that cannot be read any more.
@Suite @LoopActor struct DamagedCopyTests {
    private static func damage(_ service: Service) throws {
        try service.database.run("INSERT INTO extension_copy (id, body) VALUES ('org.example.report', '{')")
    }

    @Test func aStartNamesTheTable() throws {
        let configuration = try TestDirectory().configuration()
        let core = try ReportService(configuration)
        try Self.damage(core.service)
        core.service.close()
        let error = #expect(throws: ServiceError.self) { _ = try ReportService(configuration) }
        #expect(error?.name == .storageDamaged)
        #expect(error?.message.contains("extension_copy") == true, "\(String(describing: error))")
    }

    @Test func aRepairRemovesIt() throws {
        let core = try ReportService(try TestDirectory().configuration())
        try core.start()
        try Self.damage(core.service)
        let reset = try #require(core.service.followers[.monitor]?.following.reset)
        try core.service.transact(trace: nil) { try reset($0) }
        core.service.endTurn()
        #expect(try core.service.database.integer("SELECT count(*) FROM extension_copy") == 0)
        core.service.close()
    }
}
