import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ActivityCore
@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// Rows that cannot be read, in every table of records of every service (``UnreadableRows``).
@Suite(.serialized) @LoopActor struct UnreadableRowTests {
    /// Adds a row that cannot be read, with the first row of every table that it refers to.
    static func damage(_ table: RecordTable, _ service: Service) throws {
        let database = service.database
        let parents = try database.query(
            #"SELECT "from", "table", ifnull("to", "id") FROM pragma_foreign_key_list(?1)"#, table.name
        ) { ($0.text(0), "(SELECT \($0.text(2)) FROM \($0.text(1)) LIMIT 1)") }
        let columns = try database.query(
            "SELECT name, type, pk FROM pragma_table_info(?1)", table.name
        ) { ($0.text(0), $0.text(1), $0.int64(2) > 0) }
        let values = columns.map { column, type, isKey in
            if let parent = parents.first(where: { $0.0 == column }) { return parent.1 }
            if table.name == "setting", isKey { return "'trusted_time'" }
            switch type {
            case "INTEGER": return isKey ? "1000" : "1"
            case "BLOB": return "CAST('{' AS BLOB)"
            default: return "'x'"
            }
        }
        let names = columns.map { "\"\($0.0)\"" }.joined(separator: ", ")
        try service.transact(trace: nil) {
            try $0.database.run(
                "INSERT OR REPLACE INTO \(table.name) (\(names)) VALUES (\(values.joined(separator: ", ")))")
        }
        service.endTurn()
    }

    /// Those of a service. Every service has the table of the household's copy; not every one uses it.
    private static func tables(of service: Service) -> [RecordTable] {
        service.unreadable.tables.filter { table in
            table.source.map { service.followers[$0]?.following.reset != nil } ?? true
        }
    }

    static func setAside(_ service: Service) throws -> [String] {
        try service.database.query("SELECT name FROM unreadable_row ORDER BY name") { $0.text(0) }
    }

    static func isReported(_ service: Service) -> Bool {
        service.healthReport().notActing?.contains { $0.contains("could not be read and were set aside") }
            == true
    }

    private static func isReadable(_ table: RecordTable, _ service: Service) throws -> Bool {
        do {
            _ = try service.database.query(table.select, row: table.read)
            return true
        } catch {
            guard error.table == table.name else { throw error }
            return false
        }
    }

    @Test(arguments: FollowerCase.all) func aStartSetsThemAside(_ one: FollowerCase) async throws {
        let configuration = try TestDirectory().configuration()
        var (service, core) = try one.start(configuration, StandingClock())
        let tables = Self.tables(of: service)
        for table in tables {
            try Self.damage(table, service)
            #expect(try !Self.isReadable(table, service), "\(table.name)")
        }
        #expect(!Self.isReported(service))
        let kept = tables.filter { $0.source == nil }.map(\.name).sorted()
        service.close()
        // What is set aside is told until somebody decides.
        for _ in 1...2 {
            (service, core) = try one.start(configuration, StandingClock())
            #expect(try Self.setAside(service) == kept)
            for table in tables { #expect(try Self.isReadable(table, service), "\(table.name)") }
            #expect(Self.isReported(service) == !kept.isEmpty)
            #expect(service.healthReport().notActing?.contains { $0.contains("is damaged") } != true)
            service.close()
        }
        (service, core) = try one.start(configuration, StandingClock())
        let count = try service.transact(trace: nil) { try service.letGoOfUnreadable($0) }
        #expect(count == kept.count)
        service.endTurn()
        #expect(try Self.setAside(service).isEmpty)
        #expect(!Self.isReported(service))
        service.close()
        withExtendedLifetime(core) {}
    }

    @Test(arguments: FollowerCase.all) func whoMeetsOneSetsItAside(_ one: FollowerCase) async throws {
        let (service, core) = try one.start(try TestDirectory().configuration(), StandingClock())
        var kept: [String] = []
        for table in Self.tables(of: service) {
            try Self.damage(table, service)
            service.noteDamage(StoreError.unreadable(table.name, "as the test says"))
            if table.source == nil { kept.append(table.name) }
            #expect(try !Self.isReadable(table, service))
            try await untilTurn("\(table.name) is read") {
                try !service.hasUncommitted && Self.isReadable(table, service)
            }
            #expect(try Self.setAside(service) == kept.sorted())
            #expect(Self.isReported(service) == !kept.isEmpty)
            if let source = table.source {
                let follower = try #require(service.followers[source])
                #expect(follower.applied.isRebuilding, "\(table.name) is not asked for again")
            }
        }
        #expect(service.healthReport().notActing?.contains { $0.contains("is damaged") } != true)
        service.close()
        withExtendedLifetime(core) {}
    }

    /// A copy that lost a record and is not asked for again would stay wrong.
    @Test func aCopyThatCannotBeAskedForAgainKeepsItsRow() async throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        let (service, table) = (core.service, Household.table)
        try Self.damage(table, service)
        try service.database.connection.execute(
            "CREATE TEMP TRIGGER refusal BEFORE INSERT ON cursor BEGIN SELECT RAISE(ABORT, 'full'); END",
            tried: "refusing cursors")
        service.noteDamage(StoreError.unreadable(table.name, "as the test says"))
        try await untilTurn("it is reported") {
            service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
        }
        service.endTurn()
        #expect(try !Self.isReadable(table, service))
        try service.database.connection.execute("DROP TRIGGER refusal", tried: "allowing cursors")
        service.noteDamage(StoreError.unreadable(table.name, "as the test says"))
        try await untilTurn("it is read") {
            try !service.hasUncommitted && Self.isReadable(table, service)
        }
        #expect(service.followers[.auth]?.applied.isRebuilding == true)
        service.close()
    }

