import Contract
package import Rules
package import ServiceKit
import Store
import Units

/// Deletes from the copy by the same path as events: deleted rows are replaced by the remaining ones. Call
/// inside a write.
extension UsageCopy {
    /// A series with its owner and subject.
    private struct Owned {
        var id: Int
        var member: Int
        var openSince: Instant?
        /// An event with its names and without rows.
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
                openSince: row.isNull(10) ? nil : row.instant(10), event: event)
        }
    }

    /// Deletes a subject, or everything of a member, that began before `until`.
    /// - Returns: the members whose reports change.
    package func remove(_ forgetting: Forgetting) throws -> Set<String> {
        try settle()
        var events: [UsageRecorded] = []
        for owned in try all() where forgetting.concerns(member: owned.event.member) {
            var event = owned.event
            guard forgetting.extent == .everything || forgetting.isIncluded(event.kind, event.subject) else {
                continue
            }
            (event.from, event.to) = (0, forgetting.until)
            if let open = owned.openSince, open >= forgetting.until {
                event.openSince = open
            }
            events.append(event)
        }
        return try applyAll(events)
    }

    /// Cuts a time range out of a member's use, or out of everybody's if nil.
    /// - Returns: the members whose reports change.
    package func cut(_ stretch: TimeRange, member: String?) throws -> Set<String> {
        try settle()
        // One millisecond more: use that begins at the end of the range is included.
        let window = TimeRange(start: stretch.start, end: stretch.end + 1) ?? stretch
        var records: [Int: [UseRecord]] = [:]
        let owned = try all().filter { member == nil || $0.event.member == member }
        for member in Set(owned.map(\.member)) {
            records.merge(try replaced(by: window, of: member)) { $0 + $1 }
        }
        return try applyAll(owned.compactMap { Self.rest(of: $0, records[$0.id] ?? [], without: stretch) })
    }

    /// What the window touches, and what begins after the first of it: the event that replaces a series has a
    /// range, in which everything is replaced.
    private func replaced(by window: TimeRange, of member: Int) throws -> [Int: [UseRecord]] {
        let touched = try records(of: member, in: window) + long(of: member, in: window)
        let starts = Dictionary(touched.map { ($0.series, $0.at) }, uniquingKeysWith: min)
        let start = starts.values.min() ?? window.start
        let wider = TimeRange(start: min(start, window.start), end: window.end) ?? window
        let all = try records(of: member, in: wider) + long(of: member, in: wider)
        let replaced = all.filter { record in starts[record.series].map { $0 <= record.at } ?? false }
        return Dictionary(grouping: replaced, by: \.series)
    }

    private func long(of member: Int, in window: TimeRange) throws(StoreError) -> [UseRecord] {
        try database.query(
            "SELECT series, start_ms, end_ms FROM long_use WHERE member = ?1 AND start_ms < ?3 AND end_ms > ?2",
            member, window.start, window.end
        ) { row in
            UseRecord(
                kind: .use, series: Int(row.int64(0)), at: row.instant(1),
                amount: row.int64(2) - row.int64(1))
        }
    }

    private func applyAll(_ events: [UsageRecorded]) throws -> Set<String> {
        for event in events { _ = try apply(event) }
        try settle()
        return Set(events.map(\.member))
    }

    /// What replaces a series around the range; nil if nothing of it lies inside.
    private static func rest(
        of owned: Owned, _ records: [UseRecord], without stretch: TimeRange
    ) -> UsageRecorded? {
        func isInside(_ at: Instant) -> Bool { (stretch.start..<stretch.end).contains(at) }
        let isOpenInside = owned.openSince.map(isInside) ?? false
        let isTouched = records.contains { record in
            record.kind == .use
                ? record.at < stretch.end && record.end > stretch.start : isInside(record.at)
        }
        guard isTouched || isOpenInside else { return nil }
        var event = owned.event
        event.from = min(stretch.start, records.map(\.at).min() ?? stretch.start)
        event.to = stretch.end + 1
        event.openSince = isOpenInside ? nil : owned.openSince
        for record in records.sorted() {
            let marks = repeatElement(record.at, count: isInside(record.at) ? 0 : Int(record.amount))
            switch record.kind {
            case .pickup: event.pickups += marks
            case .notification: event.notifications += marks
            case .use:
                let parts = [
                    (record.at, min(record.end, stretch.start)),
                    (max(record.at, stretch.end), record.end),
                ]
                event.intervals += parts.compactMap { TimeRange(start: $0.0, end: $0.1)?.interval }
            }
        }
        return event
    }
}
