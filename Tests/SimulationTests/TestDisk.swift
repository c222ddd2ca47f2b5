import SimulatedDisk
import Store
import Testing

/// A disk with a store of notes, and what tests do with it.
struct TestDisk {
    static let path = Workload.path
    let disk: SimulatedDisk

    init(seed: UInt64 = 0) {
        let chance = Chance(seed: seed)
        disk = SimulatedDisk(now: { 1 }, random: { chance.next() })
    }

    private init(_ disk: SimulatedDisk) { self.disk = disk }

    func open(
        _ owner: String = "service", _ migrations: [Migration] = Workload.migrations
    ) throws(StoreError) -> Database {
        try Database(path: Self.path, in: disk.files(of: owner), migrations: migrations)
    }

    /// Opens the store and commits notes.
    @discardableResult
    func open(committing texts: [String], _ owner: String = "service") throws -> Database {
        let database = try open(owner)
        for text in texts { try database.commit(note: text) }
        return database
    }

    /// The disk after a power cut now, once for each seed; this disk stays as it is.
    func afterPowerCut(seeds: Range<UInt64>, _ body: (TestDisk, String) throws -> Void) throws {
        for seed in seeds {
            var chance = Chance(seed: seed)
            let cut = TestDisk(disk.copy())
            cut.disk.powerCut(using: &chance)
            do { try body(cut, "seed \(seed)") } catch { Issue.record("seed \(seed): \(error)") }
        }
    }
}

extension Database {
    func commit(note text: String) throws {
        try write { try $0.run("INSERT INTO note (text) VALUES (?1)", text) }
        try commit()
    }

    var notes: [String] {
        get throws(StoreError) { try query("SELECT text FROM note ORDER BY id") { $0.text(0) } }
    }
}
