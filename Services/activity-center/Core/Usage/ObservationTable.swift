import Loop
import Rules
import Store

/// The observations and checkpoints of all streams.
@LoopActor final class ObservationTable {
    private let database: Database
    private let subjects: SubjectTable

    init(_ database: Database, _ subjects: SubjectTable) {
        self.database = database
        self.subjects = subjects
    }

    /// Observations between two checkpoints.
    nonisolated static let checkpointEvery = 4_096

    // MARK: observations

    /// What a change is as a row.
    func entry(_ change: UsageChange, _ place: Stream.Place) throws(StoreError) -> Entry {
        let parts = change.kind.parts
        return Entry(
            row: Entry.Row(
                order_ms: place.order_ms, ordinal: change.ordinal, kind: parts.code.rawValue,
                first: try subjects.id(parts.first), second: try subjects.id(parts.second),
                instance: parts.instance, boot: try subjects.bootID(change.boot?.id),
                elapsed_ms: change.boot?.elapsed_ms ?? 0, correction_ms: place.order_ms - change.at_ms,
                shift_ms: place.order_ms - place.at_ms),
            change: UsageChange(
                at_ms: place.at_ms, ordinal: change.ordinal, boot: change.boot, change.kind))
    }

    /// Stores those that are not there yet.
    /// - Returns: the new ones, in the order given.
    func insert(_ entries: [Entry], into stream: Int64) throws(StoreError) -> [Entry] {
        let statement = try database.prepare(
            """
            INSERT OR IGNORE INTO observation (stream, order_ms, ordinal, kind, first, second, instance, boot,
                elapsed_ms, correction_ms, shift_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """)
        try statement.bind(1, stream)
        var fresh: [Entry] = []
        fresh.reserveCapacity(entries.count)
        for entry in entries {
            let row = entry.row
            try statement.bind(2, row.order_ms)
            try statement.bind(3, row.ordinal)
            try statement.bind(4, row.kind)
            try statement.bind(5, row.first)
            try statement.bind(6, row.second)
            try statement.bind(7, row.instance)
            try statement.bind(8, row.boot)
            try statement.bind(9, row.elapsed_ms)
            try statement.bind(10, row.correction_ms)
            try statement.bind(11, row.shift_ms)
            try statement.run()
            if database.changedRows > 0 { fresh.append(entry) }
        }
        return fresh
    }

    /// What stands in the place of these observations since their subjects were forgotten: told again, they
    /// come back into it.
    func standIns(for entries: [Entry], of stream: Int64) throws -> [Entry] {
        let forgotten = try subjects.forgotten()
        guard !forgotten.isEmpty else { return [] }
        let statement = try database.prepare(
            """
            SELECT \(Self.columns) FROM observation WHERE stream = ?1 AND order_ms = ?2 AND ordinal = ?3
            AND kind = ?4 AND instance = ?5 AND boot = ?6 AND elapsed_ms = ?7
            """)
        defer { statement.reset() }
        var found: [Entry] = []
        for row in entries.map(\.row) {
            let isUnnamed = row.kind == Entry.Code.focusUnknown.rawValue
            try statement.bind(
                all: [
                    stream, row.order_ms, row.ordinal, isUnnamed ? Entry.Code.focusApp.rawValue : row.kind,
                    row.instance, row.boot, row.elapsed_ms,
                ])
            while try statement.step() {
                let entry = try read(statement)
                let isSame = entry.row.first == row.first && entry.row.second == row.second
                guard !isSame, entry.row.first == row.first || forgotten.contains(entry.row.first),
                    entry.row.second == row.second || forgotten.contains(entry.row.second)
                else { continue }
                if !found.contains(entry) { found.append(entry) }
                break
            }
            statement.reset()
        }
        return found.sorted()
    }

    func remove(_ entries: [Entry], of stream: Int64) throws(StoreError) {
        for row in entries.map(\.row) {
            try database.run(
                """
                DELETE FROM observation WHERE stream = ?1 AND order_ms = ?2 AND ordinal = ?3 AND kind = ?4
                AND first = ?5 AND second = ?6 AND instance = ?7 AND boot = ?8 AND elapsed_ms = ?9
                """, stream, row.order_ms, row.ordinal, row.kind, row.first, row.second, row.instance,
                row.boot,
                row.elapsed_ms)
        }
    }

