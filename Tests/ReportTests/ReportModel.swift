import Contract
import Rules
import Schedules
import Units

/// The rules of reports in a slow and obvious form: all events are stored as received, and every query is
/// answered from all of them. The registrable domain is the last two labels of a host here.
struct ReportModel {
    struct Key: Hashable {
        var member: String
        var device: String
        var subject: Subject
    }

    struct Told {
        var uses: [TimeRange] = []
        var marks: [Mark] = []
        var openSince: Instant?

        var isEmpty: Bool { uses.isEmpty && marks.isEmpty && openSince == nil }
    }

    var told: [Key: Told] = [:]
    var categories: [Subject: String] = [:]
    var browsers: Set<Subject> = []

    mutating func apply(_ event: UsageRecorded) throws {
        let subject = event.kind == .app ? Subject.app(event.subject) : .domain(event.subject)
        let key = Key(member: event.member, device: event.device, subject: subject)
        var all = told[key] ?? Told()
        let range = event.from..<event.to
        all.uses.removeAll { range.contains($0.start) }
        all.marks.removeAll { range.contains($0.at) }
        all.uses += event.intervals.compactMap { TimeRange(start: $0.start, end: $0.end) }
        let whose = event.subject.isEmpty ? nil : subject
        all.marks += event.pickups.map { Mark(.pickup, at: $0, subject: whose) }
        all.marks += event.notifications.map { Mark(.notification, at: $0, subject: whose) }
        all.openSince = event.openSince
        told[key] = all
        let isKnown = told.contains { $0.key.subject == subject && !$0.value.isEmpty }
        categories[subject] = isKnown ? event.category : nil
        if isKnown, event.browser == true { browsers.insert(subject) } else { browsers.remove(subject) }
    }

    static func site(_ host: String) -> String { host.split(separator: ".").suffix(2).joined(separator: ".") }

    /// One device's use up to an instant.
    func devices(of member: String, now: Instant, _ isAsked: (String) -> Bool) -> [DeviceUse] {
        let names = Set(told.keys.filter { $0.member == member && isAsked($0.device) }.map(\.device))
        return names.sorted().map { name in
            var device = DeviceUse(device: name)
            for (key, all) in told where key.member == member && key.device == name {
                let open = all.openSince.flatMap { TimeRange(start: $0, end: now) }
                let time = IntervalSet(all.uses + [open].compactMap { $0 })
                if !time.isEmpty { device.uses[key.subject] = time }
                device.marks += all.marks
            }
            return device
        }
    }

    struct Question {
        var members: [String] = []
        var devices: Set<String> = []
        var applications: Set<String> = []
        var categories: Set<String> = []
        var domains: Set<String> = []
        var now: Instant = 0

        var isEverything: Bool { applications.isEmpty && categories.isEmpty && domains.isEmpty }
    }

    var catalogue: Catalogue {
        var catalogue = Catalogue()
        // Subjects without remaining data are unknown, as in a rebuilt copy.
        let known = Set(told.filter { !$0.value.isEmpty }.map(\.key.subject))
        for (subject, category) in categories where known.contains(subject) {
            switch subject.kind {
            case .app: catalogue.appCategories[subject.id] = category
            case .domain: catalogue.domainCategories[subject.id] = category
            }
        }
        catalogue.browsers = Set(browsers.filter(known.contains).map(\.id))
        return catalogue
    }

    private func covers(_ question: Question, _ subject: Subject) -> Bool {
        if question.isEverything { return true }
        if question.categories.contains(catalogue.category(of: subject)) { return true }
        guard subject.kind == .domain else { return question.applications.contains(subject.id) }
        return question.domains.contains { subject.id == $0 || subject.id.hasSuffix("." + $0) }
    }

    /// What of each device counts: `wholes` of the asked subjects, and `counted`, where an app that only its
    /// category names lacks the time of known domains.
    func selected(_ question: Question, _ device: DeviceUse) -> (wholes: DeviceUse, counted: DeviceUse) {
        var wholes = DeviceUse(device: device.device)
        var counted = wholes
        let known = IntervalSet.union(of: device.uses.filter { $0.key.kind == .domain }.map(\.value))
        for (subject, time) in device.uses where covers(question, subject) {
            wholes.uses[subject] = time
            let isNamed = question.isEverything || question.applications.contains(subject.id)
            let isPart = catalogue.isBrowser(subject) && !isNamed
            counted.uses[subject] = isPart ? time.subtracting(known) : time
        }
        wholes.marks = device.marks.filter { mark in
            mark.subject.map { covers(question, $0) } ?? question.isEverything
        }
        counted.marks = wholes.marks
        return (wholes, counted)
    }

    func rows(
        _ question: Question, _ grouping: ReportGrouping, _ metric: ReportMetric, _ segments: [TimeRange]
    ) -> [TotalRow] {
        var sums: [Int: [String: Int64]] = [:]
        for member in question.members {
            let all = devices(of: member, now: question.now) {
                question.devices.isEmpty || question.devices.contains($0)
            }
            let chosen = all.map { selected(question, $0) }
            var asked = chosen.map(\.wholes)
            switch grouping {
            case .total, .member, .device: asked = chosen.map(\.counted)
            case .domain: asked = asked.map(Self.folded)
            case .category:
                // Shares are judged by all domains of the device, asked for or not.
                asked = zip(all, asked).map { whole, part in
                    var shares = part
                    let known = IntervalSet.union(
                        of: whole.uses.filter { $0.key.kind == .domain }.map(\.value))
                    for (subject, time) in part.uses where catalogue.isBrowser(subject) {
                        shares.uses[subject] = time.subtracting(known)
                    }
                    return shares
                }
            case .app: break
            }
            let rows =
                metric == .duration
                ? Totals.durations(of: asked, by: grouping, catalogue: catalogue, in: segments)
                : Totals.counts(
                    of: metric == .pickups ? .pickup : .notification, on: asked, by: grouping,
                    catalogue: catalogue, in: segments)
            for row in rows {
                sums[row.segment, default: [:]][grouping == .member ? member : row.key, default: 0] +=
                    row.value
            }
        }
        return sums.sorted { $0.key < $1.key }.flatMap { segment, cells in
            cells.sorted { $0.key < $1.key }.map { TotalRow(segment: segment, key: $0.key, value: $0.value) }
        }
    }

    private static func folded(_ device: DeviceUse) -> DeviceUse {
        var folded = DeviceUse(device: device.device)
        func fold(_ subject: Subject) -> Subject {
            subject.kind == .domain ? .domain(site(subject.id)) : subject
        }
        for (subject, time) in device.uses {
            folded.uses[fold(subject)] = folded.uses[fold(subject)]?.union(time) ?? time
        }
        folded.marks = device.marks.map { Mark($0.kind, at: $0.at, subject: $0.subject.map(fold)) }
        return folded
    }
}
