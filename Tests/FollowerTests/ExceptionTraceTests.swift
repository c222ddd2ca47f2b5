import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit
@testable import ShieldCore

/// From a request for more time to its exception and its end, through auth-service and shield-service.
@Suite(.serialized) @LoopActor struct ExceptionTraceTests {
    private static let app = "org.example.game"

    /// auth-service, and shield-service with a shielded app, on one clock.
    @LoopActor private final class Home {
        let room: RequestRoom
        let shield: ShieldService
        let client: RequestClient
        /// auth-service from a second place.
        let other: RequestClient

        init() async throws {
            room = try await RequestRoom()
            shield = try ShieldService(room.configuration, clock: room.clock)
            try shield.start()
            let runtime = room.configuration.runtime
            client = try RequestClient(to: .shield, in: runtime, tracer: Tracer(service: "test"))
            other = try RequestClient(to: .auth, in: runtime, tracer: Tracer(service: "test"))
            let apps = Setting(key: "shield.applications", value: [.string(app)])
            _ = try await client.call(
                SettingsWrite.self,
                SettingsWrite.Params(member: RequestRoom.anna, store: "test", settings: [apps]))
        }

        func close() {
            [client, other].forEach { $0.close() }
            shield.service.close()
            room.close()
        }

        func isShielded() async throws -> Bool {
            let params = ShieldJudge.Params(member: RequestRoom.anna, apps: [app])
            return try await client.call(ShieldJudge.self, params).judgements.first?.shield != nil
        }

        /// Waits until shield-service has applied everything that auth-service committed.
        func applied() async throws {
            try await untilTurn("shield-service has applied it") { [self] in
                shield.service.followers[.auth]?.reached == room.auth.service.head
                    && !shield.service.hasUncommitted
            }
        }

        /// Type and trace id of what shield-service told about exceptions and shields.
        func told() throws -> [(type: String, trace: String)] {
            let types = [
                ExceptionBegan.type, ExceptionEnded.type, ShieldLifted.type, ShieldApplied.type,
            ]
            return try shield.service.eventLog.page(after: 0, types: types, limit: 1_000).events.map {
                let head = try AnyEvent.decode($0.body).head
                return (head.type, TraceContext(head.traceparent)?.traceID ?? "")
            }
        }
    }

    @Test func oneTraceLeadsFromTheDecisionToTheLiftedShield() async throws {
        let home = try await Home()
        let asked = try await home.room.ask(Self.app, minutes: 15)
        #expect(try await home.isShielded())
        let trace = TraceContext.root()
        _ = try await home.room.client.call(
            RequestDecide.self, RequestDecide.Params(id: asked.id, decision: .approve),
            options: CallOptions(deadline: 20_000, trace: trace))
        try await home.applied()
        #expect(try await !home.isShielded())
        var told = try home.told().dropFirst()
        #expect(told.map(\.type) == [ExceptionBegan.type, ShieldLifted.type])
        #expect(told.allSatisfy { $0.trace == trace.traceID })
        home.room.move(by: .minutes(15) - 1)
        home.shield.service.endTurn()
        #expect(try await !home.isShielded())
        home.room.move(by: 1)
        home.shield.service.endTurn()
        #expect(try await home.isShielded())
        told = try home.told().dropFirst(3)
        #expect(told.map(\.type) == [ExceptionEnded.type, ShieldApplied.type])
        home.close()
    }

    /// One decision stays, and one exception follows, of its length.
    @Test func decisionsFromTwoPlacesAtOnceBeginOneException() async throws {
        let home = try await Home()
        for round in 0..<8 {
            let asked = try await home.room.ask(Self.app, minutes: 30)
            let first = RequestDecide.Params(id: asked.id, decision: .approve, minutes: 5)
            var second = RequestDecide.Params(id: asked.id, decision: .approve, minutes: 10)
            if round % 2 == 0 { second = RequestDecide.Params(id: asked.id, decision: .deny) }
            async let here = home.room.refusal(RequestDecide.self, first)
            async let there = Self.refusal(home.other, second)
            let refusals = await [here, there]
            #expect(refusals.count { $0 == nil } == 1, "\(refusals)")
            #expect(refusals.compactMap { $0 }.map(\.name) == [.conflict])
            try await home.applied()
            let decided = try #require(try home.room.now(asked))
            let present = try await home.client.call(ExceptionList.self, ExceptionList.Params()).exceptions
            #expect(present.map(\.end) == (decided.end.map { [$0] } ?? []), "\(decided)")
            #expect(try await home.isShielded() == (decided.state == .denied))
            home.room.move(by: .minutes(10))
            home.shield.service.endTurn()
            #expect(try await home.isShielded())
        }
        home.close()
    }

    private static func refusal(
        _ client: RequestClient, _ params: RequestDecide.Params
    ) async -> ServiceError? {
        do {
            _ = try await client.call(
                RequestDecide.self, params, options: CallOptions(deadline: 20_000))
            return nil
        } catch { return ServiceError(anything: error) }
    }
}
