import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// Rows that cannot be read, in every ``RecordTable`` of every service (``UnreadableRows``).
@Suite(.serialized) @LoopActor struct UnreadableRowTests {
    /// Adds a row that cannot be read.
    static func damage(_ table: RecordTable, _ service: Service) throws {
        let columns = try service.database.query(
            "SELECT name, type, pk FROM pragma_table_info(?1)", table.name
        ) { ($0.text(0), $0.text(1), $0.int64(2) > 0) }
        let values = columns.map { _, type, isKey in
            switch type {
            case "INTEGER": isKey ? "1000" : "1"
            case "BLOB": "CAST('{' AS BLOB)"
            default: "'x'"
            }
        }
        let names = columns.map { "\"\($0.0)\"" }.joined(separator: ", ")
        try service.transact(trace: nil) {
            try $0.database.run(
                "INSERT INTO \(table.name) (\(names)) VALUES (\(values.joined(separator: ", ")))")
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
            _ = try service.database.query(
                "SELECT \(table.columns) FROM \(table.name)", row: table.read)
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
        #expect(service.healthReport().notActing?.contains { $0.contains("is damaged") } != true)
        service.close()
    }

    /// A row of a table that nobody looks after stays where it is.
    @Test func whatIsNotFoundIsReportedAsDamage() async throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        core.service.noteDamage(StoreError.unreadable("elsewhere", "as the test says"))
        func isDamaged() -> Bool {
            core.service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
        }
        #expect(isDamaged())
        #expect(!Self.isReported(core.service))
        // A check of the pages cannot see it.
        core.service.reportDamage(nil)
        #expect(isDamaged())
        // Nor does it end when another row is set aside.
        try await Self.setAsideCategory(core.service)
        #expect(isDamaged())
        core.service.close()
    }

    /// Whoever reads a record from a table says from which. For each table it is decided whether its rows are
    /// set aside.
    @Test func itIsKnownWhichTablesAreLookedAfter() throws {
        let stays: Set = [
            "activity", "asker", "authorization", "enforcement", "event", "exception", "extension", "freeze",
            "member", "request", "selection", "setting", "shield", "store",
        ]
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
        #expect(named.subtracting(registered) == stays)
        #expect(registered.isDisjoint(with: stays))
    }

    // MARK: what is kept

    /// Sets a row of notifier's table `category` aside.
    private static func setAsideCategory(_ service: Service) async throws {
        let table = try #require(service.unreadable.tables.first { $0.name == "category" })
        try damage(table, service)
        service.noteDamage(StoreError.unreadable(table.name, "as the test says"))
        try await untilTurn("it is reported") { isReported(service) }
        #expect(try setAside(service) == ["category"])
    }

    private static func dump(_ table: String, _ service: Service) throws -> [[String]] {
        let columns = try service.database.query("SELECT name FROM pragma_table_info(?1)", table) {
            $0.text(0)
        }
        let quoted = columns.map { "hex(\"\($0)\")" }.joined(separator: ", ")
        return try service.database.query("SELECT \(quoted) FROM \(table) ORDER BY 1") { row in
            columns.indices.map { row.text($0) }
        }
    }

    /// Also with a key that SQL's `quote` would cut.
    @Test func whatIsSetAsideCanBePutBack() async throws {
        let configuration = try TestDirectory().configuration()
        var core = try NotifierService(configuration)
        try core.start()
        try core.service.transact(trace: nil) { transaction in
            for name in ["'a' || char(0) || 'b'", "'a' || char(0) || 'c'", "'O''Neill \u{1F600}'"] {
                try transaction.database.run(
                    """
                    INSERT INTO category (client, identifier, body)
                        VALUES (\(name), \(name), CAST('{' || \(name) AS BLOB))
                    """)
            }
        }
        core.service.endTurn()
        let before = try Self.dump("category", core.service)
        #expect(before.count == 3)
        core.service.close()
        core = try NotifierService(configuration)
        try core.start()
        #expect(try Self.setAside(core.service) == ["category", "category", "category"])
        #expect(try Self.dump("category", core.service).isEmpty)
        let rows = try core.service.database.query(
            "SELECT name, columns, literals FROM unreadable_row ORDER BY number"
        ) { ($0.text(0), $0.text(1), $0.text(2)) }
        try core.service.transact(trace: nil) { transaction in
            for (name, columns, literals) in rows {
                try transaction.database.run("INSERT INTO \(name) (\(columns)) VALUES (\(literals))")
            }
        }
        core.service.endTurn()
        #expect(try Self.dump("category", core.service) == before)
        core.service.close()
    }

    /// In one turn, in which the service does nothing else.
    @Test func manyAreFoundInOneReading() async throws {
        let configuration = try TestDirectory().configuration()
        var core = try NotifierService(configuration)
        try core.start()
        try core.service.transact(trace: nil) {
            try $0.database.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO category (client, identifier, body) SELECT 'c', i, CAST('{' AS BLOB) FROM n
                """)
        }
        core.service.endTurn()
        core.service.close()
        // With a reading for each it takes minutes.
        core = try NotifierService(configuration)
        try core.start()
        #expect(try Self.setAside(core.service).count == 20_000)
        core.service.close()
    }

    @Test func aRepairLetsGoOfThemIfItIsToldTo() async throws {
        let run = try CoreRun(WriteCase.notifier)
        let service = try #require(run.service)
        try await Self.setAsideCategory(service)
        _ = await run.ask(Call("copy.rebuild"))
        #expect(try Self.setAside(service) == ["category"])
        #expect(Self.isReported(service))
        let answer = await run.ask(Call("copy.rebuild", #"{"discard_unreadable":true}"#))
        #expect(!answer.hasPrefix("error"), "\(answer)")
        #expect(try Self.setAside(service).isEmpty)
        #expect(!Self.isReported(service))
        run.close()
    }

    /// Nobody knows whom they are about.
    @Test func forgettingForgetsThem() async throws {
        let run = try CoreRun(WriteCase.notifier)
        let service = try #require(run.service)
        try await Self.setAsideCategory(service)
        let answer = await run.ask(Call("privacy.forget", #"{"kind":"app","subject":"mail"}"#))
        #expect(answer.contains(#"{"name":"records that could not be read","count":1}"#), "\(answer)")
        #expect(try Self.setAside(service).isEmpty)
        #expect(!Self.isReported(service))
        run.close()
    }
}
