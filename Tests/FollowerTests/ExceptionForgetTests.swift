import Contract
import JSON
import Loop
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore
@testable import Store

/// An exception in effect stays; a reason that names what is forgotten does not.
@Suite(.serialized) @LoopActor struct ExceptionForgetTests {
    private static let secret = "org.example.zork"

    private static func log(_ home: ExceptionTests.Home) throws -> [String] {
        try home.core.service.eventLog.page(after: 0, types: [], limit: 1_000).events.map {
            String(decoding: try AnyEvent.decode($0.body).encoded(), as: UTF8.self)
        }
    }

    private static func rows(_ home: ExceptionTests.Home) throws -> [String] {
        try home.core.service.database.query("SELECT body FROM exception ORDER BY id") {
            String(decoding: $0.bytes(0), as: UTF8.self)
        }
    }

    @Test func theReasonGoesFromTheEventAndFromTheRow() async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        try await home.shieldApps(["chess", "go"])
        try await home.approve("r1", .app, "chess", reason: "It is no Zork at all.")
        try await home.approve("r2", .app, "go", reason: "homework")
        try await home.approve("r3", .app, "go", reason: "zork again")
        _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r3"))
        #expect(try Self.log(home).joined().lowercased().contains("zork"))
        let result = try await home.client.call(
            PrivacyForget.self, PrivacyForget.Params(kind: .app, subject: Self.secret))
        #expect(result.removed.first { $0.name == "reasons of exceptions" }?.count == 1)
        #expect(result.left.isEmpty)
        let log = try Self.log(home)
        #expect(!log.joined().lowercased().contains("zork"), "\(log)")
        #expect(log.contains { $0.contains("homework") })
        let rows = try Self.rows(home)
        #expect(rows.count == 2 && rows.last?.contains("homework") == true, "\(rows)")
        #expect(!rows.joined().lowercased().contains("zork"), "\(rows)")
        #expect(home.core.exceptions.inEffect.map(\.reason) == [nil, "homework"])
        try home.restart()
        #expect(home.core.exceptions.inEffect.map(\.reason) == [nil, "homework"])
        #expect(try await home.judge(["chess", "go"]) == ["-", "-"])
        home.pass(.minutes(15))
        #expect(try await home.judge(["chess", "go"]) == ["chess", "go"])
        #expect(try !Self.log(home).joined().lowercased().contains("zork"))
    }
}
