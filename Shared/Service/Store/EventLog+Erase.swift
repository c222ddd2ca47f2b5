extension EventLog {
    /// Visits every event that has data, in order, and replaces its body if `erased` returns a new one. Call
    /// inside a write; the old bytes leave the disk with `Database.scrub()`.
    /// - Parameter type: only events of this type; nil for all.
    /// - Returns: the number of replaced bodies.
    @discardableResult
    package func erase(
        type: String? = nil, _ erased: (StoredEvent) throws -> [UInt8]?
    ) throws -> Int64 {
        try database.checkInsideWrite("erasing events")
        var count: Int64 = 0
        var after: Int64 = 0
        while true {
            // In chunks, since a statement must not read rows that are being updated.
            let events = try database.query(
                """
                SELECT sequence, type, time_ms, body FROM event
                WHERE sequence > ?1 AND (?2 IS NULL OR type = ?2) AND instr(body, ?3) = 0
                ORDER BY sequence LIMIT 1000
                """, after, type, Self.noData
            ) {
                StoredEvent(
                    sequence: $0.int64(0), type: $0.text(1), time: $0.instant(2), body: $0.bytes(3))
            }
            guard let last = events.last else { return count }
            after = last.sequence
            for event in events {
                guard let body = try erased(event) else { continue }
                try eraseData(sequence: event.sequence, body: body)
                count += 1
            }
        }
    }

    /// Occurs in the body of every event without data, and in no other.
    private static let noData = Array(#","data":null}"#.utf8)
}
