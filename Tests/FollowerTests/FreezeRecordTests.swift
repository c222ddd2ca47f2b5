import Bus
import Contract
import Foundation
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
        let owner = try Owner()
        owner.frozen = [
            Freeze(agent: "here/:1", app: "chess", processes: [FrozenProcess(pid: 4, bootID: "another boot")])
        ]
        let record = FreezeRecord(owner.client, host: "here", display: ":1")
        let app = ShieldedApp("chess", roots: [])
        let process = ProcessIdentity(pid: 4, startTime_ticks: 5)
        // shield-service does not answer yet.
        await #expect(throws: ServiceError.self) { try await record.recover(within: 50) }
        await #expect(throws: ServiceError.self) { try await record.set(app, [process], trace: nil) }
        // Nothing to record is no leave to stop what comes meanwhile.
        await #expect(throws: ServiceError.self) { try await record.set(app, [], trace: nil) }
        #expect(owner.taken.isEmpty)
        owner.listFrozen()
        try await record.recover(within: 60_000)
        try await record.set(app, [process], trace: nil)
        #expect(owner.taken.map { $0.map(\.pid) } == [[], [4]])
        owner.close()
    }

    /// A record that shield-service refuses to clear keeps this agent from nothing.
    @Test func aRecordThatCannotBeClearedIsLeft() async throws {
        let owner = try Owner()
        owner.frozen = [
            Freeze(agent: "here/:1", app: "chess", processes: [FrozenProcess(pid: 4, bootID: "another boot")])
        ]
        owner.listFrozen()
        owner.recordsMax = 0
        owner.refusal = ServiceError(.invalidParams, "'agent' has invisible characters", remedy: "")
        let record = FreezeRecord(owner.client, host: "here", display: ":1")
        try await record.recover(within: 60_000)
        #expect(record.isRecovered)
        #expect(record.recovery.uncleared.mapValues(\.name) == ["chess": .invalidParams])
        owner.close()
    }

    /// Its host was renamed, or its store comes from another machine.
    @Test func whatIsRecordedUnderAnotherHostsNameIsThawedAndCleared() async throws {
        let owner = try Owner()
        let program = try Process.run(URL(fileURLWithPath: "/bin/sleep"), arguments: ["1000"])
        defer { program.terminate() }
        let process = try #require(ProcessIdentity(livingPid: program.processIdentifier))
        let living = FrozenProcess(
            pid: Int64(process.pid), startTime: Int64(process.startTime_ticks),
            bootID: ObservationClock.readBootID())
        owner.frozen = [
            Freeze(agent: "before/:0", app: "chess", processes: [living]),
            Freeze(
                agent: "elsewhere/:0", app: "go", processes: [FrozenProcess(pid: 4, bootID: "another boot")]),
        ]
        owner.listFrozen()
        let record = FreezeRecord(owner.client, host: "here", display: ":1")
        try await record.recover(within: 60_000)
        #expect(owner.taken == [[], []])
        #expect(record.recovery.thawed == ["chess": [process]])
        owner.close()
    }

    /// shield-service, as far as an agent's record needs it.
    @LoopActor private final class Owner {
        private(set) var taken: [[FrozenProcess]] = []
        var answers = true
        /// How many records are stored; more are refused.
        var recordsMax = Int.max
        var refusal = ServiceError(.storageFull, "the disk is full", remedy: "")
        var frozen: [Freeze] = []
        let client: RequestClient
        private let server: RequestServer
        private let directory: TestDirectory

        init() throws {
            directory = try TestDirectory()
            let configuration = try directory.configuration()
            try configuration.prepareDirectories(of: .shield)
            let tracer = Tracer(service: "test")
            server = try RequestServer(.shield, in: configuration.runtime, tracer: tracer)
            client = try RequestClient(to: .shield, in: configuration.runtime, tracer: tracer)
            server.answer(ShieldFreeze.self) { [unowned self] params, _, reply in
                taken.append(params.processes)
                guard taken.count <= recordsMax else {
                    return reply.fail(refusal)
                }
                if answers { reply.succeed(Written(sequence: 1)) }
            }
        }

        /// Answers `shield.frozen` from now on.
        func listFrozen() {
            server.answer(ShieldFrozen.self) { [unowned self] _, _, reply in
                reply.succeed(ShieldFrozen.Result(freezes: frozen))
            }
        }

        func close() {
            client.close()
            server.close()
        }
    }

    /// Otherwise shield-service would name a frozen app for ever.
    @Test func whatWasRecordedWithoutAnAnswerIsCleared() async throws {
        let owner = try Owner()
        owner.answers = false
        owner.listFrozen()
        let record = FreezeRecord(owner.client, host: "here", display: ":1")
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
        owner.close()
    }

    /// The first attempt ends between two apps; the second is told only of the rest.
    @Test func whatAFailedAttemptThawedIsNotForgotten() async throws {
        let owner = try Owner()
        let programs = try (0..<2).map { _ in
            try Process.run(URL(fileURLWithPath: "/bin/sleep"), arguments: ["1000"])
        }
        defer { programs.forEach { $0.terminate() } }
        let processes = try programs.map {
            try #require(ProcessIdentity(livingPid: $0.processIdentifier))
        }
        owner.frozen = zip(["chess", "go"], processes).map { app, process in
            Freeze(
                agent: "here/:9", app: app,
                processes: [
                    FrozenProcess(
                        pid: Int64(process.pid), startTime: Int64(process.startTime_ticks),
                        bootID: ObservationClock.readBootID())
                ])
        }
        owner.listFrozen()
        owner.recordsMax = 1
        let record = FreezeRecord(owner.client, host: "here", display: ":1")
        await #expect(throws: ServiceError.self) { try await record.recover(within: 60_000) }
        #expect(!record.isRecovered && owner.taken.count == 2)
        owner.frozen.removeFirst()
        owner.recordsMax = .max
        try await record.recover(within: 60_000)
        #expect(record.isRecovered)
        #expect(record.recovery.thawed == ["chess": [processes[0]], "go": [processes[1]]])
        owner.close()
    }
}
