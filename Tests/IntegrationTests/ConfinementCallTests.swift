import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// Calls that Landlock knows nothing of, and that would change the host or other processes of the same user:
/// each is refused, with bubblewrap and without.
@Suite struct ConfinementCallTests {
    private static let behaviours = [
        "modes", "owners", "times", "attributes", "truncation", "neighbours", "messages",
        "channels", "own-tables", "waits", "user-counts", "machine-counts",
    ]

    @Test(arguments: ConfinementTests.bubblewraps)
    func whatWouldChangeTheHostIsRefused(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundles = try await world.startUnruly(Self.behaviours)
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            _ = try await world.delivered(bundles, recorder)
            for bundle in bundles {
                let printed = bundle.printed.dropFirst()
                let done = printed.filter { $0.hasSuffix(" done") }
                #expect(done == [])
                #expect(printed.count > 1 && !printed.contains { $0.hasSuffix(" absent") })
                #expect(world.readText(bundle.path + "/Info.plist").contains(bundle.id))
            }
            var status = stat()
            // The group's bits show what the access list of root's programs lets them: to pass, no more.
            #expect(stat(world.directory + "/state", &status) == 0)
            #expect([0o700, 0o710].contains(status.st_mode & 0o777))
        }
    }

    /// The replacements of calls that may block forever have the same effect.
    @Test(arguments: ConfinementTests.bubblewraps)
    func locksAndCopiesWorkAsUsual(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundles = try await world.startUnruly(["lawful-waits"])
            let recorder = try world.record(.monitor)
            try await bundles[0].begin()
            _ = try await world.delivered(bundles, recorder)
            let printed = bundles[0].printed.dropFirst()
            #expect(printed.count == 14 && printed.allSatisfy { $0.hasSuffix(" done") }, "\(printed)")
        }
    }

    /// Also of root: a program has no capability, gains none, and is not root where nothing else keeps it.
    @Test(arguments: ConfinementTests.bubblewraps)
    func noProgramHasRightsOfRoot(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundles = try await world.startUnruly(["rights", "threads"])
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            _ = try await world.delivered(bundles, recorder)
            let confinement = try await bundles[0].record?.confinement ?? []
            let printed = Array(bundles[0].printed.dropFirst())
            let nothing = String(repeating: "0", count: 16)
            for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
                #expect(printed.contains("\(set): \(nothing)"))
            }
            #expect(printed.contains("NoNewPrivs: 1"))
            if getuid() == 0, !confinement.contains("bubblewrap") {
                #expect(printed.first == "user 65529 65529 65529 65529 0")
            } else {
                #expect(printed.first?.hasPrefix("user \(getuid()) \(getuid()) ") == true)
            }
            #expect(
                bundles[1].printed.dropFirst() == [
                    "own thread done", "own process done", "one that waits done", "one that runs done",
                ])
            #expect(printed.contains { $0.hasPrefix("Max stack size 8388608 8388608 ") }, "\(printed)")
            // For a user without other processes; since Linux 5.14 a user in its own namespace is one.
            if getuid() == 0 || confinement.contains("bubblewrap") {
                let most = confinement.contains("bubblewrap") ? 272 : 4_096
                #expect(printed.contains { $0.hasPrefix("Max processes \(most) \(most) ") }, "\(printed)")
            }
        }
    }

    /// A program that is not built in is not run with Landlock and seccomp alone unless the person allowed
    /// it.
    @Test func withoutBubblewrapAProgramNeedsThePersonsLeave() async throws {
        let environment = ["SCREENTIME_BUBBLEWRAP": "/nonexistent/bwrap", "SCREENTIME_TEST_PROGRAMS": "0"]
        try await World.with([], environment: environment) { world in
            try await world.startMonitoring()
            let refused = await #expect(throws: ServiceError.self) {
                try await UnrulyBundle(world, "quiet")
            }
            #expect(refused?.name == .accessDenied)
            let path = "\(world.directory)/bundles/org.example.quiet.monitor"
            let words = "extension install '\(path)' --client org.example.quiet --without-bubblewrap"
            #expect(refused?.message.contains("screentime \(words)") == true)
            // The built-in one runs without it.
            let builtIn = try await world.call(ExtensionList.self, Nothing()).extensions
            #expect(builtIn.contains { $0.client == BuiltInClient.limits && $0.withoutBubblewrap == true })
            let allowed = try await world.screentime(
                "extension", "install", path, "--client", "org.example.quiet", "--without-bubblewrap")
            #expect(allowed.status == 0)
            let shown = try await world.screentime("extension", "show", "org.example.quiet.monitor")
            #expect(shown.lines.contains("allowed      without bubblewrap"))
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"], client: "org.example.quiet", activity: "quiet")
            _ = try await recorder.first(CallbackDelivered.self)
            // Installed again without the word, it is not started any more.
            let again = try await world.screentime(
                "extension", "install", path, "--client", "org.example.quiet")
            #expect(again.status != 0)
            // One that was installed where bubblewrap worked is refused where it does not.
            _ = try await world.process("monitor-runner").stop()
            try await world.start("monitor-runner", environment: ["SCREENTIME_TEST_PROGRAMS": "1"])
            _ = try await UnrulyBundle(world, "spin")
            _ = try await world.process("monitor-runner").stop()
            try await world.start("monitor-runner")
            let run = try await world.screentime(
                "extension", "run-once", "org.example.spin.monitor", "intervalDidStart")
            #expect(run.lines.contains { $0.contains("--without-bubblewrap") }, "\(run.lines)")
        }
    }
}
