import Contract
import Rules
import ScreenTimeTesting
import Testing
import Time
import Units

/// `usage.observe` and what follows from it, with the real process.
@Suite struct ActivityUsageTests {
    private static let services = ["activity-center"]

    @Test(.enabled(if: ActivityData.hasMonth, "../shared/data is not here"), arguments: [1, 2] as [UInt64])
    func aMonthOfAPhoneInAnyOrderIsWhatTheRulesSay(seed: UInt64) async throws {
        let changes = try ActivityData.monthOfChanges()
        let expected = ReplayedUsage(changes: changes, device: "phone")
        try await Self.expect(expected, from: changes, sizes: 200...4_000, seed: seed)
    }

    @Test(arguments: [3, 4, 5] as [UInt64])
    func anyOrderAndAnyRepeatGiveTheSame(seed: UInt64) async throws {
        let changes = ActivityData.phone(600, seed: seed)
        let expected = ReplayedUsage(changes: changes, device: "phone")
        try await Self.expect(expected, from: changes, sizes: 1...90, seed: seed)
    }

    @Test(arguments: [13, 14, 15] as [UInt64])
    func aLaptopsBootsAndSilencesGiveTheSameInAnyOrder(seed: UInt64) async throws {
        let changes = ActivityData.laptop(600, seed: seed)
        let expected = ReplayedUsage(changes: changes, device: "phone")
        try await Self.expect(expected, from: changes, sizes: 1...90, seed: seed)
    }

    private static func expect(
        _ expected: ReplayedUsage, from changes: [UsageChange], sizes: ClosedRange<Int>, seed: UInt64
    ) async throws {
        var chance = ActivityChance(seed: seed)
        try await World.with(services) { world in
            let recorder = try world.record(.activity)
            var head: Int64 = 0
            var accepted: Int64 = 0
            let shuffled = changes.shuffled(using: &chance)
            for batch in ActivityData.batches(shuffled, sizes, seed: seed) {
                let answer = try await world.observe(batch, device: "phone", model: "android")
                accepted += answer.accepted
                head = answer.sequence
            }
            #expect(accepted == Int64(changes.count), "seed \(seed)")
            #expect(try await world.replayed(recorder, through: head) == expected, "seed \(seed)")

            for batch in ActivityData.batches(changes.shuffled(using: &chance), sizes, seed: seed + 100) {
                let again = try await world.observe(batch, device: "phone", model: "android")
                #expect(again.accepted == 0)
                #expect(again.duplicates == Int64(batch.count))
                #expect(again.sequence == head, "a repeat must not be told")
            }
        }
    }

    @Test(arguments: [7, 8] as [UInt64])
    func lateDataIsTakenInFromACheckpoint(seed: UInt64) async throws {
        // Enough for several checkpoints; the late observations lie before, between and after them. One use
        // is open across all of them, so that each checkpoint must change.
        var chance = ActivityChance(seed: seed)
        var changes = ActivityData.phone(14_000, seed: seed).filter { $0.kind != .reset }
        let long = UsageChange(at: changes[40].at, ordinal: -1, .opened(.app("long"), instance: 1))
        let end = UsageChange(
            at: changes[changes.count - 1].at + 1, ordinal: 0, .closed(.app("long"), instance: 1))
        // The last but one is too near the end for new and old to meet after it.
        let places = Array(stride(from: 13, to: changes.count, by: 2_311)) + [changes.count - 2]
        let late = places.map { changes[$0] }
        let early = changes.filter { !late.contains($0) }
        changes += [long, end]
        try await World.with(Self.services) { world in
            let recorder = try world.record(.activity)
            for batch in ActivityData.batches(early, 3_000...4_000, seed: seed) {
                try await world.observe(batch, device: "phone", model: "android")
            }
            for change in [long] + late.shuffled(using: &chance) {
                try await world.observe([change], device: "phone", model: "android")
            }
            let head = try await world.observe([end], device: "phone", model: "android").sequence
            let known = try await world.replayed(recorder, through: head)
            #expect(known == ReplayedUsage(changes: changes, device: "phone"), "seed \(seed)")
        }
    }

    @Test func theSnapshotIsWhatTheEventsSay() async throws {
        let changes = ActivityData.phone(3_000, seed: 9)
        try await World.with(Self.services) { world in
            let recorder = try world.record(.activity)
            try await world.observe(changes, device: "phone", model: "android")
            let now = WallTime.now
            let live = [Observation(at: now, kind: .focus, app: "editor")]
            let head = try await world.observe(live, device: "laptop").sequence
            let known = try await world.replayed(recorder, through: head)
            var events: [UsageRecorded] = []
            var page: String?
            repeat {
                let part = try await world.client(.activity).call(
                    EventsSnapshot.self, EventsSnapshot.Params(page: page))
                for event in part.events {
                    events.append(try #require(try Event<UsageRecorded>.decode(event.bytes).data))
                }
                page = part.nextPage
            } while page != nil
            #expect(ReplayedUsage(events) == known)
            #expect(
                known.subjects[.init(device: "laptop", kind: .app, subject: "editor")]?.openSince == now)
        }
    }

