import Rules
import Store
import Units

/// Length of the time range of one roll-up.
enum RollupLength {
    case quarters
    case hours

    fileprivate var query: String {
        switch self {
        case .quarters:
            "SELECT quarter, sections FROM rollup WHERE member = ?1 AND quarter >= ?2 AND quarter < ?3 "
                + "ORDER BY quarter"
        case .hours:
            "SELECT hour, sections FROM hour WHERE member = ?1 AND hour >= ?2 AND hour < ?3 ORDER BY hour"
        }
    }

    var time: Milliseconds {
        switch self {
        case .quarters: Quarter.length
        case .hours: .hour
        }
    }
}

/// The stored roll-ups of a range, in order. Empty ones are not stored.
struct RollupRows: ~Copyable {
    private let rows: Statement
    private let length: RollupLength

    init(
        _ database: Database, _ length: RollupLength, _ range: Range<Int64>, of member: Int
    ) throws(StoreError) {
        let rows = try database.prepare(length.query)
        try rows.bind(1, Int64(member))
        try rows.bind(2, range.lowerBound)
        try rows.bind(3, range.upperBound)
        self.rows = rows
        self.length = length
    }

    deinit { rows.reset() }

    /// Advances to the next one; false at the end.
    func next() throws(StoreError) -> Bool { try rows.step() }

    /// Number of the present quarter or hour.
    var number: Int64 { rows.int64(0) }

    /// When the present one begins.
    var start: Instant { Instant(number * length.time) }

    /// Adds the present one.
    func add(to sum: inout UseSectionsSum) throws(StoreError) {
        let start = start
        // Any error inside the closure becomes false; there is only one kind.
        let isWhole = rows.withBytes(1) { bytes in (try? sum.add(packed: bytes, from: start)) != nil }
        guard isWhole else { throw StoreError(.damaged, message: "a roll-up is damaged") }
    }
}

extension UsageCopy {
    /// Computes the sums of the hours of these quarters again. Call inside a write, after their roll-ups.
    func sumHours(of quarters: ClosedRange<Int64>, of member: Int) throws(StoreError) {
        let hours =
            Hour.holding(quarter: quarters.lowerBound)..<Hour.holding(quarter: quarters.upperBound) + 1
        try database.run(
            "DELETE FROM hour WHERE member = ?1 AND hour >= ?2 AND hour < ?3", member, hours.lowerBound,
            hours.upperBound)
        let insert = try database.prepare("INSERT INTO hour (member, hour, sections) VALUES (?1, ?2, ?3)")
        let rows = try RollupRows(
            database, .quarters, hours.lowerBound * Hour.quarters..<hours.upperBound * Hour.quarters,
            of: member)
        var sum = UseSectionsSum(.devices)
        var hour = hours.lowerBound
        func write() throws(StoreError) {
            let sections = sum.total
            if sections.isEmpty { return }
            try insert.run(member, hour, sections.packed(from: Hour.start(hour)))
        }
        while try rows.next() {
            let next = Hour.holding(quarter: rows.number)
            if next != hour {
                try write()
                sum = UseSectionsSum(.devices)
                hour = next
            }
            try rows.add(to: &sum)
        }
        try write()
    }

    /// As ``sumHours(of:of:)``. A damaged roll-up is made again: its records have everything.
    func sumHoursAgain(of quarters: ClosedRange<Int64>, of member: Int) throws {
        do throws(StoreError) { return try sumHours(of: quarters, of: member) } catch {
            guard error.kind == .damaged else { throw error }
        }
        let first = Hour.holding(quarter: quarters.lowerBound) * Hour.quarters
        let end = (Hour.holding(quarter: quarters.upperBound) + 1) * Hour.quarters
        // Few at a time, so that their records need little memory.
        for start in stride(from: first, to: end, by: ReportLimits.quartersAtOnce) {
            try rollUp(start...min(start + Int64(ReportLimits.quartersAtOnce), end) - 1, of: member)
        }
        try sumHours(of: quarters, of: member)
    }

    /// Computes all hours. Call inside a write.
    func sumAllHours() throws {
        let members = try database.query(
            "SELECT member, min(quarter), max(quarter) FROM rollup GROUP BY member"
        ) { (number: Int($0.int64(0)), quarters: $0.int64(1)...$0.int64(2)) }
        for member in members { try sumHoursAgain(of: member.quarters, of: member.number) }
    }

    /// For each of these ranges its roll-up, in one pass where all of them begin and end at full hours or
    /// quarters of UTC.
    /// - Parameter ranges: sorted and disjoint.
    func sections(
        of member: Int, inEach ranges: [TimeRange], _ detail: UseDetail
    ) throws -> [UseSections] {
        guard let length = Self.length(of: ranges), let first = ranges.first, let last = ranges.last else {
            return try ranges.map { try sections(of: member, in: $0, detail) }
        }
        var all: [UseSections] = []
        all.reserveCapacity(ranges.count)
        var sum = UseSectionsSum(detail)
        let numbers = first.start.sinceEpoch / length.time..<last.end.sinceEpoch / length.time
        let rows = try RollupRows(database, length, numbers, of: member)
        while try rows.next() {
            let start = rows.start
            while ranges[all.count].end <= start {
                all.append(sum.total)
                sum = UseSectionsSum(detail)
            }
            if ranges[all.count].start <= start { try rows.add(to: &sum) }
        }
        while all.count < ranges.count {
            all.append(sum.total)
            sum = UseSectionsSum(detail)
        }
        return all
    }

    /// The longest roll-ups that have the boundaries of all ranges; nil if there are none.
    private static func length(of ranges: [TimeRange]) -> RollupLength? {
        [RollupLength.hours, .quarters].first { length in
            ranges.allSatisfy { range in
                range.start.sinceEpoch.flooredRemainder(length.time) == 0
                    && range.end.sinceEpoch.flooredRemainder(length.time) == 0
            }
        }
    }
}
