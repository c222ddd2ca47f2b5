import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// What an extension may not do is refused to it, by bubblewrap, Landlock and seccomp together, and by the
/// latter two alone.
@Suite struct ConfinementTests {
    static let bubblewraps = ["/usr/bin/bwrap", "/nonexistent/bwrap"]
    private static let outside = [
        "fork", "network", "files", "signals", "processes", "descriptors", "allocate",
    ]

    @Test(arguments: bubblewraps)
    func nothingOutsideIsInReach(bubblewrap: String) async throws {
        let environment = ["SCREENTIME_BUBBLEWRAP": bubblewrap]
        try await World.with([], environment: environment) { world in
            let bundles = try await world.startUnruly(Self.outside)
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            let delivered = try await world.delivered(bundles, recorder)
            #expect(delivered.values.allSatisfy { $0.attempt == 1 })
            let printed = Dictionary(bundles.map { ($0.behaviour, Array($0.printed.dropFirst())) }) { $1 }
            #expect(printed["fork"] == ["fork EPERM", "spawn EPERM"])
            #expect(printed["network"] == ["tcp EPERM", "udp EPERM", "local EPERM"])
            #expect(printed["signals"]?.allSatisfy { $0 != "signal done" } == true)
            #expect(
                printed["processes"]?.contains { $0 == "processes readable 0" || $0.contains("E") } == true)
            // The last one keeps the rule for its own directory in /proc; see landlock.c.
            #expect(printed["descriptors"] == ["descriptors 0 1 2 3 4 10 11 12 13 14 15 16 17"])
            #expect(printed["allocate"] == ["allocate refused"])
            let files = printed["files"] ?? []
            #expect(files.filter { $0.hasSuffix(" done") } == ["write own done", "write temporary done"])
            #expect(files.count == 7)
            #expect(access(world.directory + "/state/written", F_OK) != 0)
            #expect(access("/tmp/unruly-temporary", F_OK) != 0)
            let record = try await bundles[0].record
            let confinement = record?.confinement ?? []
            #expect(confinement.contains("seccomp"))
            let isAround = bubblewrap == "/usr/bin/bwrap" && access(bubblewrap, X_OK) == 0
            let missing = record?.unconfined?.contains { $0.hasPrefix("bubblewrap:") } == true
            #expect(confinement.contains("bubblewrap") != missing)
            if !isAround { #expect(missing) }
            let doctor = try await world.screentime("doctor")
            #expect(doctor.lines.contains { $0.contains("confinement: extensions are confined by") })
            #expect(missing == doctor.lines.contains { $0.contains("extensions run without bubblewrap") })
        }
    }

    @Test(arguments: bubblewraps)
    func whatTakesTooMuchIsEndedAndSaid(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let kinds: [(String, ExtensionOverBudget.What)] = [
                ("spin", .processor), ("touch", .memory), ("hang", .time), ("disk", .disk),
            ]
            let bundles = try await world.startUnruly(kinds.map(\.0))
            let good = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            try await world.publish(["intervalDidStart:"], client: good.client)
            let delivered = try await world.delivered(bundles, recorder)
            for bundle in bundles { #expect(delivered[bundle.id]?.attempt == 2, "\(bundle.behaviour)") }
            let told = try recorder.all(ExtensionOverBudget.self)
            for (behaviour, what) in kinds {
                let event = told.first { $0.client == "org.example.\(behaviour)" }
                #expect(event?.what == what && event?.callback == "intervalDidStart")
                #expect((event?.measured ?? 0) >= (event?.limit ?? .max))
            }
            let memory = try #require(told.first { $0.what == .memory })
            // Looked at every tenth of a second, and below the ceiling in any case.
            #expect(memory.limit == 32 << 20 && memory.measured < 400 << 20)
            let other = try recorder.all(CallbackDelivered.self).first { $0.delivery.program == good.id }
            #expect(other?.delivery.attempt == 1)
            #expect(try await world.health(.monitor).state == .ready)
        }
    }

    @Test(arguments: bubblewraps)
    func aProgramThatLiesHarmsNobody(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let expected = [
                "garbage": "protocol", "endless": "CallbackSeconds", "close": "it closed its connection",
                "abort": "signal 6", "trap": "error of the program",
            ]
            let bundles = try await world.startUnruly(
                expected.keys.sorted() + ["requests", "flood"], with: ["auth-service", "shield-service"])
            let good = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            try await world.publish(["intervalDidStart:"], client: good.client)
            let delivered = try await world.delivered(bundles.filter { $0.behaviour != "flood" }, recorder)
            let reasons = world.reasons()
            for (behaviour, reason) in expected {
                let id = "org.example.\(behaviour).monitor"
                #expect(reasons[id]?.contains(reason) == true, "\(behaviour): \(reasons[id] ?? "none")")
                #expect(delivered[id]?.attempt == 2)
            }
            #expect(delivered["org.example.requests.monitor"]?.attempt == 1)
            let asked = bundles.first { $0.behaviour == "requests" }
            #expect(asked?.printed.contains("requests refused true") == true)
            let other = try recorder.all(CallbackDelivered.self).first { $0.delivery.program == good.id }
            #expect(other?.delivery.attempt == 1)
            // The flood is made to wait, runs out of time, and fills no disk.
            let flood = try #require(bundles.first { $0.behaviour == "flood" })
            _ = try await recorder.first(ExtensionOverBudget.self) { $0.id == flood.id }
            let names = [flood.id + ".log", flood.id + ".log.1"]
            let bytes = names.map { world.readText("\(world.directory)/state/logs/\($0)").utf8.count }
                .reduce(0, +)
            #expect(bytes > 0 && bytes < 9 << 20)
        }
    }

    /// The confinement may fail later than when it was tried: then its message is the reason.
    @Test func whatCannotBeStartedSaysWhy() async throws {
        try await World.with([]) { world in
            let path = world.directory + "/bwrap"
            let words = """
                #!/bin/sh
                case "$*" in *--probe*) echo "landlock 1"; exit 0;; esac
                echo "no namespaces are left" >&2
                exit 1
                """
            try words.write(toFile: path, atomically: true, encoding: .utf8)
            chmod(path, 0o755)
            world.environment["SCREENTIME_BUBBLEWRAP"] = path
            try await world.start("monitor-runner")
            let error = await #expect(throws: ServiceError.self) {
                try await UnrulyBundle(world, "quiet")
            }
            #expect(error?.message.contains("could not be started: no namespaces are left") == true)
        }
    }

    /// A process that is not needed any more is ended; the next callback starts another.
    @Test func anIdleProgramIsEndedAndStartedAgain() async throws {
        try await World.with([], environment: ["SCREENTIME_EXTENSION_IDLE_MS": "1"]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            for number in 1...2 {
                try await world.publish(["intervalDidStart:"], activity: "a\(number)")
                _ = try await recorder.wait(for: "delivery \(number)") {
                    try $0.all(CallbackDelivered.self).count == number ? true : nil
                }
                _ = try await world.eventually(ExtensionList.self, Nothing()) { list in
                    list.extensions.contains { $0.id == bundle.id && !$0.running }
                }
            }
            let record = try await world.call(ExtensionList.self, Nothing()).extensions.first {
                $0.id == bundle.id
            }
            #expect(record?.running == false && record?.starts == 2 && record?.failures == 0)
        }
    }
}
