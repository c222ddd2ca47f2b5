import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// An event of a service's log that cannot be read.
@Suite(.serialized) @LoopActor struct UnreadableEventTests {
    /// auth-service with three members in its log; the event about the second cannot be read.
    private static func damaged(_ service: Service) throws -> Int64 {
        try service.transact(trace: nil) { transaction in
            for id in ["a", "b", "c"] {
                try transaction.emit(MemberChanged(member: Member(id: id, name: id, role: .child)))
            }
        }
        service.endTurn()
        let sequence = service.head - 1
        try service.transact(trace: nil) {
            try $0.database.run(
                "UPDATE event SET body = CAST('{\"' AS BLOB) WHERE sequence = ?1", sequence)
        }
        service.endTurn()
        return sequence
    }

    private static func members(_ service: Service) throws -> [String] {
        try service.database.query("SELECT id FROM household_copy WHERE kind = 'member' ORDER BY id") {
            $0.text(0)
        }
    }

    @Test func followersPassIt() async throws {
        let configuration = try TestDirectory().configuration()
        let auth = try AuthService(configuration)
        try auth.start()
        let sequence = try Self.damaged(auth.service)
        let before = try auth.service.database.first(
            "SELECT type, previous, time_ms FROM event WHERE sequence = ?1", sequence
        ) { ($0.text(0), $0.int64(1), $0.instant(2)) }
        let (type, previous, time) = try #require(before)
        let notifier = try NotifierService(configuration)
        try notifier.start()
        try await untilTurn("the later event arrives") {
            try Self.members(notifier.service).contains("c")
        }
        #expect(try Self.members(notifier.service).filter { $0.count == 1 } == ["a", "c"])
        #expect(try UnreadableRowTests.setAside(auth.service) == ["event"])
        #expect(UnreadableRowTests.isReported(auth.service))
        let stored = try #require(
            try auth.service.eventLog.read(after: sequence - 1, limit: 1).first)
        let event = try AnyEvent.decode(stored.body)
        var expected = EventHead()
        expected.type = type
        expected.source = auth.service.source
        expected.id = String(sequence)
        expected.time = UTCTime.text(time)
        expected.sequence = SequenceText(sequence)
        expected.previous = SequenceText(previous)
        expected.traceparent = event.head.traceparent
        expected.run = auth.service.eventLog.run
        #expect(event.head.encoded() == expected.encoded())
        #expect(TraceContext(event.head.traceparent) != nil)
        #expect(event.data == nil || event.data == RawJSON())
        notifier.service.close()
        auth.service.close()
    }

    @Test func forgettingErasesIt() async throws {
        let run = try CoreRun(WriteCase.auth)
        let service = try #require(run.service)
        let sequence = try Self.damaged(service)
        let answer = await run.ask(Call("privacy.forget", #"{"kind":"app","subject":"mail"}"#))
        #expect(answer.contains(#"{"name":"events","count":1}"#), "\(answer)")
        let read = await run.ask(Call("events.read", #"{"after":\#(sequence - 1)}"#))
        #expect(!read.hasPrefix("error"), "\(read)")
        #expect(try UnreadableRowTests.setAside(service).isEmpty)
        #expect(service.healthReport().notActing == nil)
        run.close()
    }
}
