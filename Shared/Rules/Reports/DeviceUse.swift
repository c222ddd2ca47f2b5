/// The use of one device by one member, as far as it concerns a query.
package struct DeviceUse: Hashable, Sendable {
    /// Name of the device.
    package var device: String
    /// Use by subject.
    package var uses: [Subject: IntervalSet]
    /// Pickups and notifications, in any order.
    package var marks: [Mark]

    package init(device: String, uses: [Subject: IntervalSet] = [:], marks: [Mark] = []) {
        self.device = device
        self.uses = uses
        self.marks = marks
    }

    /// From stored intervals in any order.
    package init(device: String, uses: some Sequence<Use>, marks: [Mark] = []) {
        var loose: [Subject: [TimeRange]] = [:]
        for use in uses { loose[use.subject, default: []].append(use.interval) }
        self.init(device: device, uses: loose.mapValues { IntervalSet($0) }, marks: marks)
    }

    /// The time in which anything is in use.
    package var union: IntervalSet { .union(of: uses.values) }
}

extension DeviceUse {
    /// The time in which any domain is known.
    var domainTime: IntervalSet {
        .union(of: uses.lazy.filter { $0.key.kind == .domain }.map(\.value))
    }

    /// The part of each subject's time that counts for its own category. Time with a known domain counts for
    /// the domain's category instead of the browser's, because the person used the site.
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
