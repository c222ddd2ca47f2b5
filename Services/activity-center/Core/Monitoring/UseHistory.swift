import Loop
import Monitoring
import Rules
import Store
import Units

/// A member's use since an instant, read from the store.
@LoopActor struct UseHistory {
    let log: UsageLog

    func use(of member: String, from: Instant) throws -> MemberUse {
        var use = MemberUse()
        for stream in try log.streams.all(member: member) {
            use.devices.append(try load(stream, from: from))
            use.running[stream.device] = stream.running
            use.provisional[stream.device] = stream.provisional
        }
        let subjects = use.subjects
        let catalogue = try log.catalog.catalogue(for: subjects)
        for subject in subjects where subject.kind == .domain {
            use.hostCategories[subject.id] = catalogue.category(of: subject)
        }
        return use
    }

    private func load(_ stream: Stream, from: Instant) throws -> DeviceUse {
        var device = DeviceUse(device: stream.device)
        var next = try log.usage.nextSubject(of: stream.id, after: SubjectTable.none)
        while let id = next {
            let start = try log.usage.lastStart(of: stream.id, subject: id, before: from) ?? from
            let uses = try log.usage.rows(of: stream.id, subject: id, from: start, to: .max).uses
            let inside = uses.filter { $0.end > from }
            if !inside.isEmpty, let subject = try log.subjects.subject(id) {
                device.uses[subject] = IntervalSet(inside)
            }
            next = try log.usage.nextSubject(of: stream.id, after: id)
        }
        return device
    }
}

extension Stream {
    /// What is in use now.
    var running: [RunningUse] {
        tail.parts.compactMap { subject, part in
            guard let subject, let start = part.openSince else { return nil }
            return RunningUse(subject, start: start)
        }
    }

    /// Use that counts as ended and may still change.
    var provisional: [Use] {
        tail.parts.compactMap { subject, part in
            guard let subject, let interval = part.provisional else { return nil }
            return Use(subject, interval)
        }
    }
}
