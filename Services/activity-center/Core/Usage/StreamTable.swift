import Loop
import Rules
import Store
import Units

/// All streams; those that were requested stay in memory.
@LoopActor final class StreamTable {
    private struct Key: Hashable {
        let member: String
        let device: String
    }

    private let database: Database
    private let subjects: SubjectTable
    private let observations: ObservationTable
    private var streams: [Key: Stream] = [:]

    init(_ database: Database, _ subjects: SubjectTable, _ observations: ObservationTable) {
        self.database = database
        self.subjects = subjects
        self.observations = observations
    }

    func reload() { streams = [:] }

    func find(member: String, device: String) throws -> Stream? {
        let key = Key(member: member, device: device)
        if let known = streams[key] { return known }
        guard let stream = try load("member = ?1 AND device = ?2", member, device).first else { return nil }
        streams[key] = stream
        return stream
    }

    /// Only inside a write.
    func findOrMake(member: String, device: String, model: String?) throws -> Stream {
        if let known = try find(member: member, device: device) { return known }
        let stream = Stream(
            id: try database.integer("SELECT coalesce(max(id), 0) + 1 FROM stream"), member: member,
            device: device, model: model ?? Stream.defaultModel)
        try database.run(
            """
            INSERT INTO stream (id, member, device, model, machine, since_checkpoint, seen_ms, stale)
            VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, 0)
            """, stream.id, member, device, stream.model, stream.machine.encoded())
        streams[Key(member: member, device: device)] = stream
        return stream
    }

    /// All streams of one member, or of all, sorted by id.
    func all(member: String? = nil) throws -> [Stream] {
        let keys = try database.query("SELECT member, device FROM stream ORDER BY id") {
            Key(member: $0.text(0), device: $0.text(1))
        }
        let wanted = keys.filter { member == nil || $0.member == member }
        return try wanted.compactMap { try find(member: $0.member, device: $0.device) }
    }

    func save(_ stream: Stream) throws(StoreError) {
        try database.run(
            """
            UPDATE stream SET model = ?2, machine = ?3, since_checkpoint = ?4, seen_ms = ?5, stale = ?6
            WHERE id = ?1
            """, stream.id, stream.model, stream.machine.encoded(), stream.sinceCheckpoint, stream.seen,
            stream.isStale)
    }

    func add(_ step: Stream.ClockStep, to stream: Stream) throws(StoreError) {
        stream.steps.append(step)
        stream.steps.sort { $0.elapsed < $1.elapsed }
        try database.run(
            """
            INSERT OR REPLACE INTO clock_step (stream, boot, elapsed_ms, correction_ms)
            VALUES (?1, ?2, ?3, ?4)
            """,
            stream.id, try subjects.bootID(step.boot), step.elapsed, step.correction)
    }

    private func load(_ condition: String, _ member: String, _ device: String) throws -> [Stream] {
        let rows = try database.query(
            """
            SELECT id, model, machine, since_checkpoint, seen_ms, stale FROM stream WHERE \(condition)
            """, member, device
        ) { ($0.int64(0), $0.text(1), $0.bytes(2), $0.int64(3), $0.instant(4), $0.int64(5)) }
        return try rows.map { row in
            let stream = Stream(id: row.0, member: member, device: device, model: row.1)
            stream.machine = try UsageMachine(decoding: row.2)
            stream.sinceCheckpoint = Int(row.3)
            stream.seen = row.4
            stream.isStale = row.5 != 0
            stream.last = try observations.last(of: stream.id)
            stream.steps = try steps(of: stream.id)
            return stream
        }
    }

    private func steps(of stream: Int64) throws(StoreError) -> [Stream.ClockStep] {
        let rows = try database.query(
            "SELECT boot, elapsed_ms, correction_ms FROM clock_step WHERE stream = ?1 ORDER BY elapsed_ms",
            stream
        ) { ($0.int64(0), $0.milliseconds(1), $0.milliseconds(2)) }
        var steps: [Stream.ClockStep] = []
        for row in rows {
            steps.append(
                Stream.ClockStep(boot: try subjects.boot(row.0), elapsed: row.1, correction: row.2))
        }
        return steps
    }
}
