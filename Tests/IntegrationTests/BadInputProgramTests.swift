import ScreenTimeTesting
import Testing

/// Invalid input, sent by a foreign program to every real service.
@Suite struct BadInputProgramTests {
    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason))
    func everyServiceAnswersOrDropsCountsLogsOnceAndLives() async throws {
        try await World.with(environment: ["SCREENTIME_LOG_LEVEL": "info"]) { world in
            let program = try world.launchPython(
                "bad-input", "ForeignClient/bad_input.py",
                [ForeignPrograms.document, world.runtime.path, world.directory + "/state/logs"]
                    + World.allServices)
            let status = try await program.exit(deadline: 180_000)
            #expect(status == 0, "\(world.errors(of: "bad-input"))\n\(program.lines)")
            #expect(program.lines.count == World.allServices.count)
            for service in World.allServices {
                #expect(try world.process(service).status == nil, "\(service) ended")
            }
        }
    }
}
