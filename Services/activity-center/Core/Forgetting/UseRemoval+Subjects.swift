import Rules
import ServiceKit
import Store
import Units

/// Deletes all use of some subjects. Their observations keep their place under a placeholder name
/// (`Subject.forgotten`), so that their effect on other subjects, such as ending a foreground use, stays.
extension UseRemoval {
    func remove(
        _ subjects: [Numbered], from streams: [Stream], _ report: ForgetReport
    ) throws -> [Change] {
        guard !subjects.isEmpty else { return [] }
        try database.run(
            "CREATE TEMP TABLE IF NOT EXISTS renamed (old INTEGER PRIMARY KEY, next INTEGER NOT NULL)")
        try database.run("DELETE FROM renamed")
        defer { log.subjects.reload() }
        var names: [Subject: Subject] = [:]
        var number = try database.integer("SELECT coalesce(max(id), 0) FROM subject")
        for (id, subject) in subjects {
            number += 1
            let last = Subject.forgotten(subject.kind, number, sortsLast: true)
            try database.run(
                "INSERT INTO renamed (old, next) VALUES (?1, ?2)", id, try log.subjects.id(last))
            names[subject] = .forgotten(subject.kind, number, sortsLast: false)
            number = try database.integer("SELECT max(id) FROM subject")
        }
        let changes = try streams.compactMap { stream in
            let unnamed = try names[.unknownApp].map { try renameUnknown(in: stream, $0) } ?? 0
            return try remove(from: stream, names, unnamed: unnamed, report)
        }
        try database.run("DELETE FROM renamed")
        return changes
    }

    /// A focus that nobody could name is stored without a subject; it gets a placeholder.
    /// - Returns: the number of renamed observations.
    private func renameUnknown(in stream: Stream, _ next: Subject) throws -> Int64 {
        try database.run(
            "UPDATE observation SET kind = ?2, first = ?3 WHERE stream = ?1 AND kind = ?4", stream.id,
            Entry.Code.focusApp.rawValue, try log.subjects.id(next), Entry.Code.focusUnknown.rawValue)
        return database.changedRows
    }

    private func remove(
        from stream: Stream, _ names: [Subject: Subject], unnamed: Int64, _ report: ForgetReport
    ) throws -> Change? {
        let count = try database.first(
            """
            SELECT count(*) FROM observation
            WHERE stream = ?1 AND (first IN (SELECT old FROM renamed) OR second IN (SELECT old FROM renamed))
            """, stream.id
        ) { $0.int64(0) }
        guard let count, count + unnamed > 0 else { return nil }
        report.removed("observations", count + unnamed)
        let before = stream.tail
        var change = Change(stream: stream)
        try removeUses(of: stream, &change, report)
        try orderTies(of: stream, names)
        for column in ["first", "second"] {
            try database.run(
                """
                UPDATE observation SET \(column) = (SELECT next FROM renamed WHERE old = \(column))
                WHERE stream = ?1 AND \(column) IN (SELECT old FROM renamed)
                """, stream.id)
        }
        try rename(stream, names)
        change.touch(before, stream.tail)
        return change
    }

    /// Uses and notifications are deleted; pickups stay, without an app.
    private func removeUses(
        of stream: Stream, _ change: inout Change, _ report: ForgetReport
    ) throws {
        let uses = try database.query(
            """
            SELECT subject, start_ms, end_ms FROM use
            WHERE stream = ?1 AND subject IN (SELECT old FROM renamed)
            """, stream.id
        ) { ($0.int64(0), $0.instant(1), $0.instant(2)) }
        for (id, start, end) in uses {
            guard let subject = try log.subjects.subject(id),
                let interval = TimeRange(start: start, end: end)
            else { continue }
            change.delta.removed.uses.append(Use(subject, interval))
            change.touch(subject, start, start + 1)
        }
        report.removed("uses", uses.count)
        let pickups = Int64(Mark.Kind.pickup.rawValue)
        let moved = try database.query(
            """
            SELECT at_ms FROM mark
            WHERE stream = ?1 AND kind = ?2 AND subject IN (SELECT old FROM renamed)
            """, stream.id, pickups
        ) { $0.instant(0) }
        for at in moved { change.touch(nil, at, at + 1) }
        try database.run(
            """
            INSERT INTO mark (stream, subject, at_ms, kind, count)
            SELECT stream, 0, at_ms, kind, sum(count) FROM mark
            WHERE stream = ?1 AND kind = ?2 AND subject IN (SELECT old FROM renamed) GROUP BY at_ms
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """, stream.id, pickups)
        for table in ["use", "mark"] {
            try database.run(
                "DELETE FROM \(table) WHERE stream = ?1 AND subject IN (SELECT old FROM renamed)", stream.id)
        }
    }

