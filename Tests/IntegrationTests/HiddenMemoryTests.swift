import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// Memory and disk that no list of a process's own shows: it cannot have them, or they count.
@Suite struct HiddenMemoryTests {
    private static let behaviours = [
        "memory-files", "shared-memory", "zero-device", "mapped-files", "passed-files", "preallocation",
        "large-pipes",
    ]

    @Test(arguments: ConfinementTests.bubblewraps)
    func nothingIsHeldBesideTheBudget(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            try await world.startMonitoring()
            var bundles: [UnrulyBundle] = []
            for behaviour in Self.behaviours {
                bundles.append(try await UnrulyBundle(world, behaviour, processorSeconds: 8))
            }
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            _ = try await world.delivered(bundles, recorder)
            let mapped = try await recorder.first(ExtensionOverBudget.self) {
                $0.id == "org.example.mapped-files.monitor"
            }
            #expect(mapped.what == .disk)
            for bundle in bundles where bundle.id != mapped.id {
                let held = bundle.printed.compactMap { line in
                    line.hasPrefix("holds ") ? Int(line.dropFirst(6)) : nil
                }
                // Nobody gets any of it, also programs that have no directory of their own.
                #expect(held == [0], "\(bundle.behaviour)")
            }
        }
    }

    @Test(arguments: ConfinementTests.bubblewraps)
    func threadsHaveALimit(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundle = try #require(try await world.startUnruly(["many-threads"]).first)
            let recorder = try world.record(.monitor)
            try await bundle.begin()
            let told = try await recorder.first(ExtensionOverBudget.self) { $0.id == bundle.id }
            let record = try await bundle.record
            #expect(
                told.what == .threads && told.limit == 256 && told.measured > 256,
                "\(told), \(String(describing: record)), printed \(bundle.printed)")
            try await world.eventually("it is why it ended") {
                try await bundle.record?.lastError?.contains("threadsMax") == true
            }
        }
    }

    /// No service answers it: what it asks waits with it, and does not fill what its host shares with others.
    @Test func largeRequestsWaitAtTheProgram() async throws {
        try await World.with([]) { world in
            let bundles = try await world.startUnruly(["large"])
            let recorder = try world.record(.monitor)
            try await bundles[0].begin()
            _ = try await world.delivered(bundles, recorder)
            let accepted = bundles[0].printed.compactMap { line in
                line.hasPrefix("accepted ") ? Int(line.dropFirst(9)) : nil
            }
            // Of 5 MiB one request, read-ahead, and the socket's buffer.
            #expect(accepted.count == 1 && accepted.allSatisfy { $0 <= 2 }, "\(accepted)")
        }
    }

    /// Files in memory are memory; on the disk they are not.
    @Test(arguments: ConfinementTests.bubblewraps)
    func temporaryFilesInMemoryCountAsMemory(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundle = try #require(try await world.startUnruly(["temporary-memory"]).first)
            let recorder = try world.record(.monitor)
            try await bundle.begin()
            let delivery = try await world.delivered([bundle], recorder)[bundle.id]
            if try await bundle.record?.confinement?.contains("bubblewrap") == true {
                let told = try await recorder.first(ExtensionOverBudget.self) { $0.id == bundle.id }
                #expect(told.what == .memory)
            } else {
                #expect(try recorder.all(ExtensionOverBudget.self).isEmpty && delivery?.attempt == 1)
            }
        }
    }

    /// Kernel memory that a program can use: watches of epoll and locks have limits. A process about which
    /// the kernel reports nothing does not count as using nothing.
    @Test(arguments: ConfinementTests.bubblewraps)
    func whatTheKernelKeepsForItCounts(bubblewrap: String) async throws {
        let expected: [(String, ExtensionOverBudget.What)] = [
            ("many-watches", .memory), ("many-mappings", .memory), ("many-locks", .locks),
            ("without-leader", .threads),
        ]
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let bundles = try await world.startUnruly(expected.map(\.0))
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            for (bundle, (_, what)) in zip(bundles, expected) {
                let told = try await recorder.first(ExtensionOverBudget.self) { $0.id == bundle.id }
                #expect(told.what == what, "\(bundle.behaviour)")
            }
            let reasons = ["watchesMax", "mappingsMax", "locksMax", "first thread"]
            for (bundle, reason) in zip(bundles, reasons) {
                try await world.eventually("\(reason) is why it ended") {
                    try await bundle.record?.lastError?.contains(reason) == true
                }
            }
        }
    }
}
