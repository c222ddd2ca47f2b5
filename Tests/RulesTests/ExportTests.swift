import Contract
import Testing
import Units
@testable import Rules

/// Exports of random histories, imported again.
struct ExportTests {
    static func history(_ chance: inout Chance) -> [UsageChange] {
        UsageModelTests.history(&chance, from: 1_000_000)
    }

    static func use(_ changes: [UsageChange], isLive: Bool) -> DeviceUse {
        UsageTables.use(of: "d", changes, isLive: isLive)
    }

    static func marks(_ use: DeviceUse) -> [String] {
        use.marks.map { "\($0.at) \($0.kind) \($0.subject?.id ?? "-")" }.sorted()
    }

    /// Parts of a time range, imported together, give the same as the whole: use, and each pickup with its
    /// app.
    @Test(arguments: 0..<20)
    func piecesOfATimeAreTheWhole(block: UInt64) throws {
        for seed in block * 100..<block * 100 + 100 {
            var chance = Chance(seed: seed)
            let history = Self.history(&chance)
            let last = history[history.count - 1].at
            let cuts = (0..<3).map { _ in Instant.random(in: 1_000_000...last + 1, using: &chance) }
            let edges = ([0] + cuts + [.max]).sorted()
            let whole = Self.use(history, isLive: true)
            let note: Comment = "seed \(seed), \(edges)\n\(UsageModelTests.text(history))"
            var together: [UsageChange] = []
            for (from, to) in zip(edges, edges.dropFirst()) {
                guard let window = TimeRange(start: from, end: to) else { continue }
                let piece = ClosedUse.changes(whole, in: window)
                together += piece
                let found = Self.use(piece, isLive: false)
                #expect(found.uses == whole.clipped(to: window).uses.filter { !$0.value.isEmpty }, note)
            }
            let found = Self.use(UsageChange.ordered(together.shuffled(using: &chance)), isLive: false)
            #expect(found.uses == whole.uses, note)
            #expect(Self.marks(found) == Self.marks(whole), note)
        }
    }

    @Test(arguments: (0..<300).map { UInt64($0) })
    func linesBringEverythingBack(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let histories = (0..<3).map { _ in Self.history(&chance) }
        var text: [UInt8] = []
        for (number, history) in histories.enumerated() {
            for change in history {
                let line = ObservationLines.Line(
                    change.observation, device: "d\(number)", deviceModel: "android")
                text += line.encoded() + [UInt8(ascii: "\n")]
            }
        }
        let file = try ImportFormat.observations.parse(text)
        #expect(file.devices.map(\.changes) == histories)
        #expect(file.devices.allSatisfy { $0.model == "android" })
    }

    @Test(arguments: (0..<300).map { UInt64($0) })
    func activityWatchsBucketsBringTheUseBack(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let uses = (0..<2).map { number in
            UsageTables.use(of: "d\(number)", Self.history(&chance), isLive: true)
        }
        let file = try ImportFormat.activityWatch.parse(UsageTables.activityWatch(uses))
        for use in uses {
            let device = try #require(file.devices.first { $0.name == use.device })
            let hosted = use.uses.filter { !$0.key.id.isEmpty }
            #expect(Self.use(device.changes, isLive: false).uses == hosted)
        }
    }

    @Test func aTableHasALineForEachStretch() {
        let use = UsageTables.use(
            of: "my \"phone\"",
            [
                UsageChange(at: 1_000, ordinal: 0, .focus(.app("a,b"))),
                UsageChange(at: 2_500, ordinal: 0, .focus(.nothing)),
            ], isLive: false)
        #expect(
            UsageTables.csv(use) == [#""my ""phone""",app,"a,b",1000,2500,1500,1970-01-01T00:00:01.000Z"#])
    }
}
