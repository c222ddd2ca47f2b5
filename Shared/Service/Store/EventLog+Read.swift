extension EventLog {
    /// Reads the events after a sequence, in order.
    /// - Parameters:
    ///   - after: 0 for the first event.
    ///   - types: exact types; empty for all. The log is scanned, so a rare type costs as much as all.
    ///   - limit: largest number of events, at least 1.
    ///   - bytesMax: largest sum of body bytes; a single event is returned even if it is larger.
    package func read(
        after: Int64, types: [String] = [], limit: Int, bytesMax: Int = .max
    ) throws(StoreError) -> [StoredEvent] {
        try page(after: after, types: types, limit: limit, bytesMax: bytesMax).events
    }

    /// As `read`, and reports how far the page reaches.
    package func page(
        after: Int64, types: [String] = [], limit: Int, bytesMax: Int = .max
    ) throws(StoreError) -> EventPage {
        guard limit > 0 else {
            throw StoreError(.misuse, message: "reading the log of \(database.path) with the limit \(limit)")
        }
        let head = try head()
        let last = types.isEmpty ? head : try lastSequence(of: types)
        let (events, isWhole) = try scan(after: after, through: last, types, limit, bytesMax)
        let through = isWhole ? max(after, head) : events.last?.sequence ?? after
        return EventPage(events: events, through: through, head: head, first: try first())
    }

    /// The events, and whether all wanted events up to `through` are among them.
    private func scan(
        after: Int64, through: Int64, _ types: [String], _ limit: Int, _ bytesMax: Int
    ) throws(StoreError) -> ([StoredEvent], Bool) {
        var events: [StoredEvent] = []
        guard after < through else { return (events, true) }
        let wanted = types.isEmpty ? "" : "AND type IN (\(Self.places(types.count, from: 3))) "
        let statement = try database.prepare(
            "SELECT sequence, type, time_ms, body FROM event "
                + "WHERE sequence > ?1 AND sequence <= ?2 \(wanted)ORDER BY sequence")
        defer { statement.reset() }
        try statement.bind(all: [after, through] + types)
        var room = bytesMax
        while try statement.step() {
            let bytes = statement.bytesCount(3)
            guard events.isEmpty || (events.count < limit && bytes <= room) else { return (events, false) }
            events.append(
                StoredEvent(
                    sequence: statement.int64(0), type: statement.text(1), time: statement.instant(2),
                    body: statement.bytes(3)))
            room = max(0, room - bytes)
        }
        return (events, true)
    }

    private func lastSequence(of types: [String]) throws(StoreError) -> Int64 {
        var last: Int64 = 0
        for type in types { last = max(last, try previous(of: type)) }
        return last
    }

    private static func places(_ count: Int, from first: Int) -> String {
        (first..<first + count).map { "?\($0)" }.joined(separator: ", ")
    }

    // MARK: forgetting

    /// Deletes the oldest events, so that `count` remain. Call inside a write.
    /// - Returns: the number of deleted events.
    @discardableResult
    package func trim(keepingLast count: Int) throws(StoreError) -> Int64 {
        try database.checkInsideWrite("trimming the log")
        let kept = try first()
        let trimmed = max(try head() - Int64(max(0, count)), kept - 1)
        try database.run("DELETE FROM event WHERE sequence <= ?1", trimmed)
        try database.run("UPDATE log SET trimmed = ?1", trimmed)
        try forgetRuns(before: trimmed)
        return trimmed - kept + 1
    }

    /// Deletes the oldest events, so that the bodies of the others have at most `bytesMax` bytes; the last
    /// event always remains. Call inside a write. Scans the log from its end.
    /// - Returns: the number of deleted events.
    @discardableResult
    package func trim(keepingBytes bytesMax: Int64) throws(StoreError) -> Int64 {
        try database.checkInsideWrite("trimming the log")
        let head = try head()
        let last = try database.first(
            "SELECT sequence FROM (SELECT sequence, sum(length(body)) OVER (ORDER BY sequence DESC) AS bytes "
                + "FROM event) WHERE bytes > ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT 1",
            bytesMax, head
        ) { $0.int64(0) }
        guard let last else { return 0 }
        return try trim(keepingLast: Int(head - last))
    }

    /// Replaces the body of an event to erase personal data; its sequence, type and time stay. Call inside a
    /// write. The old bytes leave the disk with `Database.scrub()`.
    /// - Returns: whether the event still existed.
    @discardableResult
    package func eraseData(sequence: Int64, body: [UInt8]) throws(StoreError) -> Bool {
        try database.checkInsideWrite("erasing the data of an event")
        let found = try database.first(
            "UPDATE event SET body = ?2 WHERE sequence = ?1 RETURNING sequence", sequence, body
        ) { $0.int64(0) }
        return found != nil
    }
}

extension Database {
    /// Bytes of all pages that are not free.
    package func bytesInUse() throws(StoreError) -> Int64 {
        try (integer("PRAGMA page_count") - integer("PRAGMA freelist_count")) * integer("PRAGMA page_size")
    }
}
