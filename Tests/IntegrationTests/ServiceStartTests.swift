import Contract
import TestSupport
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
                    #expect(world.errors(of: name).contains("nothing is known of the argument '\(word)'"))
                }
            }
        }
    }
}
