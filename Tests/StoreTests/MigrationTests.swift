import Store
import Testing

@Suite struct MigrationTests {
    static let steps = [
        Migration(
            version: 1, name: "notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
        Migration(
            version: 2, name: "when",
            sql: """
                ALTER TABLE note ADD COLUMN at_ms INTEGER NOT NULL DEFAULT 7;
                CREATE INDEX note_at ON note (at_ms)
                """),
        Migration(
            version: 3, name: "split",
            sql: """
                CREATE TABLE split (
                    id INTEGER PRIMARY KEY, text TEXT NOT NULL, at_ms INTEGER NOT NULL DEFAULT 7) STRICT;
                INSERT INTO split SELECT id, text || '!', at_ms FROM note;
                DROP TABLE note;
                ALTER TABLE split RENAME TO note;
                """),
    ]

    @Test(arguments: 1...3) func everyOldVersionKeepsItsData(version: Int) throws {
        let room = try Room()
        do {
            let old = try room.open(Array(Self.steps.prefix(version)))
            try old.write { try $0.note("kept") }
            try old.commit()
        }
        for _ in 1...2 {
            let new = try room.open(Self.steps)
            #expect(try new.notes == [version < 3 ? "kept!" : "kept"])
            #expect(try new.integer("SELECT count(*) FROM note WHERE at_ms = 7") == 1)
            #expect(try new.integer("SELECT version FROM schema_part WHERE name = 'service'") == 3)
        }
    }

    @Test func aFailingStepLeavesTheVersionBefore() throws {
        let room = try Room()
        let failing = Migration(version: 3, name: "bad", sql: "CREATE TABLE half (a); SELECT * FROM nothing")
        let error = try room.openingError(Self.steps.prefix(2) + [failing])
        #expect(error.kind == .misuse)
        #expect(error.message.contains("migration 3 (bad) of service"), "\(error)")
        let database = try room.open(Array(Self.steps.prefix(2)))
        #expect(try database.integer("SELECT version FROM schema_part WHERE name = 'service'") == 2)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0)
    }

    @Test func aStepMayNotEndItsTransaction() throws {
        let room = try Room()
        let bad = Migration(version: 1, name: "bad", sql: "CREATE TABLE half (a); COMMIT")
        let error = try room.openingError([bad])
        #expect(error.kind == .misuse)
        #expect(error.message.contains("ends its own transaction"), "\(error)")
    }

    @Test func aStepMayRebuildAParentButNotLoseIt() throws {
        let room = try Room()
        let tables = Migration(
            version: 1, name: "family",
            sql: """
                CREATE TABLE parent (id INTEGER PRIMARY KEY);
                CREATE TABLE child (parent INTEGER REFERENCES parent);
                INSERT INTO parent VALUES (1), (2);
                INSERT INTO child VALUES (1);
                """)
        let rebuild = """
            CREATE TABLE new (id INTEGER PRIMARY KEY);
            INSERT INTO new SELECT id FROM parent WHERE id > %;
            DROP TABLE parent;
            ALTER TABLE new RENAME TO parent;
            """
        let good = Migration(version: 2, name: "good", sql: rebuild.replacing("%", with: "0"))
        let bad = Migration(version: 3, name: "bad", sql: rebuild.replacing("%", with: "1"))
        #expect(try room.open([tables, good]).integer("SELECT count(*) FROM parent") == 2)
        #expect(try room.openingError([tables, good, bad]).kind == .constraint)
        let database = try room.open([tables, good])
        #expect(try database.integer("SELECT count(*) FROM parent") == 2)
        let error = #expect(throws: StoreError.self) { try database.run("DELETE FROM parent WHERE id = 1") }
        #expect(error?.kind == .constraint)
    }

    @Test func numbersHaveNoGaps() throws {
        let error = try Room().openingError([Self.steps[0], Self.steps[2]])
        #expect(error.kind == .misuse)
    }

    @Test func aNewerSchemaIsRefused() throws {
        let room = try Room()
        _ = try room.open(Self.steps)
        let error = try room.openingError(Array(Self.steps.prefix(2)))
        #expect(error.kind == .newer)
        #expect(error.message.contains("service 3"), "\(error)")
        _ = try room.open(Self.steps)
    }

    @Test(arguments: ["PRAGMA user_version = 2", "INSERT INTO schema_part VALUES ('future', 1)"])
    func aNewerLayoutIsRefused(change: String) throws {
        let room = try Room()
        try room.open([]).run(change)
        #expect(try room.openingError([]).kind == .newer)
    }
}
