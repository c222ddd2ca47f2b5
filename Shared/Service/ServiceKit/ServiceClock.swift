internal import Contract
internal import JSON
internal import Store

/// What a service reports to the driver of the virtual clock.
extension Service {
    func clockState() -> ClockState {
        var open = unfinished.flatMap { $0() }
        if hasUncommitted { open.append("a write is not committed yet") }
        if unpublishedCount > 0 { open.append("\(unpublishedCount) events are not published yet") }
        let requests = unansweredCount - (clockEndpoint?.openCount ?? 0) - requestsAtRest
        if requests > 0 { open.append("\(requests) requests to it are not answered yet") }
        for client in clients.values where client.openCount > 0 {
            open.append("\(client.openCount) of its requests to \(client.peer) have no answer yet")
        }
        return ClockState(
            service: name.rawValue, head: head,
            follows: followers.values.map(\.report).sorted { $0.service.rawValue < $1.service.rawValue },
            sent: clients.values.reduce(0) { $0 + $1.sentCount }, taken: server?.takenCount ?? 0, open: open,
            holds: (clock as? SystemClock)?.isVirtual == true ? nil : holdsBeyondFirstStart())
    }

    // MARK: a store after its first start

    /// Tables of every service that record nothing anybody did: copies of other services' data, and
    /// bookkeeping.
    private static let frameTables = [
        "schema_part", "log", "event_last", "cursor", "setting", "household_copy", "extension_copy",
        "run", "followed_run", "unreadable_row",
    ]
    private static let setting = "first_start"

    /// At the end of the first start: stores the number of rows of each table.
    func rememberFirstStart() throws(ServiceError) {
        guard isFirstStart else { return }
        try transact(trace: nil) { _ in
            let counts = try rowCounts().map { Counter(name: $0.key, count: $0.value) }
            let text = String(decoding: RowCounts(tables: counts).encoded(), as: UTF8.self)
            try Settings(database).set(Self.setting, text)
        }
    }

    /// What the store holds beyond that, as a sentence; nil if nothing.
    private func holdsBeyondFirstStart() -> String? {
        if let known = knownToHold { return known }
        do {
            let before = try Settings(database).get(Self.setting)
            let first = try before.map { try RowCounts.decode(Array($0.utf8)) } ?? RowCounts()
            let known = Dictionary(first.tables.map { ($0.name, $0.count) }) { first, _ in first }
            let more = try rowCounts().filter { $0.value != known[$0.key] ?? 0 }.sorted { $0.key < $1.key }
            guard !more.isEmpty else { return nil }
            let tables = more.map { "\($0.value) rows in '\($0.key)'" }.joined(separator: ", ")
            let sentence = "\(name.rawValue) already holds data: \(tables)"
            // Uncommitted rows may disappear again.
            if !database.batchIsOpen { knownToHold = sentence }
            return sentence
        } catch {
            return "\(name.rawValue) cannot read its own store"
        }
    }

    private func rowCounts() throws(StoreError) -> [String: Int64] {
        let tables = try database.query(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) { $0.text(0) }
        var counts: [String: Int64] = [:]
        for table in tables where !Self.frameTables.contains(table) && !copyTables.contains(table) {
            counts[table] = try database.integer("SELECT count(*) FROM \"\(table)\"")
        }
        return counts
    }
}

/// Number of rows per table.
@Record
private struct RowCounts: Record {
    /// One counter per table name.
    var tables: [Counter] = []
}