    /// Names decide the order of changes at the same instant. The placeholder sorts last. Where the old name
    /// did not, the observation gets a placeholder that sorts first; in the middle, where it had no effect,
    /// it is deleted.
    private func orderTies(of stream: Stream, _ names: [Subject: Subject]) throws {
        let ties = try database.query(
            """
            SELECT o.order_ms, o.ordinal, o.kind, o.first, o.second, o.instance, o.boot, o.elapsed_ms,
                EXISTS (SELECT 1 FROM observation e LEFT JOIN subject es ON es.id = e.first
                    WHERE e.stream = o.stream AND e.order_ms = o.order_ms AND e.ordinal = o.ordinal
                    AND e.kind = o.kind AND e.first <> o.first AND coalesce(es.name, '') < s.name)
            FROM observation o JOIN subject s ON s.id = o.first
            WHERE o.stream = ?1 AND o.first IN (SELECT old FROM renamed) AND EXISTS (
                SELECT 1 FROM observation e JOIN subject es ON es.id = e.first
                WHERE e.stream = o.stream AND e.order_ms = o.order_ms AND e.ordinal = o.ordinal
                AND e.kind = o.kind AND e.first <> o.first AND es.name > s.name)
            """, stream.id
        ) { row in ((0...7).map { row.int64($0) }, row.int64(8) != 0) }
        for (place, isBetween) in ties {
            let condition = """
                stream = ?1 AND order_ms = ?2 AND ordinal = ?3 AND kind = ?4 AND first = ?5 AND second = ?6
                AND instance = ?7 AND boot = ?8 AND elapsed_ms = ?9
                """
            let bindings: [any Bindable] = [stream.id] + place
            if isBetween {
                guard place[2] != Entry.Code.opened.rawValue, place[2] != Entry.Code.closed.rawValue else {
                    continue
                }
                try database.prepare("DELETE FROM observation WHERE \(condition)").run(all: bindings)
            } else if let subject = try log.subjects.subject(place[3]), let first = names[subject] {
                let id = try log.subjects.id(first)
                try database.prepare("UPDATE observation SET first = ?10 WHERE \(condition)")
                    .run(all: bindings + [id])
            }
        }
    }

    /// Renames in the state of the stream's machine, now and at its checkpoints.
    private func rename(_ stream: Stream, _ names: [Subject: Subject]) throws {
        stream.machine.rename { names[$0] }
        stream.latest = [:]
        let checkpoints = try database.query(
            "SELECT before_ms, machine FROM checkpoint WHERE stream = ?1", stream.id
        ) { ($0.instant(0), $0.bytes(1)) }
        for (before, bytes) in checkpoints {
            var machine = try UsageMachine(decoding: bytes)
            machine.rename { names[$0] }
            try log.observations.save(.init(before: before, machine: machine.encoded()), of: stream.id)
        }
        log.subjects.reload()
        stream.last = try log.observations.last(of: stream.id)
        try log.streams.save(stream)
    }
}

extension Statement {
    fileprivate func run(all bindings: [any Bindable]) throws(StoreError) {
        try bind(all: bindings)
        try run()
    }
}
