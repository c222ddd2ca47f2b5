import Bus
import Contract
import Foundation
import JSON
import Rules
import ScreenTimeTesting
import Testing
import Units

extension World {
    /// Has services forget, in the order of the command line.
    @discardableResult
    func forget(
        _ services: [ServiceName], _ params: PrivacyForget.Params
    ) async throws -> [ServiceName: PrivacyForget.Result] {
        var results: [ServiceName: PrivacyForget.Result] = [:]
        var params = params
        let trace = TraceContext.root()
        if services.contains(.activity) {
            var rehearsal = params
            rehearsal.rehearse = true
            params.words = try await client(.activity).call(PrivacyForget.self, rehearsal).words
        }
        for service in services {
            let heads = results.map { Position($0.key, $0.value.sequence) }
            let result = try await client(service).call(
                PrivacyForget.self, params,
                options: CallOptions(deadline: 60_000, trace: trace, notBefore: heads))
            if service == .activity { params.until = result.until }
            results[service] = result
        }
        return results
    }

    /// Names of the files in this world's directories that contain one of the texts, in any form in which our
    /// files contain text: plain, escaped for JSON, or in lower case.
    func files(with texts: [String]) throws -> [String] {
        let needles = texts.flatMap { text in
            [text, text.lowercased(), String(decoding: text.encoded().dropFirst().dropLast(), as: UTF8.self)]
        }.map { Data($0.utf8) }
        var found: [String] = []
        for folder in ["run", "state"] {
            let all = FileManager.default.enumerator(atPath: "\(directory)/\(folder)")
            for path in try #require(all).allObjects as? [String] ?? [] {
                let file = "\(directory)/\(folder)/\(path)"
                // A service may remove temporary files meanwhile.
                guard let facts = try? FileManager.default.attributesOfItem(atPath: file) else { continue }
                // A link leads out of the world, to a program whose words are its own.
                let kind = facts[.type] as? FileAttributeType
                // Sockets and directories have no bytes.
                guard kind == .typeRegular, let data = FileManager.default.contents(atPath: file) else {
                    continue
                }
                if needles.contains(where: { data.range(of: $0) != nil }) { found.append(path) }
            }
        }
        return found.sorted()
    }
}

/// What is expected after something was forgotten: what the rules make of all changes, and then without it.
struct ForgetModel {
    var uses: [Use] = []
    var marks: [Mark] = []

    init(_ changes: [UsageChange]) {
        var machine = UsageMachine()
        let output = machine.apply(changes.sorted())
        uses = output.uses
        marks = output.marks + machine.closing().marks
    }

    /// All use goes; pickups count on without an app.
    mutating func forget(_ isIncluded: (Subject) -> Bool) {
        uses.removeAll { isIncluded($0.subject) }
        marks = marks.compactMap { mark in
            guard let subject = mark.subject, isIncluded(subject) else { return mark }
            return mark.kind == .pickup ? Mark(.pickup, at: mark.at, subject: nil) : nil
        }
    }

    mutating func forget(_ stretch: Range<Instant>) {
        uses = uses.flatMap { use in
            [
                TimeRange(
                    start: use.interval.start, end: min(use.interval.end, stretch.lowerBound)),
                TimeRange(
                    start: max(use.interval.start, stretch.upperBound), end: use.interval.end),
            ].compactMap { $0.map { Use(use.subject, $0) } }
        }
        marks.removeAll { stretch.contains($0.at) }
    }

    /// As a reader of `usage.recorded` knows it; touching uses are one.
    func replayed(_ device: String) -> ReplayedUsage {
        var usage = ReplayedUsage([])
        for (subject, own) in Dictionary(grouping: uses, by: \.subject) {
            let key = ReplayedUsage.Key(device: device, kind: subject.subjectKind, subject: subject.id)
            for use in IntervalSet(own.map(\.interval)).intervals {
                usage.subjects[key, default: .init()].intervals[use.start] = use.end
            }
        }
        for mark in marks {
            let key = ReplayedUsage.Key(
                device: device, kind: mark.subject?.subjectKind ?? .app, subject: mark.subject?.id ?? "")
            switch mark.kind {
            case .pickup: usage.subjects[key, default: .init()].pickups.append(mark.at)
            case .notification: usage.subjects[key, default: .init()].notifications.append(mark.at)
            }
        }
        for key in usage.subjects.keys {
            usage.subjects[key]?.pickups.sort()
            usage.subjects[key]?.notifications.sort()
        }
        return usage
    }
}

