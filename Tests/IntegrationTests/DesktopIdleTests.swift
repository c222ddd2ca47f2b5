import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// The desktop agent while nothing happens in its session.
@Suite struct DesktopIdleTests {
    /// Five hundred take longer than any pause between two readings would.
    @Test(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"), .needsForkReports)
    func forksOfOtherProgramsDoNotWakeTheAgent() async throws {
        try await World.withDesktop(["auth-service", "activity-center", "shield-service"]) { world in
            let tasks = "/proc/\(try world.process("desktop-agent").pid)/task"
            @LoopActor func wakeUps() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: tasks)
                    .flatMap { world.readText("\(tasks)/\($0)/status").split(separator: "\n") }
                    .filter { $0.hasPrefix("voluntary_ctxt_switches:") }
                    .compactMap { Int($0.drop { !$0.isNumber }) }.reduce(0, +)
            }
            try await world.eventually("forks that wake nobody") {
                let before = try wakeUps()
                let line = "for i in $(seq 500); do /bin/true; done"
                let forks = try await world.run("forks", ["/bin/sh", "-c", line])
                return try forks.status == 0 && before > 0 && wakeUps() == before
            }
        }
    }
}
