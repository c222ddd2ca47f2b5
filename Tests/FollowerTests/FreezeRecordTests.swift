import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import DesktopCore
@testable import ServiceKit

/// What an agent records in shield-service before it freezes.
@Suite @LoopActor struct FreezeRecordTests {
    /// Otherwise it would replace the only list of what its predecessor stopped.
    @Test func nothingIsRecordedBeforeThePredecessorsRecordIsRead() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        try configuration.prepareDirectories(of: .shield)
        let tracer = Tracer(service: "test")
        let server = try RequestServer(.shield, in: configuration.runtime, tracer: tracer)
        let client = try RequestClient(to: .shield, in: configuration.runtime, tracer: tracer)
        let owner = Owner()
        owner.frozen = [
            Freeze(agent: "here/:1", app: "chess", processes: [FrozenProcess(pid: 4, bootID: "another boot")])
        ]
        server.answer(ShieldFreeze.self) { params, _, reply in
            owner.taken.append(params.processes)
            reply.succeed(Written(sequence: 1))
        }
        let record = FreezeRecord(client, host: "here", display: ":1")
        let app = ShieldedApp("chess", roots: [])
        let process = ProcessIdentity(pid: 4, startTime_ticks: 5)
        // shield-service does not answer yet.
        await #expect(throws: ServiceError.self) { try await record.recover(within: 50) }
        await #expect(throws: ServiceError.self) { try await record.set(app, [process], trace: nil) }
        #expect(owner.taken.isEmpty)
        server.answer(ShieldFrozen.self) { _, _, reply in
            reply.succeed(ShieldFrozen.Result(freezes: owner.frozen))
        }
        try await record.recover(within: 60_000)
        try await record.set(app, [process], trace: nil)
        #expect(owner.taken.map { $0.map(\.pid) } == [[], [4]])
        client.close()
        server.close()
    }

    @LoopActor private final class Owner {
        var taken: [[FrozenProcess]] = []
        var answers = false
        var frozen: [Freeze] = []
    }

    /// Otherwise shield-service would name a frozen app for ever.
    @Test func whatWasRecordedWithoutAnAnswerIsCleared() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        try configuration.prepareDirectories(of: .shield)
        let tracer = Tracer(service: "test")
        let server = try RequestServer(.shield, in: configuration.runtime, tracer: tracer)
        let client = try RequestClient(to: .shield, in: configuration.runtime, tracer: tracer)
        let owner = Owner()
        server.answer(ShieldFreeze.self) { params, _, reply in
            owner.taken.append(params.processes)
            if owner.answers { reply.succeed(Written(sequence: 1)) }
        }
        server.answer(ShieldFrozen.self) { _, _, reply in
            reply.succeed(ShieldFrozen.Result(freezes: owner.frozen))
        }
        let record = FreezeRecord(client, host: "here", display: ":1")
        try await record.recover(within: 60_000)
        let app = ShieldedApp("chess", roots: [])
        let process = ProcessIdentity(pid: 4, startTime_ticks: 5)
        await #expect(throws: ServiceError.self) {
            try await record.set(app, [process], trace: nil, within: 50)
        }
        #expect(owner.taken.last?.map(\.pid) == [4])
        owner.answers = true
        try await record.set(app, [], trace: nil)
        #expect(owner.taken.last == [], "it was carried out although nobody was told")
        let count = owner.taken.count
        try await record.set(app, [], trace: nil)
        #expect(owner.taken.count == count, "it is known to be empty")
        client.close()
        server.close()
    }
}
