import Contract
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// A trace that is sent at its instants, on the virtual clock, crosses its thresholds at the instants given
/// by a simple sum over the whole trace.
@Suite struct ClockTraceTests {
    private static let day: Milliseconds = 86_400_000

    /// Every day in UTC.
    private static let policy = ActivityDefinition.allDay(
        "daily",
        [
            EventDefinition(
                name: "music", applications: ["com.spotify.music"], threshold: DateComponents(minute: 10)),
            EventDefinition(
                name: "two", applications: ["com.zhiliaoapp.musically", "com.instagram.android"],
                threshold: DateComponents(minute: 30)),
            EventDefinition(name: "any", threshold: DateComponents(hour: 1)),
        ])
    private static let smallPolicy = ActivityDefinition.allDay(
        "daily",
        [
            EventDefinition(name: "one", applications: ["app1"], threshold: DateComponents(second: 30)),
            EventDefinition(
                name: "three", applications: ["app1", "app2", "app4"], threshold: DateComponents(minute: 1)),
            EventDefinition(name: "any", threshold: DateComponents(minute: 2)),
        ])

    // MARK: the obvious sum

    /// Where each day's use of what an event names reaches its threshold: `<event> <at_ms>`.
    private static func crossings(of changes: [UsageChange], _ policy: ActivityDefinition) -> [String] {
        var machine = UsageMachine()
        let uses = machine.apply(changes.sorted()).uses
        let from = changes.map(\.at).min() ?? 0
        let until = changes.map(\.at).max() ?? 0
        var found: [(at: Instant, name: String)] = []
        for event in policy.events ?? [] {
            let edges = edges(of: uses, event)
            for number in from.sinceEpoch / day...until.sinceEpoch / day {
                let (start, end) = (max(Instant(number * day), from), Instant((number + 1) * day))
                if let at = crossing(edges, from: start, to: end, needed(event.threshold)) {
                    found.append((at, event.name))
                }
            }
        }
        return found.sorted { ($0.at, $0.name) < ($1.at, $1.name) }.map { "\($0.name) \($0.at)" }
    }

    private static func needed(_ threshold: DateComponents) -> Milliseconds {
        ((threshold.hour ?? 0) * 3_600 + (threshold.minute ?? 0) * 60 + (threshold.second ?? 0)) * 1_000
    }

    /// How many count from an instant on: each app that the event names, or one for all together.
    private static func edges(of uses: [Use], _ event: EventDefinition) -> [(at: Instant, step: Int64)] {
        var sets: [String: [TimeRange]] = [:]
        for use in uses {
            guard let apps = event.applications else {
                sets["", default: []].append(use.interval)
                continue
            }
            if apps.contains(use.subject.id) { sets[use.subject.id, default: []].append(use.interval) }
        }
        var edges: [(at: Instant, step: Int64)] = []
        for interval in sets.values.flatMap({ IntervalSet($0).intervals }) {
            edges += [(interval.start, 1), (interval.end, -1)]
        }
        return edges.sorted { $0.at < $1.at }
    }

    private static func crossing(
        _ edges: [(at: Instant, step: Int64)], from start: Instant, to end: Instant, _ needed: Milliseconds
    ) -> Instant? {
        var (left, rate, since) = (needed, Int64(0), start)
        for edge in edges + [(end, 0)] where edge.at <= end {
            let until = max(edge.at, start)
            if rate > 0, (until - since) * rate >= left {
                return since + (left + Milliseconds(rate - 1)) / rate
            }
            left -= (until - since) * rate
            (rate, since) = (rate + edge.step, until)
        }
        return nil
    }

    // MARK: the live run

    /// Starts virtual time at the first change, sends each batch when its first change is due, and returns
    /// the callbacks.
    @LoopActor private static func run(
        _ pieces: [[UsageChange]], _ policy: ActivityDefinition, services: [String] = World.allServices,
        zone: String = "UTC",
        _ disturb: @escaping @LoopActor (World, Int) async throws -> Void = { _, _ in }
    ) async throws -> [Told] {
        var callbacks: [Told] = []
        let first = try #require(pieces.first?.first?.at)
        try await World.with(
            services, environment: ["TZ": zone], clock: UTCTime.text(first)
        ) { world in
            let recorder = try world.record(.activity)
            try await world.monitor([policy])
            for (number, piece) in pieces.enumerated() {
                try await world.clock.advance(to: max(piece[0].at, world.clock.now))
                try await disturb(world, number)
                try await world.observe(piece, device: "phone", key: "piece \(number)")
            }
            let last = pieces.joined().map(\.at).max() ?? first
            try await world.clock.advance(to: max(last, world.clock.now))
            _ = try await world.callbacks(recorder)
            callbacks = try recorder.events.filter { $0.type.hasPrefix("activity.") }.compactMap { event in
                try event.event.data.map { raw in
                    let about = try ActivityCallback.decode(raw.bytes)
                    return Told(callback: String(event.type.dropFirst("activity.".count)), about: about)
                }
            }
        }
        return callbacks
    }

    /// One callback as activity-center published it.
    private struct Told {
        var callback: String
        var about: ActivityCallback

        /// As `screentime replay --json` prints it.
        var line: String {
            let event = about.event.map { "\"\($0)\"" } ?? "null"
            let total = about.total.map(String.init) ?? "null"
            return """
                {"callback":"\(callback)","activity":"\(about.activity)","event":\(event),\
                "at_ms":\(about.at),"occurrence_start_ms":\(about.occurrenceStart),"total_ms":\(total)}
                """
        }
    }

