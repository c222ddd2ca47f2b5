import Rules
import Store
import Units

/// The records of a time range, cut to it.
struct Recorded {
    var uses: [RecordedUse] = []
    var marks: [RecordedMark] = []
}

extension UsageCopy {
    // MARK: writing

    /// Computes the roll-ups of these quarters again. Call inside a write.
    func rollUp(_ quarters: ClosedRange<Int64>, of member: Int) throws {
        var recorded: [Int64: Recorded] = [:]
        let window = TimeRange(
            start: Quarter.start(quarters.lowerBound), end: Quarter.start(quarters.upperBound + 1)
        )
        guard let window else { return }
        for record in try records(of: member, in: window) {
            let owner = try directory.owner(of: record.series)
            Self.cut(record, to: window) { quarter, part in
                recorded[quarter, default: Recorded()].add(record, part, owner)
            }
        }
        let insert = try database.prepare(
            "INSERT OR REPLACE INTO rollup (member, quarter, sections) VALUES (?1, ?2, ?3)")
        let delete = try database.prepare("DELETE FROM rollup WHERE member = ?1 AND quarter = ?2")
        for quarter in quarters {
            let parts = recorded[quarter] ?? Recorded()
            let sections = UseSections(uses: parts.uses, marks: parts.marks)
            if sections.isEmpty {
                try delete.run(member, quarter)
            } else {
                try insert.run(member, quarter, sections.packed(from: Quarter.start(quarter)))
            }
        }
    }

    /// Calls `body` with each quarter of the window that contains a part of the record, and that part; a mark
    /// has no length.
    private static func cut(
        _ record: UseRecord, to window: TimeRange, _ body: (Int64, TimeRange?) -> Void
    ) {
        guard record.kind == .use else { return body(Quarter.holding(record.at), nil) }
        var start = max(record.at, window.start)
        let end = min(record.end, window.end)
        while start < end {
            let quarter = Quarter.holding(start)
            let part = min(end, Quarter.start(quarter + 1))
            body(quarter, TimeRange(start: start, end: part))
            start = part
        }
    }

    // MARK: reading

    /// Uses that overlap the window, uncut, and marks inside it, in the order in which they begin; without
    /// uses of more than a day.
    func records(of member: Int, in window: TimeRange) throws -> [UseRecord] {
        var found: [UseRecord] = []
        let first = Quarter.holding(window.start)
        try database.each(
            "SELECT quarter, records FROM quarter WHERE member = ?1 AND quarter >= ?2 AND quarter <= ?3 "
                + "AND reach_ms >= ?4 ORDER BY quarter", member, first - ReportLimits.quartersLookedBack,
            Quarter.holding(window.end - 1), window.start
        ) { row in
            for record in try QuarterPages.records(row, 1, row.int64(0)) where record.at < window.end {
                let isInside =
                    record.kind == .use ? record.end > window.start : record.at >= window.start
                if isInside { found.append(record) }
            }
        }
        return found
    }

    /// The roll-up of any range: complete hours and quarters from the tables, the rest from the records.
    /// Without uses of more than a day and open uses.
    /// - Parameter detail: what is needed of it.
    func sections(of member: Int, in range: TimeRange, _ detail: UseDetail) throws -> UseSections {
        let first = Quarter.after(range.start)
        let last = Quarter.holding(range.end)
        guard first < last else { return try finer(member, range.start, range.end) }
        var sum = UseSectionsSum(detail)
        sum.add(try finer(member, range.start, Quarter.start(first)))
        let hours = (first: Hour.after(quarter: first), last: Hour.holding(quarter: last))
        if hours.first < hours.last {
            try add(.quarters, first..<hours.first * Hour.quarters, of: member, to: &sum)
            try add(.hours, hours.first..<hours.last, of: member, to: &sum)
            try add(.quarters, hours.last * Hour.quarters..<last, of: member, to: &sum)
        } else {
            try add(.quarters, first..<last, of: member, to: &sum)
        }
        sum.add(try finer(member, Quarter.start(last), range.end))
        return sum.total
    }

    private func add(
        _ length: RollupLength, _ range: Range<Int64>, of member: Int, to sum: inout UseSectionsSum
    ) throws {
        guard !range.isEmpty else { return }
        let rows = try RollupRows(database, length, range, of: member)
        while try rows.next() { try rows.add(to: &sum) }
    }

    private func finer(_ member: Int, _ start: Instant, _ end: Instant) throws -> UseSections {
        guard let range = TimeRange(start: start, end: end) else { return UseSections() }
        let recorded = try recorded(of: member, in: range, besides: [])
        return UseSections(uses: recorded.uses, marks: recorded.marks)
    }

    /// All records of a range, cut to it.
    /// - Parameter besides: uses that are in no quarter.
    func recorded(of member: Int, in range: TimeRange, besides others: [RecordedUse]) throws -> Recorded {
        var recorded = Recorded()
        for record in try records(of: member, in: range) {
            let part = TimeRange(
                start: max(record.at, range.start), end: min(record.end, range.end))
            recorded.add(record, part, try directory.owner(of: record.series))
        }
        for var other in others {
            guard let part = other.interval.intersection(range) else { continue }
            other.interval = part
            recorded.uses.append(other)
        }
        return recorded
    }
}

extension Recorded {
    /// - part: the part of a use that counts; nil if none does, or for a mark.
    mutating func add(_ record: UseRecord, _ part: TimeRange?, _ owner: UsageDirectory.Owner) {
        if let kind = record.mark {
            marks.append(
                RecordedMark(
                    device: owner.device, subject: owner.subject, kind: kind, at: record.at,
                    count: record.amount))
        } else if let part {
            uses.append(RecordedUse(device: owner.device, subject: owner.subject, interval: part))
        }
    }
}
