import Loop
import Rules
import Store
import Units

/// The observations and checkpoints of all streams.
@LoopActor final class ObservationTable {
    private let database: Database
    private let subjects: SubjectTable

    init(_ database: Database, _ subjects: SubjectTable) {
        self.database = database
        self.subjects = subjects
    }

    /// Number of observations between two checkpoints.
    nonisolated static let checkpointEvery = 4_096

    // MARK: observations

    /// Converts a change to a row.
    func entry(_ change: UsageChange, _ place: Stream.Place) throws(StoreError) -> Entry {
        let parts = change.kind.parts
        return Entry(
            row: Entry.Row(
                order: place.order, ordinal: change.ordinal, kind: parts.code.rawValue,
                first: try subjects.id(parts.first), second: try subjects.id(parts.second),
                instance: parts.instance, boot: try subjects.bootID(change.boot?.id),
                elapsed: change.boot?.elapsed ?? 0, correction: place.order - change.at,
                shift: place.order - place.at),
            change: UsageChange(
                at: place.at, ordinal: change.ordinal, boot: change.boot, change.kind))
    }

    /// Inserts observations that are not stored yet.
    /// - Returns: the new ones, in the given order.
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
            try statement.bind(2, row.order)
            try statement.bind(3, row.ordinal)
            try statement.bind(4, row.kind)
            try statement.bind(5, row.first)
            try statement.bind(6, row.second)
            try statement.bind(7, row.instance)
            try statement.bind(8, row.boot)
            try statement.bind(9, row.elapsed)
            try statement.bind(10, row.correction)
            try statement.bind(11, row.shift)
            try statement.run()
            if database.changedRows > 0 { fresh.append(entry) }
        }
        return fresh
    }

    /// The rows with placeholder names that replaced these observations when their subjects were forgotten.
    /// When reported again, the observations take their places back.
    func placeholders(for entries: [Entry], of stream: Int64) throws -> [Entry] {
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
                    stream, row.order, row.ordinal, isUnnamed ? Entry.Code.focusApp.rawValue : row.kind,
                    row.instance, row.boot, row.elapsed,
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
                """, stream, row.order, row.ordinal, row.kind, row.first, row.second, row.instance,
                row.boot,
                row.elapsed)
        }
    }

    private static let columns =
        "order_ms, ordinal, kind, first, second, instance, boot, elapsed_ms, correction_ms, shift_ms"

    /// Calls `body` with each observation from `from` on, in order, until it returns false.
    func forEach(of stream: Int64, from: Instant, _ body: (Entry) throws -> Bool) throws {
        let statement = try database.prepare(
            """
            SELECT \(Self.columns) FROM observation WHERE stream = ?1 AND order_ms >= ?2
            ORDER BY order_ms, ordinal
            """
        )
        defer { statement.reset() }
        try statement.bind(1, stream)
        try statement.bind(2, from)
        // The table sorts kinds and names by number; the rules sort them by content.
        var tied: [Entry] = []
        while try statement.step() {
            let entry = try read(statement)
            if let first = tied.first,
                first.row.order != entry.row.order || first.row.ordinal != entry.row.ordinal
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
            order: statement.instant(0), ordinal: statement.int64(1), kind: statement.int64(2),
            first: statement.int64(3), second: statement.int64(4), instance: statement.int64(5),
            boot: statement.int64(6), elapsed: statement.milliseconds(7),
            correction: statement.milliseconds(8),
            shift: statement.milliseconds(9))
        guard let code = Entry.Code(rawValue: row.kind),
            let kind = UsageChange.Kind(
                code, try subjects.subject(row.first), try subjects.subject(row.second), row.instance)
        else {
            throw StoreError(.damaged, message: "\(database.path) holds an observation of an unknown kind")
        }
        let boot: UsageChange.BootTime? =
            row.boot == SubjectTable.none
            ? nil : .init(id: try subjects.boot(row.boot), elapsed: row.elapsed)
        return Entry(
            row: row,
            change: UsageChange(
                at: row.order - row.shift, ordinal: row.ordinal, boot: boot, kind))
    }

    func remove(of stream: Int64, from: Instant, to: Instant) throws(StoreError) {
        try database.run(
            "DELETE FROM observation WHERE stream = ?1 AND order_ms >= ?2 AND order_ms < ?3", stream, from,
            to)
    }

    // MARK: checkpoints

    struct Checkpoint {
        var before: Instant
        var machine: [UInt8]
    }

    func save(_ checkpoint: Checkpoint, of stream: Int64) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO checkpoint (stream, before_ms, machine) VALUES (?1, ?2, ?3)",
            stream, checkpoint.before, checkpoint.machine)
    }

    /// The newest checkpoint that is not after `order`. Nil means to start from the beginning.
    func checkpoint(of stream: Int64, until order: Instant) throws(StoreError) -> Checkpoint? {
        try database.first(
            """
            SELECT before_ms, machine FROM checkpoint WHERE stream = ?1 AND before_ms <= ?2
            ORDER BY before_ms DESC LIMIT 1
            """, stream, order
        ) { Checkpoint(before: $0.instant(0), machine: $0.bytes(1)) }
    }

    /// Replaces the checkpoints in (after, through].
    func replaceCheckpoints(
        of stream: Int64, after: Instant, through: Instant, by saved: [Checkpoint]
    ) throws(StoreError) {
        try database.run(
            "DELETE FROM checkpoint WHERE stream = ?1 AND before_ms > ?2 AND before_ms <= ?3",
            stream, after, through)
        for checkpoint in saved { try save(checkpoint, of: stream) }
    }
}
