import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// Leftovers of a program in its directories affect nobody, and are removed with it.
@Suite struct ExtensionContainerTests {
    /// It exchanges its directories with links to a tree outside, while it is installed again, run once more
    /// and removed.
    @Test(arguments: ["/usr/bin/bwrap", "/nonexistent/bwrap"])
    func aProgramCannotLeadTheHostOutside(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let canary = world.directory + "/canary"
            for folder in 0..<10 {
                let path = "\(canary)/d\(folder)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                for file in 0..<30 {
                    try "kept".write(toFile: "\(path)/\(file)", atomically: false, encoding: .utf8)
                }
            }
            let bundle = try #require(try await world.startUnruly(["swap"]).first)
            try await bundle.begin()
            try await world.eventually("it swaps") { bundle.printed.contains("swapping") }
            for round in 1...5 {
                _ = try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: bundle.path))
                #expect(Self.count(canary) == 310, "round \(round)")
            }
            _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: bundle.id))
            #expect(access(bundle.container, F_OK) != 0)
            try await world.eventually("its container is deleted") {
                Self.count(world.directory + "/state/containers/.removed") == 0
            }
            #expect(Self.count(canary) == 310)
        }
    }

    @Test(arguments: ["/usr/bin/bwrap", "/nonexistent/bwrap"])
    func containersHaveAQuota(bubblewrap: String) async throws {
        try await World.with([], environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            let kinds: [(String, ExtensionOverBudget.What)] = [
                ("bytes", .disk), ("names", .names), ("depth", .names), ("nameless", .disk),
                ("temporary", .names),
            ]
            try await world.startMonitoring()
            var bundles: [UnrulyBundle] = []
            for (behaviour, _) in kinds {
                // Only the number of files is over the limit.
                bundles.append(
                    try await UnrulyBundle(world, behaviour, callbackSeconds: 120, processorSeconds: 60))
            }
            for bundle in bundles {
                try FileManager.default.createDirectory(
                    atPath: bundle.container, withIntermediateDirectories: true)
                try "kept".write(toFile: bundle.container + "/kept", atomically: false, encoding: .utf8)
            }
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            let delivered = try await world.delivered(bundles, recorder)
            let told = try recorder.all(ExtensionOverBudget.self)
            for (bundle, (behaviour, what)) in zip(bundles, kinds) {
                let events = told.filter { $0.client == bundle.client }
                #expect(events.first?.what == what, "\(behaviour)")
                #expect(delivered[bundle.id]?.attempt == 2, "\(behaviour)")
                // The one that takes its file's name away can be ended before it did; that file is small.
                let left = try FileManager.default.contentsOfDirectory(atPath: bundle.container)
                    .filter { behaviour != "nameless" || $0 != behaviour }
                if events.contains(where: { $0.what == .disk && $0.limit != Int64(Self.bytesMax) }) {
                    // It wrote so fast that its files could not be counted, and was ended for that: what fits
                    // stays.
                    #expect(try left.contains("kept") && Self.bytes(in: bundle.container) <= Self.bytesMax)
                } else {
                    #expect(left == ["kept"], "\(behaviour): \(events)")
                }
            }
        }
    }

    /// Of a container.
    private static let bytesMax = 128 << 20

    private static func bytes(in directory: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, name in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
            return sum + (try #require(facts[.size] as? Int))
        }
    }

    /// Between callbacks, too, until its process rests.
    @Test func budgetsHoldAfterACallback() async throws {
        try await World.with([]) { world in
            let kinds: [(String, ExtensionOverBudget.What)] = [
                ("spin-later", .processor), ("touch-later", .memory), ("fill-later", .disk),
            ]
            let bundles = try await world.startUnruly(kinds.map(\.0))
            let recorder = try world.record(.monitor)
            for bundle in bundles { try await bundle.begin() }
            // One whose memory is full before its answer is read is ended in the callback, and once more when
            // that is tried again.
            let told = try await recorder.wait(for: "all are ended", deadline: 60_000) {
                let all = try $0.all(ExtensionOverBudget.self)
                return Set(all.map(\.client)).count == kinds.count ? all : nil
            }
            #expect(told.count <= 2 * kinds.count)
            // A second of processor is not spent before the callback's answer is there.
            let spun = told.first { $0.what == .processor }
            #expect(spun?.callback == "")
            for (bundle, (behaviour, what)) in zip(bundles, kinds) {
                let event = told.first { $0.client == bundle.client }
                #expect(event?.what == what, "\(behaviour): \(String(describing: event))")
                try await world.eventually("\(behaviour) is why it ended") {
                    try await bundle.record?.lastError?.isEmpty == false
                }
            }
        }
    }

    private static func count(_ path: String) -> Int {
        FileManager.default.enumerator(atPath: path)?.allObjects.count ?? 0
    }
}
