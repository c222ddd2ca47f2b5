import Contract
import Rules
import Units

/// One member's use on each device, segment by segment: the figures of Apple's DeviceActivityData.
final class MemberActivity {
    let use: MemberUse
    let member: ReportMember
    /// The requested devices, sorted by name.
    let devices: [ReportDevice]
    private let subjects: ReportSubjects
    private let selection: ReportSelection
    /// Of the first segments.
    private var sections: [UseSections] = []

    init(
        use: MemberUse, member: ReportMember, subjects: ReportSubjects, selection: ReportSelection,
        devices: [ReportDevice]
    ) {
        (self.use, self.member, self.devices) = (use, member, devices)
        (self.subjects, self.selection) = (subjects, selection)
    }

    /// Number of segments that have begun.
    var segments: Int {
        use.range.segments.firstIndex { $0.start > use.now } ?? use.range.segments.count
    }

    /// The devices with activity in any segment. Reads only as far as it takes to see all of them.
    func activeDevices() throws -> [ReportDevice] {
        var active: Set<Int> = []
        for segment in 0..<segments {
            for section in try use(in: segment).devices where !section.summary.isEmpty {
                active.insert(section.device)
            }
            if devices.allSatisfy({ active.contains($0.number) }) { break }
        }
        return devices.filter { active.contains($0.number) }
    }

    /// The use on a device in a segment.
    func summary(_ segment: Int, _ device: Int) throws -> UseSummary {
        try use(in: segment).devices.first { $0.device == device }?.summary ?? UseSummary()
    }

    private func use(in segment: Int) throws -> UseSections {
        while sections.count <= segment {
            let next = sections.count..<min(sections.count + ReportLimits.segmentsAtOnce, segments)
            // A selection is computed from the records: no roll-up contains its longest use.
            sections +=
                selection.isEverything
                ? try use.segments(next, .devices)
                : try next.map { segment in
                    try use.exact(segment) { selection.weight(of: try subjects.subject($0.number)) }
                }
        }
        return sections[segment]
    }
}
