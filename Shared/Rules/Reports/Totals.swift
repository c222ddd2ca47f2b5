package import Contract
import Units

/// One cell of a report, without the label of its segment.
package struct TotalRow: Hashable, Sendable {
    /// Index of the segment.
    package let segment: Int
    /// App, category, domain, device, member, or `all`.
    package let key: String
    /// Milliseconds, or a number of pickups or notifications.
    package let value: Int64

    package init(segment: Int, key: String, value: Int64) {
        self.segment = segment
        self.key = key
        self.value = value
    }
}

/// Computes reports over one member's devices directly from the intervals: the reference for roll-ups.
/// `segments` must be sorted and disjoint (``Zone/segments(_:from:through:dayStart:)`` makes them).
///
/// Rows are sorted by segment, then by key; rows of zero are omitted. What a row contains:
/// - `app`, `domain`: one app, one host, united over devices;
/// - `category`: the sum of its apps and domains, each united over devices; time of a browser with a known
///   domain counts for the domain's category;
/// - `device`: the union of all use on it; `total`, `member`: the union of all use, with the key `all`.
package enum Totals {
    /// The key of rows about everything.
    package static let allKey = "all"

    /// Rows with milliseconds of use.
    package static func durations(
        of devices: [DeviceUse], by key: ReportGrouping, catalogue: Catalogue = Catalogue(),
        in segments: [TimeRange]
    ) -> [TotalRow] {
        var table = Table()
        switch key {
        case .app: table.add(united(devices, .app), segments) { $0.id }
        case .domain: table.add(united(devices, .domain), segments) { $0.id }
        case .category:
            let shares = united(devices.map { $0.categoryShares(catalogue) })
            table.add(shares, segments) { catalogue.category(of: $0) }
        case .device:
            for device in devices { table.add([device.device: device.union], segments) { $0 } }
        case .member, .total:
            table.add([allKey: IntervalSet.union(of: devices.map(\.union))], segments) { $0 }
        }
        return table.rows
    }

    /// Rows with numbers of pickups or notifications. By category each mark counts for its subject's
    /// category. Marks without a subject only count by device and in total.
    package static func counts(
        of kind: Mark.Kind, on devices: [DeviceUse], by key: ReportGrouping,
        catalogue: Catalogue = Catalogue(),
        in segments: [TimeRange]
    ) -> [TotalRow] {
        var table = Table()
        for device in devices {
            for mark in device.marks where mark.kind == kind {
                guard let segment = index(of: mark.at, in: segments) else { continue }
                guard let name = name(of: mark, on: device, by: key, catalogue) else { continue }
                table.add(1, segment, name)
            }
        }
        return table.rows
    }

    /// Each subject's time united over all devices, so that simultaneous use counts once.
    package static func united(_ devices: [DeviceUse], _ kind: Subject.Kind) -> [Subject: IntervalSet] {
        united(devices.map { $0.uses.filter { $0.key.kind == kind } })
    }

    static func united(_ parts: [[Subject: IntervalSet]]) -> [Subject: IntervalSet] {
        var whole: [Subject: IntervalSet] = [:]
        for part in parts {
            whole.merge(part) { $0.union($1) }
        }
        return whole
    }

    private static func name(
        of mark: Mark, on device: DeviceUse, by key: ReportGrouping, _ catalogue: Catalogue
    ) -> String? {
        switch key {
        case .app: mark.subject?.kind == .app ? mark.subject?.id : nil
        case .domain: mark.subject?.kind == .domain ? mark.subject?.id : nil
        case .category: mark.subject.map { catalogue.category(of: $0) }
        case .device: device.device
        case .member, .total: allKey
        }
    }

    /// The index of the segment that contains `instant`. Binary search.
    private static func index(of instant: Instant, in segments: [TimeRange]) -> Int? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = low + (high - low) / 2
            if segments[middle].end > instant { high = middle } else { low = middle + 1 }
        }
        return low < segments.count && segments[low].contains(instant) ? low : nil
    }
}

/// Sums per (segment, key).
private struct Table {
    private var cells: [String: [Int: Int64]] = [:]

    mutating func add(_ value: Int64, _ segment: Int, _ key: String) {
        cells[key, default: [:]][segment, default: 0] += value
    }

    mutating func add<Name: Hashable>(
        _ sets: [Name: IntervalSet], _ segments: [TimeRange], key: (Name) -> String
    ) {
        for (name, set) in sets {
            let key = key(name)
            set.forEachTotal(in: segments) { segment, total in add(total.count, segment, key) }
        }
    }

    var rows: [TotalRow] {
        let keys = cells.keys.sorted()
        var rows: [TotalRow] = []
        for key in keys {
            for (segment, value) in cells[key, default: [:]] where value != 0 {
                rows.append(TotalRow(segment: segment, key: key, value: value))
            }
        }
        return rows.sorted { ($0.segment, $0.key) < ($1.segment, $1.key) }
    }
}