extension ReplayedUsage {
    /// Adjacent intervals merged, without open ones, of one device.
    func united(_ device: String) -> ReplayedUsage {
        var united = ReplayedUsage([])
        for (key, known) in subjects where key.device == device {
            var next = known
            next.openSince = nil
            next.intervals = [:]
            let ranges = known.intervals.compactMap { TimeRange(start: $0.key, end: $0.value) }
            for range in IntervalSet(ranges).intervals { next.intervals[range.start] = range.end }
            if next != Known() { united.subjects[key] = next }
        }
        return united
    }
}

extension ReplayedUsage {
    /// The same of a device of another name.
    func named(_ device: String) -> ReplayedUsage {
        var other = ReplayedUsage([])
        for (key, known) in subjects {
            other.subjects[Key(device: device, kind: key.kind, subject: key.subject)] = known
        }
        return other
    }

    /// Differences from the expected state, one line each.
    func differences(from expected: ReplayedUsage) -> [String] {
        Set(subjects.keys).union(expected.subjects.keys).filter { subjects[$0] != expected.subjects[$0] }.map
        {
            let (mine, other) = (subjects[$0] ?? Known(), expected.subjects[$0] ?? Known())
            let uses = Set(mine.intervals.map { "\($0.key)-\($0.value)" })
            let others = Set(other.intervals.map { "\($0.key)-\($0.value)" })
            return "\($0.device) \($0.subject): too many \(uses.subtracting(others).sorted()) too few "
                + "\(others.subtracting(uses).sorted()) pickups \(mine.pickups), not \(other.pickups), "
                + "notifications \(mine.notifications.difference(from: other.notifications))"
        }.sorted()
    }
}

enum ForgetData {
    static let start: Instant = 1_700_000_000_000

    /// A made-up desktop: focus, tabs, windows, idle, lock, suspend, notifications, ties without an order of
    /// their own, reboots.
    static func desktop(_ count: Int, seed: UInt64) -> [UsageChange] {
        var chance = ActivityChance(seed: seed)
        var at = start
        var boot = 1
        let booted = start - 1_000_000
        return (0..<count).map { _ in
            at += Int64.random(in: 0...5, using: &chance) * 1_000
            let app = "app\(Int.random(in: 0..<4, using: &chance))"
            let host = ["a.example", "www.b.example", "b.example"].randomElement(using: &chance) ?? ""
            let instance = Int64.random(in: 0..<2, using: &chance)
            let number = Int.random(in: 0..<40, using: &chance)
            if number == 0 {
                boot += 1
                at += 1_000
            }
            let stamp = UsageChange.BootTime(id: "boot\(boot)", elapsed: at - booted)
            let kind: UsageChange.Kind =
                switch number {
                case 0: .unlocked
                case 1...13: .focus(.app(app))
                case 14: .focus(.nothing)
                case 15: .focus(.unknown)
                case 16, 17: .idle
                case 18, 19, 20: .active
                case 21: .locked
                case 22, 23, 24: .unlocked
                case 25: .suspend
                case 26: .resume
                case 27, 28, 29: .opened(.app(app), instance: instance)
                case 30, 31: .closed(.app(app), instance: instance)
                case 32, 33, 34, 35: .domain(host, browser: Bool.random(using: &chance) ? app : nil)
                case 36: .domain(nil, browser: nil)
                case 37: .notification(.app(app))
                case 38: .alive
                default: .sensorLost
                }
            return UsageChange(at: at, ordinal: 0, boot: stamp, kind)
        }
    }
}
