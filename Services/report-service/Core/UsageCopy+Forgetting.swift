import Contract
import Rules
import ServiceKit
import Store

/// The copy forgets by the same door by which it learns: what goes is replaced by what stays. Part of a
/// write.
extension UsageCopy {
    /// One series, whose it is and what it is about.
    private struct Owned {
        var id: Int
        var member: Int
        var openSince_ms: Int64?
        /// With its names and without anything in it.
        var event = UsageRecorded()
    }

    private func all() throws -> [Owned] {
        try database.query(
            """
            SELECT series.id, member.id, member.name, device.name, device.model, kind, key, subject.name,
                category, browser, open_since_ms
            FROM series JOIN device ON device.id = series.device JOIN member ON member.id = device.member
            JOIN subject ON subject.id = series.subject ORDER BY series.id
            """
        ) { row in
            var event = UsageRecorded(member: row.text(2), device: row.text(3), deviceModel: row.text(4))
            event.kind = row.int64(5) == Int64(UseEntry.Kind.host.rawValue) ? .domain : .app
            event.subject = row.text(6)
            event.name = row.isNull(7) ? nil : row.text(7)
            event.category = row.isNull(8) ? nil : row.text(8)
            event.browser = row.int64(9) != 0 ? true : nil
            return Owned(
                id: Int(row.int64(0)), member: Int(row.int64(1)),
                openSince_ms: row.isNull(10) ? nil : row.int64(10), event: event)
        }
    }

    /// Forgets a subject, or everything of a member, that began before `until_ms`.
    /// - Returns: the members whose reports differ.
    func remove(_ forgetting: Forgetting) throws -> Set<String> {
        try settle()
        var events: [UsageRecorded] = []
        for owned in try all() where forgetting.concerns(member: owned.event.member) {
            var event = owned.event
            guard forgetting.extent == .everything || forgetting.isMeant(event.kind, event.subject) else {
                continue
            }
            (event.fromMs, event.toMs) = (0, forgetting.until_ms)
            if let open_ms = owned.openSince_ms, open_ms >= forgetting.until_ms {
                event.openSinceMs = open_ms
            }
            events.append(event)
        }
        return try takeAll(events)
    }

    /// Cuts a stretch out of a member's use, or, with nil, of everybody's.
    /// - Returns: the members whose reports differ.
    func cut(_ stretch: TimeRange, member: String?) throws -> Set<String> {
        try settle()
        // One more: what begins where the stretch ends is told with it.
        let window = TimeRange(start_ms: stretch.start_ms, end_ms: stretch.end_ms + 1) ?? stretch
        var records: [Int: [UseRecord]] = [:]
        let owned = try all().filter { member == nil || $0.event.member == member }
        for member in Set(owned.map(\.member)) {
            let known = try self.records(of: member, in: window) + long(of: member, in: window)
            records.merge(Dictionary(grouping: known, by: \.series)) { $0 + $1 }
        }
        return try takeAll(owned.compactMap { Self.rest(of: $0, records[$0.id] ?? [], without: stretch) })
    }

    private func long(of member: Int, in window: TimeRange) throws(StoreError) -> [UseRecord] {
        try database.query(
            "SELECT series, start_ms, end_ms FROM long_use WHERE member = ?1 AND start_ms < ?3 AND end_ms > ?2",
            member, window.start_ms, window.end_ms
        ) { row in
            UseRecord(
                kind: .use, series: Int(row.int64(0)), at_ms: row.int64(1),
                amount: row.int64(2) - row.int64(1))
        }
    }

    private func takeAll(_ events: [UsageRecorded]) throws -> Set<String> {
        for event in events { _ = try take(event) }
        try settle()
        return Set(events.map(\.member))
    }

    /// What replaces a series around the stretch; nil: nothing of it lies inside.
    private static func rest(
        of owned: Owned, _ records: [UseRecord], without stretch: TimeRange
    ) -> UsageRecorded? {
        func isInside(_ at_ms: Int64) -> Bool { (stretch.start_ms..<stretch.end_ms).contains(at_ms) }
        let isOpenInside = owned.openSince_ms.map(isInside) ?? false
        let isTouched = records.contains { record in
            record.kind == .use
                ? record.at_ms < stretch.end_ms && record.end_ms > stretch.start_ms : isInside(record.at_ms)
        }
        guard isTouched || isOpenInside else { return nil }
        var event = owned.event
        event.fromMs = min(stretch.start_ms, records.map(\.at_ms).min() ?? stretch.start_ms)
        event.toMs = stretch.end_ms + 1
        event.openSinceMs = isOpenInside ? nil : owned.openSince_ms
        for record in records.sorted() {
            let marks = repeatElement(record.at_ms, count: isInside(record.at_ms) ? 0 : Int(record.amount))
            switch record.kind {
            case .pickup: event.pickups += marks
            case .notification: event.notifications += marks
            case .use:
                let parts = [
                    (record.at_ms, min(record.end_ms, stretch.start_ms)),
                    (max(record.at_ms, stretch.end_ms), record.end_ms),
                ]
                event.intervals += parts.compactMap { TimeRange(start_ms: $0.0, end_ms: $0.1)?.interval }
            }
        }
        return event
    }
}
