import Bus
import Engine
import Store

/// A member's use, as thresholds ask for it.
struct MemberUse {
    var devices: [DeviceUse]
    var running: [String: [RunningUse]]
    var catalogue: Catalogue
}

/// The recent use of members with thresholds, kept in memory and moved on with each change.
@BusActor final class UseWindows {
    private struct Window {
        var from_ms: Int64
        /// By stream.
        var devices: [Int64: DeviceUse] = [:]
    }

    private let log: UsageLog
    private var windows: [String: Window] = [:]

    init(_ log: UsageLog) { self.log = log }

    /// A window that reaches back further than asked for by more than this is made anew, smaller: 2 days.
    private static let slack_ms: Int64 = 2 * 86_400_000

    func reload() { windows = [:] }

    /// Moves the window on; where late data removed something it is made anew when it is next asked for.
    func take(_ change: UseChange) {
        let member = change.stream.member
        guard let from_ms = windows[member]?.from_ms else { return }
        guard change.delta.removed.uses.isEmpty else {
            windows[member] = nil
            return
        }
        for use in change.delta.added.uses where use.interval.end_ms > from_ms {
            windows[member]?.devices[change.stream.id, default: DeviceUse(device: change.stream.device)]
                .uses[use.subject, default: IntervalSet()].insert(use.interval)
        }
    }

    /// All use of a member from `from_ms` on, at least.
    func use(of member: String, from from_ms: Int64) throws -> MemberUse {
        let streams = try log.streams.all(member: member)
        let window = try window(of: member, streams, from: from_ms)
        var use = MemberUse(devices: [], running: [:], catalogue: Catalogue())
        for stream in streams {
            var device = window.devices[stream.id] ?? DeviceUse(device: stream.device)
            for (subject, part) in stream.tail.parts {
                guard let subject else { continue }
                if let closed = part.provisional {
                    device.uses[subject, default: IntervalSet()].insert(closed)
                }
                if let start_ms = part.openSince_ms {
                    use.running[stream.device, default: []].append(RunningUse(subject, start_ms: start_ms))
                }
            }
            use.devices.append(device)
        }
        let closed = use.devices.lazy.flatMap(\.uses.keys)
        let open = use.running.values.lazy.flatMap { $0 }.map(\.subject)
        use.catalogue = try log.catalog.catalogue(for: Array(closed) + Array(open))
        return use
    }

    private func window(of member: String, _ streams: [Stream], from from_ms: Int64) throws -> Window {
        if let known = windows[member], known.from_ms <= from_ms, from_ms - known.from_ms <= Self.slack_ms {
            return known
        }
        var window = Window(from_ms: from_ms)
        for stream in streams { window.devices[stream.id] = try load(stream, from: from_ms) }
        windows[member] = window
        return window
    }

    private func load(_ stream: Stream, from from_ms: Int64) throws -> DeviceUse {
        var device = DeviceUse(device: stream.device)
        var next = try log.usage.nextSubject(of: stream.id, after: SubjectTable.none)
        while let id = next {
            let start_ms = try log.usage.lastStart(of: stream.id, subject: id, before: from_ms) ?? from_ms
            let uses = try log.usage.rows(of: stream.id, subject: id, from: start_ms, to: .max).uses
            let inside = uses.filter { $0.end_ms > from_ms }
            if !inside.isEmpty, let subject = try log.subjects.subject(id) {
                device.uses[subject] = IntervalSet(inside)
            }
            next = try log.usage.nextSubject(of: stream.id, after: id)
        }
        return device
    }
}
