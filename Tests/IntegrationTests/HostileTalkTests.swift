import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// A program that sends too much, at once or over time, affects nobody; one that sends much survives.
@Suite struct HostileTalkTests {
    /// It never pauses: its host checks its budget anyway, and serves others.
    @Test(arguments: ConfinementTests.bubblewraps)
    func whoNeverPausesDoesNotStarveItsHost(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundle = try #require(try await world.startUnruly(["talkative"]).first)
            let recorder = try world.record(.monitor)
            try await bundle.begin()
            try await world.eventually("it talks") { bundle.printed.contains("talkative attempt 1") }
            for _ in 0..<5 { _ = try await bundle.record }
            let told = try await recorder.first(ExtensionOverBudget.self) { $0.id == bundle.id }
            #expect(told.what == .processor || told.what == .time)
        }
    }

    /// Its texts are stored, published and shown, shortened to a readable length.
    @Test func longWordsAreCut() async throws {
        try await World.with([]) { world in
            let bundle = try #require(try await world.startUnruly(["wordy"]).first)
            let recorder = try world.record(.monitor)
            try await bundle.begin()
            #expect(try await world.delivered([bundle], recorder)[bundle.id]?.attempt == 2)
            let reason = try #require(world.reasons()[bundle.id])
            #expect(reason.contains("xxx") && reason.utf8.count < 2 * Limits.textBytesMax)
        }
    }

    /// More answers than the host keeps for a program that does not read are no fault of it: the host reads
    /// on when they are read.
    @Test func whoAsksMuchBeforeItReadsIsAnswered() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await UnrulyBundle(world, "eager", callbackSeconds: 120, processorSeconds: 60)
            let recorder = try world.record(.monitor)
            try await bundle.begin()
            #expect(try await world.delivered([bundle], recorder)[bundle.id]?.attempt == 1)
            #expect(bundle.printed.contains("eager answered 12000"), "\(world.reasons())")
        }
    }

    /// A class is `Module.Class`, and nothing that only ends like it.
    @Test(arguments: [
        "\u{1b}[2J.UnrulyFixture", "a b.UnrulyFixture", ".UnrulyFixture", "one.two.UnrulyFixture",
        String(repeating: "m", count: 4_000) + ".UnrulyFixture", "\u{202e}unruly.UnrulyFixture",
        "unruly'; rm.UnrulyFixture",
    ])
    func aClassHasAPlainName(principal: String) async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let path = "\(world.directory)/bundles/org.example.class.monitor"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try principal.write(toFile: path + "/Principal", atomically: true, encoding: .utf8)
            let error = await #expect(throws: ServiceError.self) { try await UnrulyBundle(world, "class") }
            #expect(error?.name == .invalidArgument && (error?.message.utf8.count ?? .max) < 1_024)
            #expect(error?.message.contains("principal class") == true, "\(error?.message ?? "")")
        }
    }
}
