/// Distinguishes a store that was replaced by another one, or by an older copy of itself, from a damaged one.
///
/// A replaced store has another epoch, or does not contain the run that the sidecar names. Both are random,
/// so a few flipped bits never turn one into another.
enum Replacement {
    /// Ids of equal length that differ in at most this many bits are the same id, damaged; random ids differ
    /// in more.
    private static let bitsOfOneID = 8

    /// Reads the store without changing it.
    /// - Throws: `.damaged` unless it was replaced.
    static func check(
        path: String, in files: any StoreFiles, _ state: CommittedState, why: String
    ) throws(StoreError) {
        let found: Identity
        let findings: [String]
        do throws(StoreError) {
            let reader = try Connection(reading: path, in: files)
            defer { reader.close() }
            found = try Identity(reader)
            findings = try reader.pageFindings(limit: 3)
        } catch {
            guard error.kind == .damaged || error.kind == .misuse else { throw error }
            throw damaged(path, state, "\(why) (\(error.message))")
        }
        guard isAnother(found, than: state) else {
            throw damaged(path, state, "\(why) (its log ends at \(found.head), \(state.head) was committed)")
        }
        guard findings.isEmpty else { throw damaged(path, state, findings.joined(separator: "; ")) }
    }

    private static func isAnother(_ found: Identity, than state: CommittedState) -> Bool {
        guard !found.epoch.isEmpty, !state.epoch.isEmpty else { return false }
        if found.epoch != state.epoch { return areUnlike(found.epoch, state.epoch) }
        guard !state.run.isEmpty else { return false }
        // A copy that is older than the table of runs cannot contain the run that the sidecar names.
        guard found.knowsRuns else { return true }
        let runs = found.runs.filter { $0 != Identity.runBeforeRuns }
        return !runs.isEmpty && runs.allSatisfy { areUnlike($0, state.run) }
    }

    private static func areUnlike(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } >= bitsOfOneID
    }

    private static func damaged(_ path: String, _ state: CommittedState, _ why: String) -> StoreError {
        StoreError(
            .damaged, message: "opening \(path): it is not what was committed: \(why)",
            remedy: "Restore a backup (`screentime restore`, which sets all services back to it); or, to "
                + "accept the store as it is, remove \(path)\(Sidecar.suffix).")
    }
}

/// Identifies a store's log, and how far it reaches.
struct Identity {
    var epoch = ""
    /// The runs that it contains, newest first.
    var runs: [String] = []
    var head: Int64 = 0
    /// From its version or its tables, so that one damaged page does not hide both.
    var knowsRuns = false

    /// The outbox schema version that added the table `run`.
    static let versionWithRuns: Int64 = 2
    /// The run of all events that are older than that table.
    static let runBeforeRuns = "0"

    init(_ connection: Connection) throws(StoreError) {
        let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        guard tables.contains("log"), tables.contains("event") else { return }
        epoch = try connection.texts("SELECT epoch FROM log").first ?? ""
        let head = try connection.texts(
            "SELECT coalesce((SELECT max(sequence) FROM event), (SELECT trimmed FROM log), 0)")
        self.head = head.first.flatMap(Int64.init) ?? 0
        let version = try connection.texts("SELECT version FROM schema_part WHERE name = 'outbox'")
        let isNew = (version.first.flatMap(Int64.init) ?? 0) >= Self.versionWithRuns
        knowsRuns = isNew || tables.contains("run")
        guard knowsRuns else { return }
        runs = try connection.texts("SELECT id FROM run ORDER BY first DESC")
    }
}

extension Connection {
    /// The first column of every row.
    func texts(_ sql: String) throws(StoreError) -> [String] {
        let statement = try Statement(sql, self)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }
}