    private static func crossings(of callbacks: [Told]) -> [String] {
        callbacks.filter { $0.callback == "eventDidReachThreshold" }.map(\.about)
            .map { ($0.at, $0.event ?? "") }.sorted { $0 < $1 }.map { "\($0.1) \($0.0)" }
    }

    /// What `screentime replay` computes for the same trace, without any service.
    @LoopActor private static func replayed(
        _ changes: [UsageChange], _ policy: ActivityDefinition, zone: String
    ) async throws -> [String] {
        var lines: [String] = []
        try await World.with([]) { world in
            let told = changes.map { change in
                let line = ObservationLines.Line(change.observation, device: "phone", deviceModel: "linux")
                return String(decoding: line.encoded(), as: UTF8.self) + "\n"
            }
            let trace = try world.write(told.joined(), to: "trace.jsonl")
            let file = PolicyFile(activities: [policy])
            let rules = try world.write(String(decoding: file.encoded(), as: UTF8.self), to: "policy.json")
            let replay = try await world.command(
                "replay", trace, "--format", "observations", "--policy", rules, "--zone", zone, "--json")
            #expect(replay.status == 0, "\(replay.errors)")
            lines = replay.lines
        }
        return lines
    }

    /// Changes of the same millisecond are sent together: nothing is due between them.
    private static func instants(_ changes: [UsageChange]) -> [[UsageChange]] {
        var pieces: [[UsageChange]] = []
        for change in changes.sorted() {
            if pieces.last?.last?.at == change.at {
                pieces[pieces.count - 1].append(change)
            } else {
                pieces.append([change])
            }
        }
        return pieces
    }

    /// Pieces of random size, none longer than half a day: a sensor whose clock is a day ahead is refused.
    private static func pieces(
        _ changes: [UsageChange], _ size: ClosedRange<Int>, seed: UInt64
    ) -> [[UsageChange]] {
        ActivityData.batches(changes.sorted(), size, seed: seed).flatMap { batch in
            var pieces: [[UsageChange]] = []
            for change in batch {
                if let first = pieces.last?.first, change.at - first.at < day / 2 {
                    pieces[pieces.count - 1].append(change)
                } else {
                    pieces.append([change])
                }
            }
            return pieces
        }
    }

    /// Services that end without a word at random places, and come back.
    @LoopActor private static func kill(
        _ services: [String], times: Int, of pieces: Int, seed: UInt64
    ) -> @LoopActor (World, Int) async throws -> Void {
        var chance = ActivityChance(seed: seed)
        let places = Set((0..<times).map { _ in Int.random(in: 0..<pieces, using: &chance) })
        return { world, number in
            guard places.contains(number) else { return }
            let name = try #require(services.randomElement(using: &chance))
            try await world.process(name).destroy()
            try await world.start(name)
        }
    }

    // MARK: the tests

    @Test func ownTraceByItsInstants() async throws {
        let changes = ActivityData.phone(400, seed: 7)
        let expected = Self.crossings(of: changes, Self.smallPolicy)
        #expect(expected.count == 3)
        let told = try await Self.run(Self.instants(changes), Self.smallPolicy)
        #expect(Self.crossings(of: told) == expected)
        #expect(told.allSatisfy { !$0.about.late })
        #expect(told.map(\.line) == (try await Self.replayed(changes, Self.smallPolicy, zone: "UTC")))
    }

    @Test(arguments: [UInt64(1), 2])
    func ownTraceInRandomPiecesWithServicesKilled(seed: UInt64) async throws {
        print("seed \(seed)")
        let changes = ActivityData.phone(400, seed: 8)
        let pieces = Self.pieces(changes, 1...60, seed: seed)
        let told = try await Self.run(
            pieces, Self.smallPolicy, Self.kill(World.allServices, times: 6, of: pieces.count, seed: seed))
        #expect(Self.crossings(of: told) == Self.crossings(of: changes, Self.smallPolicy))
        let replayed = try await Self.replayed(changes, Self.smallPolicy, zone: "UTC")
        #expect(told.map(\.line) == replayed)
    }

    @Test(.enabled(if: ActivityData.hasMonth, "needs shared/data/android-wellbeing beside the checkout"))
    func thePhonesMonthByItsInstants() async throws {
        let changes = try ActivityData.monthOfChanges()
        let expected = Self.crossings(of: changes, Self.policy)
        #expect(expected.count > 20)
        let told = try await Self.run(
            Self.instants(changes), Self.policy, services: ["auth-service", "activity-center"])
        #expect(Self.crossings(of: told) == expected)
        #expect(told.map(\.line) == (try await Self.replayed(changes, Self.policy, zone: "UTC")))
    }

    /// Moved to where New York's clocks go back, in random pieces, with services killed.
    @Test(.enabled(if: ActivityData.hasMonth, "needs shared/data/android-wellbeing beside the checkout"))
    func thePhonesMonthMovedAndInPieces() async throws {
        let seed = UInt64.random(in: 1...1_000_000)
        print("seed \(seed)")
        let changes = try ActivityData.monthOfChanges().map { change in
            UsageChange(at: change.at + 150 * Self.day, ordinal: change.ordinal, change.kind)
        }
        let pieces = Self.pieces(changes, 1...60, seed: seed)
        let told = try await Self.run(
            pieces, Self.policy, zone: "America/New_York",
            Self.kill(World.allServices, times: 8, of: pieces.count, seed: seed))
        let replayed = try await Self.replayed(changes, Self.policy, zone: "America/New_York")
        #expect(replayed.count > 60)
        #expect(told.map(\.line) == replayed)
    }
}
