import Bus
import Contract
import CSQLite
import Foundation
import Rules
import ScreenTimeTesting
import Testing
import Units

/// The state of a reader of `usage.recorded`, built by the contract: each event replaces everything that
/// begins in its range.
struct ReplayedUsage: Equatable {
    struct Key: Hashable {
        var device: String
        var kind: SubjectKind
        var subject: String
    }
    struct Known: Equatable {
        var intervals: [Instant: Instant] = [:]
        var pickups: [Instant] = []
        var notifications: [Instant] = []
        var openSince: Instant?
    }
    var subjects: [Key: Known] = [:]

    init(_ events: [UsageRecorded]) { events.forEach { take($0) } }

    mutating func take(_ event: UsageRecorded) {
        let key = Key(device: event.device, kind: event.kind, subject: event.subject)
        var known = subjects[key] ?? Known()
        let range = event.from..<event.to
        known.intervals = known.intervals.filter { !range.contains($0.key) }
        for interval in event.intervals { known.intervals[interval.start] = interval.end }
        known.pickups = (known.pickups.filter { !range.contains($0) } + event.pickups).sorted()
        known.notifications = (known.notifications.filter { !range.contains($0) } + event.notifications)
            .sorted()
        known.openSince = event.openSince
        subjects[key] = known == Known() ? nil : known
    }

    /// What the rules make of all changes at once.
    init(changes: [UsageChange], device: String, isLive: Bool = false) {
        var machine = UsageMachine()
        var output = machine.apply(changes.sorted())
        output.marks += machine.closing().marks
        for use in output.uses {
            subjects[Key(device, use.subject), default: Known()].intervals[use.interval.start] =
                use.interval.end
        }
        for mark in output.marks {
            let key = Key(device, mark.subject)
            switch mark.kind {
            case .pickup: subjects[key, default: Known()].pickups.append(mark.at)
            case .notification: subjects[key, default: Known()].notifications.append(mark.at)
            }
        }
        if isLive {
            for use in machine.openSubjects {
                subjects[Key(device, use.subject), default: Known()].openSince = use.start
            }
        }
        for key in subjects.keys {
            subjects[key]?.pickups.sort()
            subjects[key]?.notifications.sort()
        }
    }
}

extension ReplayedUsage.Key {
    fileprivate init(_ device: String, _ subject: Subject?) {
        self.init(device: device, kind: subject?.subjectKind ?? .app, subject: subject?.id ?? "")
    }
}

/// A small repeatable source of chance (SplitMix64).
struct ActivityChance: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = (seed &+ 1) &* 0xD134_2543_DE82_EF95 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

enum ActivityData {
    /// The traces beside the package; absent from a plain clone.
    static let month = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data/android-wellbeing/events.csv")

    static var hasMonth: Bool { FileManager.default.fileExists(atPath: month.path) }

    static func monthOfChanges() throws -> [UsageChange] {
        try DigitalWellbeing.parse([UInt8](try Data(contentsOf: month))).changes
    }

    /// A made-up phone: overlapping instances, repeated and missing closes, ties, resets, unlocks,
    /// notifications.
    static func phone(_ count: Int, seed: UInt64) -> [UsageChange] {
        var chance = ActivityChance(seed: seed)
        var at: Instant = 1_700_000_000_000
        return (0..<count).map { number in
            at += Int64.random(in: 0...4, using: &chance) * 500
            let subject = Subject.app("app\(Int.random(in: 0..<5, using: &chance))")
            let instance = Int64.random(in: 0..<3, using: &chance)
            let kind: UsageChange.Kind =
                switch Int.random(in: 0..<20, using: &chance) {
                case 0: .reset
                case 1, 2: .unlocked
                case 3, 4, 5: .notification(subject)
                case 6...12: .opened(subject, instance: instance)
                default: .closed(subject, instance: instance)
                }
            return UsageChange(at: at, ordinal: Int64(number), kind)
        }
    }

    /// A made-up laptop: signs of life in use, silences, boots that end in power loss, sensors that die,
    /// sleep, locks, and two things at one millisecond.
    static func laptop(_ count: Int, seed: UInt64) -> [UsageChange] {
        var chance = ActivityChance(seed: seed)
        var at: Instant = 1_700_000_000_000
        var boot = (number: 0, began: at)
        return (0..<count).map { number in
            at += [0, 1_000, 20_000, 30_000, 30_000, 90_000].randomElement(using: &chance) ?? 0
            if Int.random(in: 0..<40, using: &chance) == 0 { boot = (number, at) }
            let app = "app\(Int.random(in: 0..<4, using: &chance))"
            let kind: UsageChange.Kind =
                switch Int.random(in: 0..<24, using: &chance) {
                case 0: .sensorLost
                case 1: .idle
                case 2, 3: .active
                case 4: .locked
                case 5, 6: .unlocked
                case 7: .suspend
                case 8, 9: .resume
                case 10: .notification(.app(app))
                case 11: .domain(app + ".org", browser: app)
                case 12...18: .focus(.app(app))
                default: .alive
                }
            let elapsed = UsageChange.BootTime(id: "boot\(boot.number)", elapsed: at - boot.began)
            return UsageChange(at: at, ordinal: Int64(number), boot: elapsed, kind)
        }
    }

    /// `items` in pieces of random size.
    static func batches(_ items: [UsageChange], _ size: ClosedRange<Int>, seed: UInt64) -> [[UsageChange]] {
        var chance = ActivityChance(seed: seed)
        var rest = items[...]
        var batches: [[UsageChange]] = []
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: size, using: &chance))
            rest = rest.dropFirst(batch.count)
            batches.append(Array(batch))
        }
        return batches
    }
}

extension World {
    @discardableResult
    func observe(
        _ changes: [UsageChange], device: String, model: String? = nil, client: String? = nil,
        key: String? = nil, trace: TraceContext? = nil
    ) async throws -> UsageObserve.Result {
        try await observe(
            changes.map(\.observation), device: device, model: model, client: client, key: key, trace: trace)
    }

    @discardableResult
    func observe(
        _ observations: [Observation], device: String, model: String? = nil, client: String? = nil,
        key: String? = nil, trace: TraceContext? = nil
    ) async throws -> UsageObserve.Result {
        try await call(
            UsageObserve.self,
            UsageObserve.Params(device: device, deviceModel: model, observations: observations),
            client: client,
            idempotencyKey: key, trace: trace)
    }

    /// Changes what the stopped service has stored, as if time had passed.
    func editActivityStore(_ sql: String) throws {
        var handle: OpaquePointer?
        let path = "\(directory)/state/activity-center/activity-center.sqlite3"
        // The store accepts changes by another program only without its sidecar.
        try #require(unlink(path + "-state") == 0, "errno \(errno)")
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    /// The state of a reader that has applied everything up to `sequence`.
    func replayed(_ recorder: EventRecorder, through sequence: Int64) async throws -> ReplayedUsage {
        try await recorder.wait(for: "events up to \(sequence)") { recorder in
            recorder.events.last.map(\.sequence) ?? 0 >= sequence
                ? ReplayedUsage(try recorder.all(UsageRecorded.self)) : nil
        }
    }
}
