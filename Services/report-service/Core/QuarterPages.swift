import Rules
import Store
import Units

/// The quarters of all members. They are read on demand, changed in memory, and written at the end of a turn,
/// so that a quarter changed by many events is written once.
final class QuarterPages {
    struct Key: Hashable {
        var member: Int
        var quarter: Int64
    }

    private let database: Database
    private var changed: [Key: [UseRecord]] = [:]

    init(_ database: Database) { self.database = database }

    var isChanged: Bool { !changed.isEmpty }

    func discard() { changed = [:] }

    func records(_ key: Key) throws(StoreError) -> [UseRecord] {
        if let records = changed[key] { return records }
        let stored = try database.first(
            "SELECT records FROM quarter WHERE member = ?1 AND quarter = ?2", key.member, key.quarter
        ) { (row) throws(StoreError) in try Self.records(row, 0, key.quarter) }
        return stored ?? []
    }

    /// Quarters with any record, from the one that contains `start` to the one that contains `end`.
    func quarters(of member: Int, from start: Instant, to end: Instant) throws(StoreError) -> Set<Int64> {
        let range = Quarter.holding(start)...Quarter.holding(end)
        let stored = try database.query(
            "SELECT quarter FROM quarter WHERE member = ?1 AND quarter >= ?2 AND quarter <= ?3", member,
            range.lowerBound, range.upperBound
        ) { $0.int64(0) }
        let fresh = changed.keys.lazy.filter { $0.member == member && range.contains($0.quarter) }
        return Set(stored).union(fresh.map(\.quarter))
    }

    func change(_ pages: [Key: [UseRecord]]) { changed.merge(pages) { $1 } }

    /// Call inside a write.
    func write() throws(StoreError) {
        for (key, records) in changed {
            guard let reach = records.map(\.end).max() else {
                try database.run(
                    "DELETE FROM quarter WHERE member = ?1 AND quarter = ?2", key.member, key.quarter)
                continue
            }
            try database.run(
                "INSERT OR REPLACE INTO quarter (member, quarter, reach_ms, records) VALUES (?1, ?2, ?3, ?4)",
                key.member, key.quarter, reach,
                UseRecords.packed(records.sorted(), from: Quarter.start(key.quarter)))
        }
        changed = [:]
    }

    static func records(
        _ row: Statement, _ column: Int, _ quarter: Int64
    ) throws(StoreError) -> [UseRecord] {
        let start = Quarter.start(quarter)
        // Any error inside the closure becomes nil; there is only one kind.
        let records = row.withBytes(column) { try? UseRecords.unpacked($0, from: start) }
        guard let records else { throw StoreError(.damaged, message: "the records of a quarter are damaged") }
        return records
    }
}