    /// A row of a table that nobody looks after stays where it is.
    @Test func whatIsNotFoundIsReportedAsDamage() async throws {
        let core = try AuthService(try TestDirectory().configuration())
        try core.start()
        core.service.noteDamage(StoreError.unreadable("elsewhere", "as the test says"))
        try await untilTurn("it is reported") {
            core.service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
        }
        #expect(!Self.isReported(core.service))
        core.service.close()
    }

    /// Whoever reads a record from a table says from which: it must be looked after.
    @Test func everyTableOfRecordsIsLookedAfter() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let registered = Set(
            try FollowerCase.all.flatMap { one in
                let (service, core) = try one.start(try TestDirectory().configuration(), StandingClock())
                defer { withExtendedLifetime(core) { service.close() } }
                return service.unreadable.tables.map(\.name)
            })
        var named: Set<String> = []
        for part in ["Services", "Shared"] {
            let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(part).path)
            for case let file as String in try #require(files) where file.hasSuffix(".swift") {
                let text = try String(
                    contentsOf: root.appendingPathComponent("\(part)/\(file)"), encoding: .utf8)
                named.formUnion(text.matches(of: /stored\(.*in: "([a-z_]+)"\)/).map { String($0.output.1) })
                named.formUnion(text.matches(of: /\.unreadable\("([a-z_]+)"/).map { String($0.output.1) })
            }
        }
        #expect(named.contains("outgoing") && named.contains("member"), "the search finds nothing")
        // Others would act on their absence.
        let left: Set = ["event", "member", "authorization"]
        #expect(named.subtracting(registered) == left, "these are not looked after")
    }

    // MARK: what is kept

    private static func dump(_ table: String, _ service: Service) throws -> [[String]] {
        let columns = try service.database.query("SELECT name FROM pragma_table_info(?1)", table) {
            $0.text(0)
        }
        let quoted = columns.map { "hex(\"\($0)\")" }.joined(separator: ", ")
        return try service.database.query("SELECT \(quoted) FROM \(table) ORDER BY 1") { row in
            columns.indices.map { row.text($0) }
        }
    }

    /// Also with a key that SQL's `quote` would cut, and rows that refer to it.
    @Test func whatIsSetAsideCanBePutBack() async throws {
        let configuration = try TestDirectory().configuration()
        let tables = ["activity", "fired"]
        var core = try ActivityCenter(configuration)
        try core.start()
        try core.service.transact(trace: nil) { transaction in
            try transaction.database.run(
                """
                INSERT INTO activity
                    (registration, client, member, name, registered_ms, definition, settled_ms)
                    VALUES (7, 'O''Neill \u{1F600}', 'uid-0', 'a' || char(0) || 'b', 1, CAST('{' AS BLOB), 2)
                """)
            try transaction.database.run(
                "INSERT INTO fired VALUES (7, 1, 'intervalDidStart', 'x' || char(0) || 'y', 3, 1)")
        }
        core.service.endTurn()
        let before = try tables.map { try Self.dump($0, core.service) }
        #expect(before.map(\.count) == [1, 1])
        core.service.close()
        core = try ActivityCenter(configuration)
        try core.start()
        #expect(try Self.setAside(core.service) == tables)
        #expect(try tables.map { try Self.dump($0, core.service) } == [[], []])
        let rows = try core.service.database.query(
            "SELECT name, columns, literals FROM unreadable_row ORDER BY number DESC"
        ) { ($0.text(0), $0.text(1), $0.text(2)) }
        try core.service.transact(trace: nil) { transaction in
            for (name, columns, literals) in rows {
                try transaction.database.run("INSERT INTO \(name) (\(columns)) VALUES (\(literals))")
            }
        }
        core.service.endTurn()
        #expect(try tables.map { try Self.dump($0, core.service) } == before)
        core.service.close()
    }

    @Test func aRepairLetsGoOfThemIfItIsToldTo() async throws {
        let run = try CoreRun(WriteCase.auth)
        let service = try #require(run.service)
        let table = try #require(service.unreadable.tables.first { $0.name == "selection" })
        try Self.damage(table, service)
        service.noteDamage(StoreError.unreadable(table.name, "as the test says"))
        try await untilTurn("it is reported") { Self.isReported(service) }
        _ = await run.ask(Call("copy.rebuild"))
        #expect(try Self.setAside(service) == ["selection"])
        #expect(Self.isReported(service))
        let answer = await run.ask(Call("copy.rebuild", #"{"discard_unreadable":true}"#))
        #expect(!answer.hasPrefix("error"), "\(answer)")
        #expect(try Self.setAside(service).isEmpty)
        #expect(!Self.isReported(service))
        run.close()
    }

    /// Nobody knows whom they are about.
    @Test func forgettingForgetsThem() async throws {
        let run = try CoreRun(WriteCase.auth)
        let service = try #require(run.service)
        let table = try #require(service.unreadable.tables.first { $0.name == "selection" })
        try Self.damage(table, service)
        service.noteDamage(StoreError.unreadable(table.name, "as the test says"))
        try await untilTurn("it is reported") { Self.isReported(service) }
        let answer = await run.ask(Call("privacy.forget", #"{"kind":"app","subject":"mail"}"#))
        #expect(answer.contains(#"{"name":"records that could not be read","count":1}"#), "\(answer)")
        #expect(try Self.setAside(service).isEmpty)
        #expect(!Self.isReported(service))
        run.close()
    }
}