    private static let columns =
        "order_ms, ordinal, kind, first, second, instance, boot, elapsed_ms, correction_ms, shift_ms"

    /// Hands over all observations from `from_ms` on, in order, until `body` returns false.
    func forEach(of stream: Int64, from from_ms: Int64, _ body: (Entry) throws -> Bool) throws {
        let statement = try database.prepare(
            """
            SELECT \(Self.columns) FROM observation WHERE stream = ?1 AND order_ms >= ?2
            ORDER BY order_ms, ordinal
            """
        )
        defer { statement.reset() }
        try statement.bind(1, stream)
        try statement.bind(2, from_ms)
        // The table orders kinds and names by number; the rules order them by content.
        var tied: [Entry] = []
        while try statement.step() {
            let entry = try read(statement)
            if let first = tied.first,
                first.row.order_ms != entry.row.order_ms || first.row.ordinal != entry.row.ordinal
            {
                for one in tied.sorted() where try !body(one) { return }
                tied.removeAll(keepingCapacity: true)
            }
            tied.append(entry)
        }
        for one in tied.sorted() where try !body(one) { return }
    }

    /// The last observation of a stream in the rules' order.
    func last(of stream: Int64) throws -> Entry? {
        let statement = try database.prepare(
            """
            SELECT \(Self.columns) FROM observation WHERE stream = ?1
            AND order_ms = (SELECT max(order_ms) FROM observation WHERE stream = ?1)
            """)
        defer { statement.reset() }
        try statement.bind(1, stream)
        var last: Entry?
        while try statement.step() {
            let entry = try read(statement)
            if let known = last, entry < known { continue }
            last = entry
        }
        return last
    }

    private func read(_ statement: Statement) throws(StoreError) -> Entry {
        let row = Entry.Row(
            order_ms: statement.int64(0), ordinal: statement.int64(1), kind: statement.int64(2),
            first: statement.int64(3), second: statement.int64(4), instance: statement.int64(5),
            boot: statement.int64(6), elapsed_ms: statement.int64(7), correction_ms: statement.int64(8),
            shift_ms: statement.int64(9))
        guard let code = Entry.Code(rawValue: row.kind),
            let kind = UsageChange.Kind(
                code, try subjects.subject(row.first), try subjects.subject(row.second), row.instance)
        else {
            throw StoreError(.damaged, message: "\(database.path) holds an observation of an unknown kind")
        }
        let boot: UsageChange.BootTime? =
            row.boot == SubjectTable.none
            ? nil : .init(id: try subjects.boot(row.boot), elapsed_ms: row.elapsed_ms)
        return Entry(
            row: row,
            change: UsageChange(
                at_ms: row.order_ms - row.shift_ms, ordinal: row.ordinal, boot: boot, kind))
    }

    func remove(of stream: Int64, from from_ms: Int64, to to_ms: Int64) throws(StoreError) {
        try database.run(
            "DELETE FROM observation WHERE stream = ?1 AND order_ms >= ?2 AND order_ms < ?3", stream, from_ms,
            to_ms)
    }

    // MARK: checkpoints

    struct Checkpoint {
        var before_ms: Int64
        var machine: [UInt8]
    }

    func save(_ checkpoint: Checkpoint, of stream: Int64) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO checkpoint (stream, before_ms, machine) VALUES (?1, ?2, ?3)",
            stream, checkpoint.before_ms, checkpoint.machine)
    }

    /// The newest one that an observation at `order_ms` does not touch; nil: begin at the beginning.
    func checkpoint(of stream: Int64, until order_ms: Int64) throws(StoreError) -> Checkpoint? {
        try database.first(
            """
            SELECT before_ms, machine FROM checkpoint WHERE stream = ?1 AND before_ms <= ?2
            ORDER BY before_ms DESC LIMIT 1
            """, stream, order_ms
        ) { Checkpoint(before_ms: $0.int64(0), machine: $0.bytes(1)) }
    }

    /// Replaces the checkpoints in (after_ms, through_ms].
    func replaceCheckpoints(
        of stream: Int64, after after_ms: Int64, through through_ms: Int64, by saved: [Checkpoint]
    ) throws(StoreError) {
        try database.run(
            "DELETE FROM checkpoint WHERE stream = ?1 AND before_ms > ?2 AND before_ms <= ?3",
            stream, after_ms, through_ms)
        for checkpoint in saved { try save(checkpoint, of: stream) }
    }
}
