internal import Domains
internal import Engine

extension RegistrableDomains {
    /// The same use and marks, with each host's registrable domain in its place. What two hosts of
    /// one domain have at the same time comes once.
    func folded(_ use: DeviceUse) -> DeviceUse {
        var folded = use
        folded.uses = [:]
        for (subject, time) in use.uses {
            folded.uses[self.folded(subject), default: IntervalSet()].formUnion(time)
        }
        folded.marks = use.marks.map { mark in
            Mark(mark.kind, at_ms: mark.at_ms, subject: mark.subject.map(self.folded))
        }
        return folded
    }

    private func folded(_ subject: Subject) -> Subject {
        subject.kind == .domain ? .domain(registrable(subject.id)) : subject
    }
}

extension IntervalSet {
    fileprivate mutating func formUnion(_ other: IntervalSet) { self = union(other) }
}
