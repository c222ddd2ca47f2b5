/// Sections as bytes: for each its device (0: all devices together, left out when there is one device), how
/// many bytes follow, and the summary. Instants count from `origin_ms`, the begin of the stretch.
extension UseSections {
    private static let everything = 0

    /// - origin_ms: nothing inside lies before it. Numbers of devices begin at 1.
    package func packed(from origin_ms: Int64) -> [UInt8] {
        var writer = PackedWriter()
        func add(_ device: Int, _ summary: UseSummary) {
            var part = PackedWriter()
            part.add(summary, origin_ms)
            writer.number(device)
            writer.number(part.bytes.count)
            writer.append(part)
        }
        if devices.count > 1 { add(Self.everything, all) }
        for section in devices { add(section.device, section.summary) }
        return writer.bytes
    }

    package init(packed bytes: UnsafeRawBufferPointer, from origin_ms: Int64) throws(PackedReader.Damaged) {
        var reader = PackedReader(bytes)
        while !reader.isAtEnd {
            let device = try reader.integer()
            _ = try reader.number()
            let summary = try reader.summary(origin_ms)
            if device == Self.everything {
                all = summary
            } else {
                devices.append(Section(device: device, summary: summary))
            }
        }
        guard devices.count == 1 else { return }
        all = devices[0].summary
        all.runs = UseRuns()
    }
}

extension UseSummary {
    /// The part of packed sections that tells of all devices together, without reading the others.
    package init(allOf bytes: UnsafeRawBufferPointer, from origin_ms: Int64) throws(PackedReader.Damaged) {
        var reader = PackedReader(bytes)
        guard !reader.isAtEnd else { return }
        // All devices together come first, or the only device there is.
        _ = try reader.number()
        _ = try reader.number()
        self = try reader.summary(origin_ms)
        runs = UseRuns()
    }
}

/// Which numbers of an entry follow; the kind stands in the lowest two bits.
private enum Present {
    static let duration: Int64 = 4
    static let share: Int64 = 8
    static let marks: Int64 = 16
}

extension PackedWriter {
    fileprivate mutating func add(_ summary: UseSummary, _ origin_ms: Int64) {
        number(summary.duration_ms)
        number(summary.firstPickup_ms.map { $0 - origin_ms + 1 } ?? 0)
        let runs = [summary.runs.first, summary.runs.last, summary.runs.longest].compactMap { $0 }
        number(runs.count)
        for run in runs {
            number(run.start_ms - origin_ms)
            number(run.duration_ms)
        }
        number(summary.entries.count)
        var previous = 0
        for entry in summary.entries {
            // Numbers rise within a kind only.
            let isRising = entry.subject >= previous
            let hasShare = entry.share_ms != entry.duration_ms
            let hasMarks = entry.pickups != 0 || entry.notifications != 0
            number(
                Int64(entry.kind.rawValue) + (entry.duration_ms != 0 ? Present.duration : 0)
                    + (hasShare ? Present.share : 0) + (hasMarks ? Present.marks : 0) + (isRising ? 0 : 32))
            number(isRising ? entry.subject - previous : entry.subject)
            previous = entry.subject
            if entry.duration_ms != 0 { number(entry.duration_ms) }
            if hasShare { number(entry.share_ms) }
            guard hasMarks else { continue }
            number(entry.pickups)
            number(entry.notifications)
        }
    }
}

extension PackedReader {
    fileprivate mutating func summary(_ origin_ms: Int64) throws(Damaged) -> UseSummary {
        var summary = UseSummary()
        summary.duration_ms = try number()
        let pickup = try number()
        if pickup > 0 { summary.firstPickup_ms = origin_ms &+ pickup - 1 }
        switch try number() {
        case 0: break
        case 3:
            summary.runs.first = try run(origin_ms)
            summary.runs.last = try run(origin_ms)
            summary.runs.longest = try run(origin_ms)
        default: throw Damaged()
        }
        let count = try integer()
        summary.entries.reserveCapacity(min(count, 4_096))
        var previous = 0
        for _ in 0..<count {
            let entry = try entry(after: previous)
            previous = entry.subject
            summary.entries.append(entry)
        }
        return summary
    }

    private mutating func run(_ origin_ms: Int64) throws(Damaged) -> TimeRange {
        let start_ms = origin_ms &+ (try number())
        guard let run = TimeRange(start_ms: start_ms, end_ms: start_ms &+ (try number())) else {
            throw Damaged()
        }
        return run
    }

    private mutating func entry(after previous: Int) throws(Damaged) -> UseEntry {
        let flags = try number()
        guard let kind = UseEntry.Kind(rawValue: UInt8(flags & 3)) else { throw Damaged() }
        let number = try integer()
        var entry = UseEntry(kind, flags & 32 == 0 ? previous &+ number : number)
        if flags & Present.duration != 0 { entry.duration_ms = try self.number() }
        entry.share_ms = flags & Present.share != 0 ? try self.number() : entry.duration_ms
        if flags & Present.marks != 0 {
            entry.pickups = try self.number()
            entry.notifications = try self.number()
        }
        return entry
    }
}
