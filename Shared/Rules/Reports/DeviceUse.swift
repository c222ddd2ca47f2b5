/// All use of one device by one member that a question is about.
package struct DeviceUse: Hashable, Sendable {
    package var device: String
    package var uses: [Subject: IntervalSet]
    package var marks: [Mark]

    package init(device: String, uses: [Subject: IntervalSet] = [:], marks: [Mark] = []) {
        self.device = device
        self.uses = uses
        self.marks = marks
    }

    /// From stored stretches in any order.
    package init(device: String, uses: some Sequence<Use>, marks: [Mark] = []) {
        var loose: [Subject: [TimeRange]] = [:]
        for use in uses { loose[use.subject, default: []].append(use.interval) }
        self.init(device: device, uses: loose.mapValues { IntervalSet($0) }, marks: marks)
    }

    /// Everything in use at all.
    package var union: IntervalSet { .union(of: uses.values) }
}

extension DeviceUse {
    /// All time at which some domain is known.
    var domainTime: IntervalSet {
        .union(of: uses.lazy.filter { $0.key.kind == .domain }.map(\.value))
    }

    /// The part of each subject's time that belongs to its own category: a second with a known domain belongs
    /// to the domain's category, not the browser's: the person used the site.
    func categoryShares(_ catalogue: Catalogue) -> [Subject: IntervalSet] {
        let known = domainTime
        guard !known.isEmpty else { return uses }
        var shares = uses
        for (subject, time) in uses where catalogue.isBrowser(subject) {
            shares[subject] = time.subtracting(known)
        }
        return shares
    }
}
