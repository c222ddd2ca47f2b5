import CPosix
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import DesktopCore

/// How the start of a program is noticed.
@Suite @LoopActor struct StartWatchTests {
    @Test func theStartOfAWatchedProgramIsReported() async throws {
        let scratch = try ScratchDirectory()
        let (game, other) = (scratch.path + "/game", scratch.path + "/other")
        for copy in [game, other] { #expect(try Child(["cp", "/bin/true", copy]).wait() == 0) }
        var count = 0
        let started = ScreenTimeTesting.Expectation<Void>("a start")
        let watch = StartWatch {
            count += 1
            started.fulfil(())
        }
        watch.set([game, scratch.path + "/missing"])
        #expect(try Child([other]).wait() == 0)
        #expect(count == 0)
        #expect(try Child([game]).wait() == 0)
        try await started.wait()
        #expect(count == 1)
        watch.close()
    }

    @Test func aNameIsLookedUpInThePath() {
        #expect(StartWatch.path(of: "/opt/game") == "/opt/game")
        #expect(StartWatch.path(of: "sh")?.hasSuffix("/sh") == true)
        #expect(StartWatch.path(of: "no such program") == nil)
    }
}