    @Test func usageReadGivesTheIntervalsOfARange() async throws {
        try await World.with(Self.services) { world in
            let base: Instant = 1_700_000_000_000
            try await world.observe(
                [
                    Observation(at: base, kind: .opened, app: "a", instance: 1),
                    Observation(at: base + 1_000, kind: .closed, app: "a", instance: 1),
                    Observation(at: base + 5_000, kind: .opened, app: "b", instance: 1),
                    Observation(at: base + 6_000, kind: .closed, app: "b", instance: 1),
                ], device: "phone", model: "android")
            func read(_ from: Milliseconds, _ to: Milliseconds) async throws -> [String] {
                try await world.call(UsageRead.self, UsageRead.Params(from: base + from, to: base + to))
                    .usage
                    .flatMap { use in
                        use.intervals.map { "\(use.subject) \($0.start - base) \($0.end - base)" }
                    }
            }
            #expect(try await read(0, 10_000) == ["a 0 1000", "b 5000 6000"])
            #expect(try await read(999, 5_000) == ["a 0 1000"])
            #expect(try await read(1_000, 5_000) == [])
            #expect(try await read(5_999, 5_999) == [])
        }
    }

    @Test(arguments: [
        (Observation(at: -1, kind: .alive), "at_ms is -1"),
        (Observation(at: WallTime.now + 90_000_000, kind: .alive), "at_ms is"),
        (Observation(at: 5, kind: .focus, app: String(repeating: "x", count: 513)), "app has 513 bytes"),
        (Observation(at: 5, kind: .focus, app: ""), "app has 0 bytes"),
        (Observation(at: 5, kind: .notification), "has no app or domain"),
    ])
    func aWrongObservationIsNamedAndNothingOfItsBatchIsKept(wrong: Observation, words: String) async throws {
        try await World.with(Self.services) { world in
            let right = Observation(at: WallTime.now, kind: .focus, app: "editor")
            let error = await #expect(throws: ServiceError.self) {
                try await world.observe([right, wrong], device: "laptop")
            }
            #expect(error?.name == .invalidParams)
            #expect(error?.message.contains("observations[1]") == true)
            #expect(error?.message.contains(words) == true)
            let answer = try await world.observe([right], device: "laptop")
            #expect(answer.accepted == 1)
            #expect(answer.sequence == 1)
        }
    }

    @Test func namesAndCategoriesOfAppsAreTold() async throws {
        try await World.with(Self.services) { world in
            let recorder = try world.record(.activity)
            var told = Observation(at: WallTime.now, kind: .focus, app: "org.gimp.GIMP")
            told.appName = "GIMP"
            told.appCategories = ["GTK", "Graphics", "RasterGraphics"]
            try await world.observe([told], device: "laptop")
            let event = try await recorder.first(UsageRecorded.self)
            #expect(event.name == "GIMP")
            #expect(event.category == "creativity")
            #expect(event.openSince == told.at)
        }
    }

    @Test func aSilentSensorsUseEndsAtItsLastSignAndGoesOnWithTheNext() async throws {
        try await World.with(Self.services) { world in
            let recorder = try world.record(.activity)
            // Its sign at `now - 70_000` has just come.
            let now = WallTime.now + 70_000
            try await world.observe(
                [
                    Observation(at: now - 90_000, kind: .focus, app: "a"),
                    Observation(at: now - 70_000, kind: .alive),
                ], device: "laptop")
            // A minute passes without a sign.
            try await world.process("activity-center").destroy()
            try world.editActivityStore("UPDATE stream SET seen_ms = seen_ms - 61000")
            try await world.start("activity-center")
            let key = ReplayedUsage.Key(device: "laptop", kind: .app, subject: "a")
            var known = try await world.replayed(recorder, through: 2)
            #expect(known.subjects[key]?.intervals == [now - 90_000: now - 70_000])
            #expect(known.subjects[key]?.openSince == nil)

            var head = try await world.observe([Observation(at: now, kind: .alive)], device: "laptop")
                .sequence
            known = try await world.replayed(recorder, through: head)
            #expect(known.subjects[key]?.intervals == [now - 90_000: now - 70_000])
            #expect(known.subjects[key]?.openSince == now)

            head = try await world.observe([Observation(at: now + 1, kind: .idle)], device: "laptop")
                .sequence
            known = try await world.replayed(recorder, through: head)
            #expect(known.subjects[key]?.intervals == [now - 90_000: now - 70_000, now: now + 1])
            #expect(known.subjects[key]?.openSince == nil)
        }
    }

    @Test func aClockSetBackErasesNothing() async throws {
        try await World.with(Self.services) { world in
            let recorder = try world.record(.activity)
            let now = WallTime.now - 20_000_000
            func focus(_ app: String, wall: Milliseconds, elapsed: Milliseconds) -> Observation {
                Observation(at: now + wall, kind: .focus, app: app, bootID: "b", boottime: elapsed)
            }
            // At 20 s of the boot the wall clock goes back by an hour.
            let told = [
                focus("a", wall: 10_000, elapsed: 10_000), focus("b", wall: -3_580_000, elapsed: 20_000),
                focus("a", wall: -3_570_000, elapsed: 30_000), focus("b", wall: -3_560_000, elapsed: 40_000),
            ]
            for one in told { try await world.observe([one], device: "laptop") }
            let again = try await world.observe(told.reversed(), device: "laptop")
            #expect(again.accepted == 0)
            let known = try await world.replayed(recorder, through: again.sequence)
            func intervals(_ app: String) -> [Instant: Instant]? {
                known.subjects[.init(device: "laptop", kind: .app, subject: app)]?.intervals
            }
            // Use continues: nothing is erased or counted twice.
            #expect(intervals("a") == [now + 10_000: now + 20_000, now + 30_000: now + 40_000])
            #expect(intervals("b") == [now + 20_000: now + 30_000])
            let whole = try await world.observe(told.reversed(), device: "at once")
            let other = try await world.replayed(recorder, through: whole.sequence)
            for app in ["a", "b"] {
                let known = other.subjects[.init(device: "at once", kind: .app, subject: app)]
                #expect(known?.intervals == intervals(app))
            }
        }
    }
}
