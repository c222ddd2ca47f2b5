import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

@testable import MonitorCore
@testable import ServiceKit

/// The extensions that monitor-runner lists equal those in its store.
@Suite(.serialized) @LoopActor struct InstalledRecordsTests {
    private static let id = "org.example.app.shield"

    private static func record(_ path: String) -> ExtensionRecord {
        ExtensionRecord(
            id: id, client: "org.example.app", point: .shieldConfiguration, path: path,
            executable: path + "/x")
    }

    private func paths(_ core: MonitorService) throws -> [String] {
        let stored = try core.service.database.first(
            "SELECT body FROM extension WHERE id = ?1", Self.id, row: { $0.bytes(0) })
        return [
            try ExtensionRecord.decode(try #require(stored)).path,
            try #require(core.records.first { $0.id == Self.id }).path,
        ]
    }

    /// A host reports the state of a copy while another one is installed in the same turn.
    @Test(arguments: [true, false]) func aNoteTakesNoInstallBack(isFirst: Bool) throws {
        let run = try CoreRun(.monitor)
        defer { run.close() }
        let core = try #require(run.core as? MonitorService)
        var state = Self.record("/nowhere")
        (state.starts, state.lastError) = (7, "it ended")
        func note() throws {
            _ = try core.service.transact(trace: nil) { try core.note(.init(state: state), $0) }
        }
        if isFirst { try note() }
        _ = try core.service.transact(trace: nil) { try core.store(Self.record("/new"), $0) }
        if !isFirst { try note() }
        core.service.endTurn()
        #expect(try paths(core) == ["/new", "/new"])
        #expect(core.records.first { $0.id == Self.id }?.lastError == nil, "it is said of the former copy")
        // Of the present one it is taken.
        state.path = "/new"
        try note()
        core.service.endTurn()
        #expect(core.records.first { $0.id == Self.id }?.lastError == "it ended")
        #expect(try paths(core) == ["/new", "/new"])
    }
}
