import Bus
import Contract
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing

@testable import DesktopCore

/// What the agent knows of the covers that stand.
@Suite @LoopActor struct CoversTests {
    /// A program that starts as another ends gets the ids of its windows.
    @Test func aLateAnswerAboutAnEarlierWindowSaysNothingOfTheNext() async throws {
        let desktop = try TestDesktop()
        let room = try await Room(desktop)
        let about = CoveredWindow(window: 7, app: "alpha", name: "Alpha", subject: "alpha")
        let first = Task { @LoopActor in await room.covers.cover([about], trace: nil) }
        try await room.comes("the first window is covered") { room.shown.count == 1 }
        room.covers.uncover([7])
        let second = Task { @LoopActor in await room.covers.cover([about], trace: nil) }
        try await room.comes("the second, too") { room.shown.count == 2 }
        room.shown[0].fail(ServiceError(.notFound, "there is no window 7", remedy: ""))
        room.shown[1].succeed(CoverShow.Result(visible: true))
        try await room.comes("it stands") { room.covers.isCovered(7) }
        room.covers.uncover([7])
        try await room.comes("it is removed") { room.hidden == [7, 7] }
        await first.value
        await second.value
        room.close()
    }

    /// As the 193rd window of an app. It is tried again.
    @Test func aCoverThatIsRefusedIsMissing() async throws {
        let desktop = try TestDesktop()
        let room = try await Room(desktop)
        let about = CoveredWindow(window: 7, app: "alpha", name: "Alpha", subject: "alpha")
        let wait = Task { @LoopActor in await room.covers.cover([about], trace: nil) }
        try await room.comes("the request") { room.shown.count == 1 }
        room.shown[0].fail(ServiceError(.limitExceeded, "192 covers stand, which is the most", remedy: ""))
        await wait.value
        #expect(room.covers.problems == ["windows of shielded apps without a cover: 1"])
        try await room.comes("another request") { room.shown.count == 2 }
        room.shown[1].succeed(CoverShow.Result(visible: true))
        try await room.comes("it stands") { room.covers.isCovered(7) }
        #expect(room.covers.problems == [])
        room.close()
    }

    /// shield-cover as a process, and what it answers as the test wants.
    @LoopActor private final class Room {
        let covers: Covers
        private(set) var shown: [TypedReply<CoverShow>] = []
        private(set) var hidden: [Int64] = []
        private let server: RequestServer
        private let process: Child

        init(_ desktop: TestDesktop) async throws {
            let place = desktop.scratch.path
            let variables = [
                "SCREENTIME_RUNTIME_DIR": place + "/run", "SCREENTIME_STATE_DIR": place + "/state",
                "SCREENTIME_LOG_LEVEL": "error", "HOME": place,
            ]
            let configuration = try Configuration(environment: variables)
            try configuration.prepareDirectories(of: .shield)
            let (runtime, tracer) = (configuration.runtime, Tracer(service: "test"))
            let log = try Log(name: "agent", directory: configuration.logDirectory, level: .error)
            server = try RequestServer(named: "covers", in: runtime, tracer: tracer)
            let program = DetachedProcess.path(of: AgentName.shieldCover)
            process = try Child([program], environment: desktop.environment.merging(variables) { $1 })
            _ = try eventually("shield-cover") { LockHolder(of: AgentName.shieldCover, in: runtime) }
            covers = Covers(CoverStarter(runtime, log: log), log: log) {
                // Without it nothing comes, which the test tells.
                try? RequestClient(toNamed: "covers", in: runtime, tracer: tracer)
            }
            server.answer(CoverShow.self) { [unowned self] _, _, reply in shown.append(reply) }
            server.answer(CoverHide.self) { [unowned self] params, _, reply in
                hidden.append(params.window)
                reply.succeed(CoverHide.Result(wasCovered: true))
            }
            server.answer(CoverList.self) { _, _, reply in reply.succeed(CoverList.Result(covers: [])) }
            server.answer(CoverPresses.self) { _, _, _ in }
            await covers.adopt()
        }

        /// Suspends until something is true at the end of a turn.
        func comes(_ what: String, _ isTrue: @escaping @LoopActor () -> Bool) async throws {
            let expectation = ScreenTimeTesting.Expectation<Void>(what)
            let token = EventLoop.main.atEndOfTurn { if isTrue() { expectation.fulfil(()) } }
            defer { EventLoop.main.forget(token) }
            try await expectation.wait()
        }

        func close() {
            covers.close()
            server.close()
        }
    }
}
