package import Contract
import Rules
package import Store
package import Units

/// The copy of the usage log and its roll-ups. Changes are in memory until `settle`, which belongs to the
/// same transaction.
package final class UsageCopy {
    let database: Database
    let directory: UsageDirectory
    private let pages: QuarterPages
    /// Quarters, by member, whose roll-up is outdated.
    private var stale: [Int: Set<Int64>] = [:]
    /// Whether the store was opened with roll-ups, but without their sums by hour, as before those were
    /// stored.
    private let wasWithoutHours: Bool
    private var isWithoutHours: Bool
    /// Why changes are neither in memory nor in the store any more; the turn must then be undone.
    private var failure: (any Error)?

    /// The copy in a store with these tables.
    package init(_ database: Database) throws(StoreError) {
        self.database = database
        directory = UsageDirectory(database)
        pages = QuarterPages(database)
        wasWithoutHours = try Self.hasNoHours(database)
        isWithoutHours = wasWithoutHours
    }

    private static func hasNoHours(_ database: Database) throws(StoreError) -> Bool {
        try database.integer("SELECT EXISTS (SELECT 1 FROM rollup) AND NOT EXISTS (SELECT 1 FROM hour)") != 0
    }

    /// Opens a store with only these tables; for tests and tools.
    package static func open(path: String) throws(StoreError) -> Database {
        try Database(path: path, migrations: Schema.migrations)
    }

    /// Discards changes in memory after their transaction was undone.
    package func discard() {
        directory.discard()
        pages.discard()
        stale = [:]
        isWithoutHours = wasWithoutHours
        failure = nil
    }

    // MARK: writing

    /// Applies an event: it replaces all rows of (member, device, subject) that begin in its range. Call
    /// inside a write; `settle` must follow before the commit.
    /// - Returns: the instant from which reports change.
    /// - Throws: `invalidArgument` if the event violates the contract; the write must then be undone.
    package func apply(_ event: UsageRecorded) throws -> Instant {
        try UsageCheck.check(event)
        do {
            return try replace(event)
        } catch {
            // Numbers assigned in this write are invalid.
            directory.discard()
            throw error
        }
    }

    private func replace(_ event: UsageRecorded) throws(StoreError) -> Instant {
        let member = try directory.member(event.member)
        let device = try directory.device(
            event.device, model: event.deviceModel ?? "linux", of: member, latest: event.latest)
        let subject = try directory.subject(event)
        var series = try directory.series(device: device, subject: subject.number)
        let wasOpenSince = series.openSince
        let (added, long) = event.records(of: series.id)

        var changes = try removed(event, series, of: member)
        for record in added {
            let key = QuarterPages.Key(member: member, quarter: Quarter.holding(record.at))
            if changes.pages[key] == nil { changes.pages[key] = try pages.records(key) }
            changes.pages[key]?.append(record)
        }
        series.records += Int64(added.count - changes.removed.count)
        series.records += try replaceLong(event, series, long, of: member)
        series.latest = max(series.latest, (added + long).map(\.at).max() ?? 0)
        series.openSince = event.openSince
        try directory.keep(series, device: device, subject: subject.number, member: member)

        // Nothing throws from here on.
        let different = changes.removed.symmetricDifference(added)
        if !different.isEmpty {
            pages.change(changes.pages)
            for record in different { markStale(record, of: member) }
        }
        if subject.isChanged { return 0 }
        return [event.from, event.openSince, wasOpenSince].compactMap { $0 }.min() ?? event.from
    }

    /// The pages without what begins in the event's range.
    private func removed(
        _ event: UsageRecorded, _ series: UsageDirectory.Series, of member: Int
    ) throws(StoreError) -> (pages: [QuarterPages.Key: [UseRecord]], removed: Set<UseRecord>) {
        var changed: [QuarterPages.Key: [UseRecord]] = [:]
        var removed: Set<UseRecord> = []
        let last = min(event.to - 1, series.latest)
        guard series.records > 0, event.from <= last else { return (changed, removed) }
        for quarter in try pages.quarters(of: member, from: event.from, to: last) {
            let key = QuarterPages.Key(member: member, quarter: quarter)
            let records = try pages.records(key)
            var kept: [UseRecord] = []
            for record in records {
                let isReplaced =
                    record.series == series.id && record.at >= event.from && record.at < event.to
                if isReplaced { removed.insert(record) } else { kept.append(record) }
            }
            if kept.count < records.count { changed[key] = kept }
        }
        return (changed, removed)
    }

    /// - Returns: the change in their number.
    private func replaceLong(
        _ event: UsageRecorded, _ series: UsageDirectory.Series, _ long: [UseRecord], of member: Int
    ) throws(StoreError) -> Int64 {
        try database.run(
            "DELETE FROM long_use WHERE member = ?1 AND series = ?2 AND start_ms >= ?3 AND start_ms < ?4",
            member, series.id, event.from, event.to)
        let removed = database.changedRows
        for use in long {
            try database.run(
                "INSERT INTO long_use (member, series, start_ms, end_ms) VALUES (?1, ?2, ?3, ?4)", member,
                series.id, use.at, use.end)
        }
        return Int64(long.count) - removed
    }

    private func markStale(_ record: UseRecord, of member: Int) {
        let last = Quarter.holding(max(record.at, record.end - 1))
        for quarter in Quarter.holding(record.at)...last { stale[member, default: []].insert(quarter) }
    }

    /// Deletes everything.
    package func clear() throws {
        discard()
        for table in Schema.tables { try database.run("DELETE FROM \(table)") }
    }

    // MARK: settling

    /// Whether there are no unwritten changes.
    package var isSettled: Bool { failure == nil && stale.isEmpty && !pages.isChanged && !isWithoutHours }

    /// Writes the changes and updates the roll-ups. Call inside a write.
    /// - Throws: errors of the store, the same until ``discard()``: the changes are lost with this write, so
    ///   the turn must be undone, also if this was called for a reader in the middle of it.
    package func settle() throws {
        if let failure { throw failure }
        do { try write() } catch {
            failure = error
            throw error
        }
    }

    private func write() throws {
        // After a turn was undone they may be there, from a turn before.
        let hasNoHours = try isWithoutHours && Self.hasNoHours(database)
        try pages.write()
        for (member, quarters) in stale {
            for run in Self.runs(quarters) {
                try rollUp(run, of: member)
                try sumHoursAgain(of: run, of: member)
                try forgetDays(touching: run, of: member)
            }
        }
        stale = [:]
        if hasNoHours { try sumAllHours() }
        isWithoutHours = false
    }

    /// Runs of consecutive quarters, short enough that their records need little memory.
    private static func runs(_ quarters: Set<Int64>) -> [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for quarter in quarters.sorted() {
            if let last = runs.last, last.upperBound == quarter - 1, last.count < ReportLimits.quartersAtOnce
            {
                runs[runs.count - 1] = last.lowerBound...quarter
            } else {
                runs.append(quarter...quarter)
            }
        }
        return runs
    }
}

extension UsageRecorded {
    /// The newest instant in it.
    fileprivate var latest: Instant {
        let instants = [intervals.last?.end, pickups.max(), notifications.max(), openSince]
        return instants.compactMap { $0 }.max() ?? 0
    }

    /// Its content as records of a series; uses of more than a day separately.
    fileprivate func records(of series: Int) -> (records: [UseRecord], long: [UseRecord]) {
        var records: [UseRecord] = []
        var long: [UseRecord] = []
        for interval in intervals {
            let use = UseRecord(
                kind: .use, series: series, at: interval.start,
                amount: (interval.end - interval.start).count)
            if use.amount > ReportLimits.rolledUpMax.count { long.append(use) } else { records.append(use) }
        }
        for (kind, instants) in [(UseRecord.Kind.pickup, pickups), (.notification, notifications)] {
            var counts: [Instant: Int64] = [:]
            for at in instants { counts[at, default: 0] += 1 }
            for (at, count) in counts {
                records.append(UseRecord(kind: kind, series: series, at: at, amount: count))
            }
        }
        return (records, long)
    }
}
