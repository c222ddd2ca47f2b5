import Contract
import Rules
import Schedules
import Testing
import Units

/// 10,000 random histories against ``UsageModel``, and what holds for every history.
struct UsageModelTests {
    /// Of sensors with reboots, or of an import with visits. Instants around a day on which clocks change.
    static func history(_ chance: inout Chance, from start: Instant) -> [UsageChange] {
        var at = start
        var boot = 0
        let boots = Bool.random(using: &chance)
        let visits = !boots && Bool.random(using: &chance)
        let isFast = Bool.random(using: &chance)
        let steps: [Milliseconds] =
            isFast ? [0, 1, 2, 7] : [0, 1, 60_000, 299_999, 300_001, 3_600_000, 21_000_000]
        return (0..<Int.random(in: 1...30, using: &chance)).map { ordinal in
            at += steps.randomElement(using: &chance) ?? 0
            if boots && Int.random(in: 0..<12, using: &chance) == 0 { boot += 1 }
            let time = boots ? UsageChange.BootTime(id: "boot\(boot)", elapsed: at.sinceEpoch) : nil
            var kind = kind(&chance)
            if visits && (kind == .resume || kind == .alive || Int.random(in: 0..<3, using: &chance) == 0) {
                kind = .visit(["", "a.org", "b.org"].randomElement(using: &chance) ?? "")
            }
            return UsageChange(at: at, ordinal: Int64(ordinal), boot: time, kind)
        }
    }

    static func kind(_ chance: inout Chance) -> UsageChange.Kind {
        let app = ["a", "b", "c"].randomElement(using: &chance) ?? "a"
        let instance = Int64.random(in: 0...1, using: &chance)
        switch Int.random(in: 0..<22, using: &chance) {
        case 0...2: return .focus(.app(app))
        case 3: return .focus(Bool.random(using: &chance) ? .unknown : .nothing)
        case 4...6: return .opened(.app(app), instance: instance)
        case 7...9: return .closed(.app(app), instance: instance)
        case 10: return .domain(app + ".org", browser: Bool.random(using: &chance) ? "b" : nil)
        case 11: return .domain(nil, browser: nil)
        case 12: return .idle
        case 13: return .active
        case 14: return .locked
        case 15: return .unlocked
        case 16: return .suspend
        case 17: return .resume
        case 18: return .reset
        case 19: return .sensorLost
        case 20: return .notification(.app(app))
        default: return .alive
        }
    }

    /// Local noons of days around which the wall clock changes, or not.
    static let places = [
        ("UTC", "2024-02-28"), ("Europe/Berlin", "2024-03-31"), ("Europe/Berlin", "2024-10-27"),
        ("Australia/Lord_Howe", "2024-10-06"), ("Australia/Lord_Howe", "2024-04-07"),
        ("Asia/Kathmandu", "2024-05-05"), ("Pacific/Apia", "2011-12-30"), ("America/Havana", "2024-03-10"),
    ]

    static func text(_ history: [UsageChange]) -> String {
        history.map { "\($0.at) \($0.boot?.id ?? "") \($0.kind)" }.joined(separator: "\n")
    }

    static func ranges(_ uses: [Subject: IntervalSet]) -> [Subject: [Range<Instant>]] {
        uses.filter { !$0.value.isEmpty }.mapValues { $0.intervals.map { $0.start..<$0.end } }
    }

