import Bus
import CommandKit
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import CommandCore

/// Names that a terminal would obey, stored wherever something takes them and given to every command: none
/// reaches standard output or standard error.
@Suite(.timeLimit(.minutes(5))) struct HostileNamesTests {
    private static let name = "\u{1B}[31mred\u{202E}evil\u{9B}2J\nsecond \u{7}line"
    private static let client = "org.example.app"

    private static func text(_ bytes: [UInt8]) -> [Unicode.Scalar] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
            $0 != "\n" && $0 != "\t" && VisibleText.isHidden($0)
        }
    }

    /// Commands that are not run: they continue until interrupted, or build programs.
    private static let leftOut: Set<String> = ["extension new", "extension bundle", "extension check"]

    @Test func noCommandPassesThemOn() async throws {
        try await World.with(environment: ["NO_COLOR": "1"]) { world in
            try await world.approve(Self.client, try world.record(.auth))
            try await Self.fill(world)
            let program = URL(fileURLWithPath: World.products + "/screentime").path
            var showing: Set<String> = []
            for command in Screentime.commands where !Self.leftOut.contains(command.words) {
                for words in Self.calls(of: command.description) {
                    // A name may become that of a file where the command runs.
                    let label = "screentime-\(world.processes.count)"
                    let place = ["/usr/bin/env", "-C", world.directory, program]
                    let outcome = try await world.run(label, place + words)
                    let said = outcome.lines.joined(separator: "\n") + world.errors(of: label)
                    #expect(
                        Self.text(Array(said.utf8)).isEmpty, "\(words.map { $0.debugDescription }): \(said)")
                    #expect(outcome.status != ExitCode.bug, "\(words): \(said)")
                    if said.contains("red\\u{202E}evil") { showing.insert(command.words) }
                }
            }
            #expect(
                showing.isSuperset(of: ["monitor list", "shield list", "catalog list", "notifications"]),
                "\(showing.sorted())")
            #expect(access(Self.name, F_OK) != 0, "a command left a file in the checkout")
        }
    }

    /// Without anything, with hostile arguments, and with a hostile value for each option.
    private static func calls(of command: CommandDescription) -> [[String]] {
        let words = command.words.split(separator: " ").map(String.init)
        let arguments = words + command.arguments.filter(\.isRequired).map { _ in name }
        let valued = command.options.filter { $0.value != nil }.flatMap { [$0.name, name] }
        // A command that waits for somebody waits one second.
        let brief = command.options.contains { $0.name == "--timeout" } ? ["--timeout", "1"] : []
        var calls = [arguments + brief, words + ["--\(name)"]]
        if arguments != words { calls.append(words + brief) }
        if !valued.isEmpty { calls.append(arguments + valued) }
        if command.options.contains(where: { $0.name == "--json" }) {
            calls.append(arguments + brief + ["--json"])
        }
        return calls
    }

    /// What takes names, each with this one.
    private static func requests(named name: String) -> [@LoopActor (World) async throws -> Void] {
        let schedule = Schedule(
            intervalStart: DateComponents(hour: 0), intervalEnd: DateComponents(hour: 23), repeats: true)
        func start(_ activity: String, _ event: String) -> MonitoringStart.Params {
            let event = EventDefinition(name: event, threshold: DateComponents(minute: 30))
            return MonitoringStart.Params(activities: [
                ActivityDefinition(name: activity, schedule: schedule, events: [event])
            ])
        }
        func shield(_ store: String, _ app: String) -> SettingsWrite.Params {
            let setting = Setting(key: "shield.applications", value: .array([.string(app)]))
            return SettingsWrite.Params(store: store, settings: [setting])
        }
        func post(_ identifier: String, category: String = "", thread: String = "")
            -> NotificationPost.Params
        {
            var details = NotificationDetails()
            details.category = category
            details.thread = thread
            return NotificationPost.Params(identifier: identifier, title: "t", details: details)
        }
        func use(_ app: String, _ device: String) -> UsageObserve.Params {
            UsageObserve.Params(
                device: device, observations: [Observation(at: 1, kind: .focus, app: app)])
        }
        func install(_ app: String, _ device: String) -> CatalogObserve.Params {
            CatalogObserve.Params(
                device: device, apps: [InstalledApp(app: app, name: "n", categories: [])])
        }
        func freeze(_ agent: String, _ app: String) -> ShieldFreeze.Params {
            ShieldFreeze.Params(agent: agent, app: app, processes: [])
        }
        return [
            { _ = try await $0.call(MonitoringStart.self, start(name, "e")) },
            { _ = try await $0.call(MonitoringStart.self, start("a", name)) },
            { _ = try await $0.call(SettingsWrite.self, shield(name, "org.example.Game")) },
            { _ = try await $0.call(SettingsWrite.self, shield("s", name)) },
            { _ = try await $0.call(NotificationPost.self, post(name)) },
            { _ = try await $0.call(NotificationPost.self, post("c", category: name)) },
            { _ = try await $0.call(NotificationPost.self, post("t", thread: name)) },
            { _ = try await $0.call(DarwinPost.self, DarwinPost.Params(name: name)) },
            { _ = try await $0.call(UsageObserve.self, use(name, "d")) },
            { _ = try await $0.call(UsageObserve.self, use("a", name)) },
            { _ = try await $0.call(CatalogObserve.self, install(name, "d")) },
            { _ = try await $0.call(CatalogObserve.self, install("a", name)) },
            { _ = try await $0.call(ShieldFreeze.self, freeze(name, "a")) },
            { _ = try await $0.call(ShieldFreeze.self, freeze("g", name)) },
            { _ = try await $0.call(MemberAdd.self, MemberAdd.Params(name: name)) },
        ]
    }

    @Test func nothingTakesThem() async throws {
        try await World.with { world in
            for (number, request) in Self.requests(named: Self.name).enumerated() {
                let refusal = await #expect(throws: ServiceError.self, "request \(number)") {
                    try await request(world)
                }
                #expect(refusal?.name == .invalidParams, "request \(number): \(String(describing: refusal))")
                let said = Self.text(Array("\(refusal?.message ?? "") \(refusal?.remedy ?? "")".utf8))
                #expect(said.isEmpty, "request \(number)")
            }
            // A client's own name is one, too.
            let client = try world.client(.auth)
            await #expect(throws: ServiceError.self) {
                try await client.call(MemberList.self, Nothing(), options: CallOptions(client: Self.name))
            }
        }
    }

    /// What older versions let in: names are given that may be, and exchanged in the stores.
    @LoopActor private static func fill(_ world: World) async throws {
        for request in requests(named: placeholder) { try await request(world) }
        let words = NotificationPost.Params(identifier: "words", title: name, body: name, subtitle: name)
        _ = try await world.call(NotificationPost.self, words)
        for service in World.allServices.reversed() { _ = try await world.process(service).stop() }
        let exchange = try await world.run(
            "exchange",
            ["/usr/bin/python3", "-c", exchange, world.directory + "/state", placeholder, name])
        #expect(exchange.status == 0 && exchange.lines.count > 8, "\(world.errors(of: "exchange"))")
        for service in World.allServices { try await world.start(service) }
    }

    private static let placeholder = "org.example.placeholder"

    /// In all columns of all stores, in records as JSON spells it; prints where.
    private static let exchange = #"""
        import glob, json, os, sqlite3, sys
        state, old, new = sys.argv[1:]
        for path in glob.glob(state + "/**/*.sqlite3", recursive=True):
            store = sqlite3.connect(path)
            columns = store.execute("""SELECT m.name, c.name
                FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
                WHERE m.type = 'table' AND c.type IN ('TEXT', 'BLOB')""").fetchall()
            for table, column in columns:
                for kind, text in (("text", new), ("blob", json.dumps(new)[1:-1])):
                    isRecord = f"AND CAST({column} AS TEXT) LIKE '{{%'" if kind == "blob" else ""
                    changed = store.execute(f"""UPDATE {table}
                        SET {column} = CAST(replace(CAST({column} AS TEXT), ?, ?) AS {kind})
                        WHERE typeof({column}) = '{kind}' {isRecord}
                        AND instr(CAST({column} AS TEXT), ?)""", (old, text, old)).rowcount
                    if changed: print(os.path.basename(path), table, column, changed)
            store.commit()
            store.close()
            if os.path.exists(path + "-state"): os.remove(path + "-state")
        """#
}
