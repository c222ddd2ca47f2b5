import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// How executables refuse to start: with a sentence and an exit code, before anything is touched.
@Suite struct ServiceStartTests {
    @Test func argumentsAreRefused() async throws {
        try await World.with([]) { world in
            for service in ServiceName.startOrder {
                for word in ["--help", "--version", "start"] {
                    let name = "\(service.rawValue)\(word)"
                    let (status, lines) = try await world.run(
                        name, ["\(World.products)/\(service.rawValue)", word])
                    #expect(status == 78 && lines.isEmpty, "\(service.rawValue) \(word)")
                    #expect(world.errors(of: name).contains("unknown argument '\(word)'"))
                }
            }
        }
    }

    /// Swift's pool has a thread that wakes once a second for good: what takes long has a thread that ends.
    @Test func aServiceThatRestsHasNoThreadOfAPool() async throws {
        try await World.with { world in
            let made = try await world.command("backup", "\(world.directory)/backup")
            #expect(made.status == 0, "\(made)")
            #expect(try await world.command("doctor", "--deep").status >= 0)
            for service in ServiceName.allCases {
                let tasks = "/proc/\(try world.process(service.rawValue).pid)/task"
                @LoopActor func threads() throws -> [String] {
                    try FileManager.default.contentsOfDirectory(atPath: tasks)
                        .map { world.readText("\(tasks)/\($0)/comm").trimmingCharacters(in: .newlines) }
                        .filter { !$0.isEmpty && !$0.hasPrefix("ZMQbg/") }
                }
                try await world.eventually("one thread of \(service.rawValue): \(try threads())") {
                    try threads().count == 1
                }
            }
        }
    }
}