    /// The seeds of a block are 100 times its number and the 99 that follow.
    @Test(arguments: 0..<100)
    func agreesWithTheModel(block: UInt64) throws {
        for seed in block * 100..<block * 100 + 100 {
            var chance = Chance(seed: seed)
            let (zoneName, day) = Self.places[Int(seed) % Self.places.count]
            let zone = try Zone(zoneName)
            let noon = zone.start(of: try #require(LocalDate(day))) - 43_200_000
            let history = Self.history(&chance, from: noon)
            let note: Comment = "seed \(seed), \(zoneName)\n\(Self.text(history))"

            let output = try Self.output(history)
            let use = DeviceUse(device: "d", uses: output.uses, marks: output.marks)
            let model = UsageModel(history: history)
            #expect(Self.ranges(use.uses) == model.uses, note)
            let pickups = output.marks.filter { $0.kind == .pickup }
            #expect(pickups.map { "\($0.at) \($0.subject?.id ?? "-")" } == model.pickups, note)
            let notes = output.marks.filter { $0.kind == .notification }.map(\.at)
            #expect(notes == history.filter { $0.kind.name == .notification }.map(\.at), note)

            let measured = output.uses.reduce(0) { $0 + $1.interval.duration }
            #expect(
                measured == use.uses.values.reduce(0) { $0 + $1.total },
                "a second counts twice: \(note)")
            try Self.checkSegments(use, zone, history, note)

            let shuffled = UsageChange.ordered(history.shuffled(using: &chance))
            #expect(shuffled == history, "the order of arrival decides: \(note)")
            #expect(try history.allSatisfy { try UsageChange($0.observation) == $0 }, note)
        }
    }

    /// In pieces, each time going on from the saved state.
    private static func output(_ history: [UsageChange]) throws -> UsageOutput {
        var machine = UsageMachine()
        var output = UsageOutput()
        for change in history {
            machine.apply(change, &output)
            let restored = try UsageMachine(decoding: machine.encoded())
            #expect(restored == machine)
            machine = restored
        }
        let closing = machine.closing()
        output.uses += closing.uses
        output.marks += closing.marks
        return output
    }

    /// Hours, days and weeks of a zone add up to what there is in all, by each key.
    private static func checkSegments(
        _ use: DeviceUse, _ zone: Zone, _ history: [UsageChange], _ note: Comment
    ) throws {
        let from = zone.date(at: history[0].at)
        let through = zone.date(at: history[history.count - 1].at)
        for length in ReportSegment.allCases {
            let segments = zone.segments(length, from: from, through: through).map(\.interval)
            for key in [ReportGrouping.app, .domain, .total] {
                let rows = Totals.durations(of: [use], by: key, in: segments)
                let subjects = use.uses.filter { key == .app ? $0.key.kind == .app : $0.key.kind == .domain }
                let whole =
                    key == .total ? use.union.total : subjects.values.reduce(0) { $0 + $1.total }
                #expect(rows.reduce(0) { $0 + $1.value } == whole.count, note)
            }
            for kind in [Mark.Kind.pickup, .notification] {
                let rows = Totals.counts(of: kind, on: [use], by: .total, in: segments)
                #expect(rows.reduce(0) { $0 + Int($1.value) } == use.marks.count { $0.kind == kind }, note)
            }
        }
    }

    /// One use over many days fills each local day, however long it is.
    @Test(arguments: [
        ("Europe/Berlin", "2024-03-31", 23 * 60), ("Europe/Berlin", "2024-10-27", 25 * 60),
        ("America/New_York", "2023-11-05", 25 * 60), ("Australia/Lord_Howe", "2024-10-06", 23 * 60 + 30),
        ("Australia/Lord_Howe", "2024-04-07", 24 * 60 + 30), ("Asia/Kathmandu", "2024-05-05", 24 * 60),
        ("Pacific/Apia", "2011-12-30", 0), ("Pacific/Apia", "2011-12-29", 24 * 60),
        ("America/Havana", "2024-03-10", 23 * 60), ("Africa/Cairo", "2024-10-31", 25 * 60),
    ])
    func constantUseIsAsLongAsTheDay(zoneName: String, day: String, minutes: Int) throws {
        let zone = try Zone(zoneName)
        let date = try #require(LocalDate(day))
        let noon = zone.start(of: date) - 43_200_000
        var machine = UsageMachine()
        let closed = machine.apply([
            UsageChange(at: noon, ordinal: 0, .focus(.app("a"))),
            UsageChange(at: noon + .days(5), ordinal: 0, .idle),
        ])
        let use = DeviceUse(device: "d", uses: closed.uses)
        let segments = zone.segments(.daily, from: date, through: date).map(\.interval)
        let rows = Totals.durations(of: [use], by: .app, in: segments)
        #expect(rows.reduce(0) { $0 + $1.value } == Int64(minutes) * 60_000)
    }
}
