import Glibc
import SimulatedDisk
import Store
import Units

/// A generator whose runs can be repeated: SplitMix64.
final class Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of 0..<count.
    func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

/// A service with one store that commits notes until it dies, starts again, and must have what it committed.
final class Workload {
    static let path = "state/store.sqlite"
    static let migrations = [
        Migration(
            version: 1, name: "notes",
            sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    ]

    /// What may go wrong once in each life.
    enum Fault: CaseIterable {
        case nothing, powerCut, kill, killAfter, full, io, shortWrite
        /// The next sync fails, and the process dies before it writes again.
        case failedSync
    }

    let seed: UInt64
    private let faults: [Fault]
    let disk: SimulatedDisk
    private var chance: Chance
    /// Notes of acknowledged commits, in order.
    private(set) var acknowledged: [String] = []
    /// Notes of each commit that failed since the last one that succeeded. One that was written but not
    /// synced is there at the next start, unless a later one was written over it.
    private var inFlight: [[String]] = []
    private var before = ""
    private var noteCount = 0
    /// Whether the plan of this life did something.
    private var hadFault = false
    /// What happened in this life, for messages.
    private var story = ""
    /// What was wrong, with the seed; empty if nothing was.
    private(set) var findings: [String] = []
    /// Lives whose store opened; the others died before.
    private(set) var opened = 0
    private var starts = 0
    /// Objects of dead processes that still exist for a while.
    private var zombies: [Database] = []

    init(seed: UInt64, faults: [Fault] = Fault.allCases) {
        self.seed = seed
        self.faults = faults
        let chance = Chance(seed: seed)
        self.chance = chance
        let time = Instant(milliseconds: 1_700_000_000_000)
        disk = SimulatedDisk(now: { time }, random: { chance.next() })
    }

    /// Starts the service this often; ends with a start without faults.
    func run(lives: Int) {
        for _ in 0..<lives {
            plan()
            live()
            if chance.below(3) > 0 { zombies = [] }
        }
        disk.fault = nil
        disk.powerCut(using: &chance)
        story = "at the end"
        hadFault = false
        live(commits: 0)
    }

    // MARK: faults

    private func plan() {
        hadFault = false
        before = story
        story = "no fault"
        var remaining = 1 + chance.below(chance.below(2) == 0 ? 60 : 600)
        let kind = faults[chance.below(faults.count)]
        disk.fault = { [unowned self] operation in
            remaining -= 1
            if kind == .failedSync { return afterFailedSync(operation, isDue: remaining <= 0) }
            guard remaining == 0, kind != .nothing else { return nil }
            hadFault = true
            story = "\(kind) at \(operation.kind) of \(operation.path)"
            switch kind {
            case .nothing, .failedSync: return nil
            case .powerCut:
                disk.powerCut(using: &chance)
                return nil
            case .kill: return .dieBefore
            case .killAfter: return .dieAfter
            case .full: return .full
            case .io: return .io
            case .shortWrite: return .shortWrite(bytes: chance.below(max(1, operation.bytes)))
            }
        }
    }

    private func afterFailedSync(_ operation: DiskOperation, isDue: Bool) -> DiskFault? {
        guard isDue else { return nil }
        if hadFault { return operation.kind == .write ? .dieBefore : nil }
        guard operation.kind == .sync else { return nil }
        hadFault = true
        story = "failed sync of \(operation.path)"
        return .io
    }

    // MARK: a life

    private func live(commits: Int? = nil) {
        starts += 1
        let files = disk.files(of: "service")
        do {
            let database = try Database(path: Self.path, in: files, migrations: Self.migrations)
            let log = try EventLog(database, now: 1, randomID: { [chance] in chance.next() })
            try check(database)
            opened += 1
            for _ in 0..<(commits ?? chance.below(40)) { try step(database, log, files) }
            if chance.below(3) == 0 {
                try database.close()
            } else if chance.below(2) == 0 {
                zombies.append(database)
            }
        } catch {
            if !hadFault || !(error is StoreError) { find("\(error)") }
        }
        disk.processDied("service")
    }

    private func step(_ database: Database, _ log: EventLog, _ files: SimulatedFiles) throws {
        switch chance.below(20) {
        case 0: try database.syncRecord()
        case 1: try database.checkpoint(.passive)
        case 2: try database.checkpoint(.truncate)
        case 3 where chance.below(4) == 0: try database.scrub()
        default:
            do { try commit(database, log) } catch {
                if files.isDead { throw error }
            }
        }
    }

    private func commit(_ database: Database, _ log: EventLog) throws {
        var notes: [String] = []
        for _ in 0...chance.below(3) {
            noteCount += 1
            let text = "\(noteCount)" + String(repeating: "x", count: chance.below(1500))
            try database.write { database in
                try database.run("INSERT INTO note (text) VALUES (?1)", text)
                _ = try log.append(type: "noted", time: 1) { _, _ in Array(text.utf8) }
            }
            notes.append(text)
        }
        inFlight.append(notes)
        try database.commit()
        acknowledged += notes
        inFlight = []
    }

    /// What the store has must be what was acknowledged, and at most one commit that was in flight.
    private func check(_ database: Database) throws(StoreError) {
        let notes = try database.query("SELECT text FROM note ORDER BY id") { $0.text(0) }
        let events = try database.query("SELECT body FROM event ORDER BY sequence") { $0.text(0) }
        let findings = try database.query("PRAGMA integrity_check") { $0.text(0) }
        // A failed read is a finding of the check, too.
        if findings != ["ok"], !hadFault { find("\(findings)") }
        if notes != events { find("\(notes.count) notes, \(events.count) events") }
        if notes != acknowledged, !inFlight.contains(where: { notes == acknowledged + $0 }) {
            let counts = inFlight.map(\.count)
            find("\(notes.count) notes of \(acknowledged.count), in flight were \(counts)")
        }
        if database.replaced != nil { find("taken for another store") }
        // What a service read it may have told others.
        acknowledged = notes
        inFlight = []
    }

    private func find(_ what: String) {
        findings.append("seed \(seed), start \(starts), \(story), before \(before): \(what)")
    }
}
