package import Units

/// Serialisation of sections: for each its device (0: all devices together, omitted if there is one device),
/// the number of bytes that follow, and the summary. Instants are relative to `origin`, the start of the
/// segment.
extension UseSections {
    static let everything = 0

    /// The sections as bytes.
    /// - Parameter origin: not after any instant inside. Numbers of devices start at 1.
    package func packed(from origin: Instant) -> [UInt8] {
        var writer = PackedWriter()
        func add(_ device: Int, _ summary: UseSummary) {
            var part = PackedWriter()
            part.add(summary, origin)
            writer.number(device)
            writer.number(part.bytes.count)
            writer.append(part)
        }
        if devices.count > 1 { add(Self.everything, all) }
        for section in devices { add(section.device, section.summary) }
        return writer.bytes
    }

    /// Reads the bytes of ``packed(from:)``.
    /// - Parameter detail: what is needed of it; the rest is omitted.
    package init(
        packed bytes: UnsafeRawBufferPointer, from origin: Instant, _ detail: UseDetail
    ) throws(PackedReader.Damaged) {
        var sum = UseSectionsSum(detail)
        try sum.add(packed: bytes, from: origin)
        self = sum.total
    }
}

/// Flags for the numbers of an entry that follow; the lowest two bits are the kind.
private enum Present {
    static let duration: Int64 = 4
    static let share: Int64 = 8
    static let marks: Int64 = 16
}

extension PackedWriter {
    fileprivate mutating func add(_ summary: UseSummary, _ origin: Instant) {
        number(summary.duration)
        number(summary.firstPickup.map { ($0 - origin).count + 1 } ?? 0)
        let runs = [summary.runs.first, summary.runs.last, summary.runs.longest].compactMap { $0 }
        number(runs.count)
        for run in runs {
            number(run.start - origin)
            number(run.duration)
        }
        number(summary.entries.count)
        var previous = 0
        for entry in summary.entries {
            // Numbers are ascending only within a kind.
            let isRising = entry.subject >= previous
            let hasShare = entry.share != entry.duration
            let hasMarks = entry.pickups != 0 || entry.notifications != 0
            number(
                Int64(entry.kind.rawValue) + (entry.duration != 0 ? Present.duration : 0)
                    + (hasShare ? Present.share : 0) + (hasMarks ? Present.marks : 0) + (isRising ? 0 : 32))
            number(isRising ? entry.subject - previous : entry.subject)
            previous = entry.subject
            if entry.duration != 0 { number(entry.duration) }
            if hasShare { number(entry.share) }
            guard hasMarks else { continue }
            number(entry.pickups)
            number(entry.notifications)
        }
    }
}

extension PackedReader {
    /// The beginning of a section: its device.
    mutating func section() throws(Damaged) -> Int {
        let device = try integer()
        _ = try number()
        return device
    }

    /// Reads everything of a summary but its entries.
    /// - Returns: their number.
    mutating func head(of summary: inout UseSummary, _ origin: Instant) throws(Damaged) -> Int {
        summary.duration = try time()
        let pickup = try time()
        if pickup > 0 { summary.firstPickup = origin + (pickup - 1) }
        switch try number() {
        case 0: break
        case 3:
            summary.runs.first = try run(origin)
            summary.runs.last = try run(origin)
            summary.runs.longest = try run(origin)
        default: throw Damaged()
        }
        return try integer()
    }

    /// Reads the entries of a summary that has none.
    mutating func entries(_ count: Int, of summary: inout UseSummary) throws(Damaged) {
        summary.entries.reserveCapacity(min(count, 4_096))
        var previous = 0
        for _ in 0..<count {
            let entry = try entry(after: previous)
            previous = entry.subject
            summary.entries.append(entry)
        }
    }

    private mutating func run(_ origin: Instant) throws(Damaged) -> TimeRange {
        let start = origin + (try time())
        guard let run = TimeRange(start: start, end: start + (try time())) else {
            throw Damaged()
        }
        return run
    }

    @inline(__always)
    mutating func entry(after previous: Int) throws(Damaged) -> UseEntry {
        let flags = try number()
        guard let kind = UseEntry.Kind(rawValue: UInt8(flags & 3)) else { throw Damaged() }
        let number = try integer()
        var entry = UseEntry(kind, flags & 32 == 0 ? previous &+ number : number)
        if flags & Present.duration != 0 { entry.duration = try time() }
        entry.share = flags & Present.share != 0 ? try time() : entry.duration
        if flags & Present.marks != 0 {
            entry.pickups = try self.number()
            entry.notifications = try self.number()
        }
        return entry
    }
}
