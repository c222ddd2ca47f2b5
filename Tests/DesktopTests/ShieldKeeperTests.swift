import Bus
import Contract
import Glibc
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing

@testable import DesktopCore

/// What is frozen after the record of an earlier agent was read late, because shield-service was away.
@Suite @LoopActor struct ShieldKeeperTests {
    /// A daemon of the app that the earlier agent had frozen: nothing else shows that it belongs to the app.
    @Test func whatIsKnownOnlyFromALateRecordIsFrozenToo() async throws {
        let desktop = try TestDesktop()
        let (window, terminal) = try desktop.openTerminal("Alpha", watchedBy: try Watch(desktop))
        let daemon = try Child(["sleep", "1000"])
        let left = try identity(of: daemon)
        kill(daemon.pid, SIGSTOP)
        let room = try Room(desktop)
        let app = try #require(room.presence.app(of: window))
        room.frozen = [
            Freeze(
                agent: "here/:9", app: app.id,
                processes: [
                    FrozenProcess(
                        pid: Int64(left.pid), startTime: Int64(left.startTime_ticks),
                        bootID: ObservationClock.readBootID())
                ])
        ]
        let judgement = ShieldJudgement(subject: app.judgedName, known: true, shield: app.judgedName)
        room.keeper.apply(ShieldJudgements([ShieldJudge.Result(judgements: [judgement])]), [:])
        try await room.comes("nothing is frozen before") {
            room.keeper.problems.runningOn.contains { $0.contains("is not known yet") }
        }
        room.listFrozen()
        try await room.record.recover(within: 60_000)
        #expect(state(left) != "T" && room.record.recovery.thawed == [app.id: [left]])
        try await room.comes("the windows' process is frozen") { try state(identity(of: terminal)) == "T" }
        #expect(state(left) != "T", "nobody has said whose it is")
        room.keeper.adopt(room.record.recovery.thawed)
        try await room.comes("the daemon is frozen") { state(left) == "T" }
        #expect(room.recorded[app.id]?.contains(left.pid) == true)
        _ = room.keeper.close()
        #expect(state(left) != "T")
        room.close()
    }

    /// An agent's parts beside its keeper, and shield-service as far as they need it.
    @LoopActor private final class Room {
        let record: FreezeRecord
        let presence: Presence
        let keeper: ShieldKeeper
        var frozen: [Freeze] = []
        /// The pids of each app as they were recorded last.
        private(set) var recorded: [String: [Int32]] = [:]
        private let server: RequestServer
        private let clients: [RequestClient]
        private let sender: ObservationSender
        private let guardSocket: GuardSocket

        init(_ desktop: TestDesktop) throws {
            let place = desktop.scratch.path
            let configuration = try Configuration(environment: [
                "SCREENTIME_RUNTIME_DIR": place + "/run", "SCREENTIME_STATE_DIR": place + "/state",
                "SCREENTIME_LOG_LEVEL": "error", "HOME": place,
            ])
            try configuration.prepareDirectories(of: .shield)
            let (runtime, tracer) = (configuration.runtime, Tracer(service: "test"))
            let log = try Log(name: "agent", directory: configuration.logDirectory, level: .error)
            server = try RequestServer(.shield, in: runtime, tracer: tracer)
            let shield = try RequestClient(to: .shield, in: runtime, tracer: tracer)
            let activity = try RequestClient(to: .activity, in: runtime, tracer: tracer)
            clients = [shield, activity]
            sender = ObservationSender(activity, device: "here", log: log)
            record = FreezeRecord(shield, host: "here", display: desktop.display)
            presence = Presence(
                resolver: AppResolver(cgroups: CgroupTree(), reading: { [] }), sender: sender,
                tracer: tracer, pauses: try SystemClock(of: configuration.stateDirectory),
                idleThreshold: 60_000)
            let session = try X11Session(display: desktop.display)
            guardSocket = try GuardSocket(log: log)
            let covers = Covers(CoverStarter(runtime, log: log), log: log) { nil }
            keeper = ShieldKeeper(
                session, tree: ProcessTree(), presence: presence, record: record,
                protection: ProtectionSource(session, runtime: runtime, sessionBusAddress: nil),
                guardSocket: guardSocket, covers: covers, released: [:], member: "somebody", tracer: tracer,
                log: log)
            server.answer(ShieldFreeze.self) { [unowned self] params, _, reply in
                recorded[params.app] = params.processes.map { Int32($0.pid) }
                reply.succeed(Written(sequence: 1))
            }
        }

        /// Answers `shield.frozen` from now on.
        func listFrozen() {
            server.answer(ShieldFrozen.self) { [unowned self] _, _, reply in
                reply.succeed(ShieldFrozen.Result(freezes: frozen))
            }
        }

        /// Suspends until something is true at the end of a turn.
        func comes(_ what: String, _ isTrue: @escaping @LoopActor () throws -> Bool) async throws {
            let expectation = ScreenTimeTesting.Expectation<Void>(what)
            let token = EventLoop.main.atEndOfTurn {
                do { if try isTrue() { expectation.fulfil(()) } } catch { expectation.fail(error) }
            }
            defer { EventLoop.main.forget(token) }
            try await expectation.wait()
        }

        func close() {
            presence.end()
            guardSocket.end()
            sender.close()
            clients.forEach { $0.close() }
            server.close()
        }
    }
}
