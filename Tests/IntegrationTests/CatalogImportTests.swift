import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// Lists of domains: every format, what is refused, and what remains of an import that did not end.
@Suite struct CatalogImportTests {
    nonisolated static let services = ["auth-service", "activity-center"]

    @LoopActor static func category(_ world: World, _ host: String) async throws -> String {
        try await world.call(CatalogResolve.self, CatalogTarget(host: host)).category
    }

    @LoopActor static func lists(_ world: World) async throws -> [String] {
        try await world.call(CatalogLists.self, Nothing()).lists.map { "\($0.name) \($0.domains)" }
    }

    /// Settings are sent one after the other: nothing is sent of a file in which one cannot be.
    @Test(arguments: ["app,token:AAAA,games", "app,a\u{200B},games", "app,x,nothing"])
    func settingsOfAWrongFileChangeNothing(line: String) async throws {
        try await World.with(Self.services) { world in
            let path = try world.write(
                "kind,subject,category\ndomain,a.example,games\n\(line)\n", to: "settings.csv")
            let outcome = try await world.command("catalog", "import", path)
            #expect(outcome.status == 65 && outcome.errors.contains("Nothing changed"), "\(outcome)")
            #expect(outcome.errors.contains("line 3"), "\(outcome.errors)")
            #expect(try await Self.category(world, "a.example") == "other")
        }
    }

    @Test(arguments: [
        // A hosts file: remarks, the machine's own names, several names, an address that is no name.
        (
            "# ads\n127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 0.0.0.0\n0.0.0.0 a.example # x\n"
                + "0.0.0.0\tb.example c.example\r\n", ["--category", "games"],
            ["a.example games", "x.b.example games", "c.example games", "localhost other"], "3"
        ),
        // One domain on a line, in any case, with dots and stars, the last line without an end.
        (
            "! remark\n\nA.Example.\n*.b.example\n.c.example\nxn--mnchen-3ya.example",
            ["--category", "Social"],
            ["a.example social", "b.example social", "y.c.example social", "xn--mnchen-3ya.example social"],
            "4"
        ),
        // A table without and with a header, in another order, with quotes; the first of two lines counts.
        ("a.example,travel\nb.example,Health & Fitness\na.example,games\n", [],
            ["a.example travel", "b.example health"], "2"),
        ("\u{FEFF}id,category,domain\n1,\"developer-tools\",\"a.example\"\n2,other,youtube.com\n", [],
            ["a.example developer tools", "www.youtube.com other"], "2"),
    ])
    func everyFormatIsRead(text: String, options: [String], wanted: [String], count: String) async throws {
        try await World.with(Self.services) { world in
            let path = try world.write(text, to: "my.list.txt")
            let run = try await world.run(
                "import", [World.products + "/screentime", "catalog", "import", path] + options)
            #expect(run.status == 0)
            #expect(run.lines == ["Imported \(count) domains as the list 'my'."])
            for line in wanted {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                #expect(try await Self.category(world, words[0]) == words[1], "\(line)")
            }
            #expect(try await Self.lists(world) == ["my \(count)"])
        }
    }

    @Test func whatIsWrongIsNamedAndChangesNothing() async throws {
        try await World.with(Self.services) { world in
            let wrong: [(String, [String], Int32, [String])] = [
                ("a.example\n", [], 64, ["--category"]),
                ("a.example\n", ["--category", "adult"], 64, ["adult", "games"]),
                ("a.example,games\nb.example,adult\n", [], 65, ["line 2", "adult"]),
                ("domain\n", ["--category", "games", "--name", ""], 1, ["list"]),
                ("domain,kind\na.example,games\n", [], 65, ["category"]),
                ("a.example,games\nb.example\n", [], 65, ["line 2"]),
                ("domain,category\na.example,\"games\n", [], 65, ["line 2", "quotes"]),
                ("# nothing\n", [], 65, ["no domain"]),
                ("1.2.3.4\n", ["--category", "games"], 65, ["no domain"]),
            ]
            for (number, (text, options, status, words)) in wrong.enumerated() {
                let path = try world.write(text, to: "w\(number).csv")
                let name = "import-\(number)"
                let run = try await world.run(
                    name, [World.products + "/screentime", "catalog", "import", path] + options)
                #expect(run.status == status, "\(text)")
                for word in words { #expect(world.errors(of: name).contains(word), "\(text) \(word)") }
            }
            #expect(try await world.command("catalog", "import", "/nowhere/x.csv").status == 66)
            #expect(try await Self.lists(world) == [])
            // Invalid domains are counted and reported; the others count.
            let mixed = try world.write("a.example\nhttp://b.example/x\n10.0.0.1\n", to: "mixed.txt")
            let some = try await world.command("catalog", "import", mixed, "--category", "games")
            #expect(some.status == 0 && some.errors.contains("2 names are no domains"))
            #expect(some.errors.contains("line 2, 3"))
        }
    }

    @Test func aNewListReplacesTheOldOneAsAWholeAndAnInterruptedOneDoesNothing() async throws {
        try await World.with(Self.services) { world in
            @LoopActor func send(
                _ attempt: String, _ part: Int64, last: Bool, _ domains: [String],
                _ category: String = "games"
            ) async throws -> Int64 {
                try await world.call(
                    CatalogImport.self,
                    CatalogImport.Params(
                        list: "l", attempt: attempt, part: part, last: last,
                        groups: [CatalogGroup(category: category, domains: domains)])
                ).domains
            }
            #expect(try await send("one", 0, last: true, ["a.example", "A.example", "b.example"]) == 2)
            #expect(try await send("two", 0, last: false, ["c.example"]) == 1)
            #expect(try await Self.category(world, "c.example") == "other")
            // Killed during the import, it continues where it was.
            let process = try world.process("activity-center")
            process.signal(SIGKILL)
            _ = try await process.exit()
            try await world.start("activity-center")
            #expect(try await Self.category(world, "b.example") == "games")
            #expect(try await send("two", 1, last: true, ["d.example"], "travel") == 2)
            #expect(try await Self.category(world, "x.c.example") == "games")
            #expect(try await Self.category(world, "d.example") == "travel")
            #expect(try await Self.category(world, "a.example") == "other")
            // A part of an import that another one replaced, or that is over, is refused.
            for (attempt, part) in [("one", 1), ("two", 2), ("three", 1)] {
                await #expect(throws: ServiceError.self) {
                    _ = try await send(attempt, Int64(part), last: true, ["x.example"])
                }
            }
            await #expect(throws: ServiceError.self) { _ = try await send("x", 0, last: true, ["10.0.0.1"]) }
            await #expect(throws: ServiceError.self) {
                _ = try await send("x", 0, last: true, ["x.example"], "adult")
            }
            #expect(try await Self.lists(world) == ["l 2"])
        }
    }

    @Test func aLongListIsTakenExportedAndTakenAgain() async throws {
        try await World.with(Self.services) { world in
            let count = 25_000
            let categories = ["games", "social", "developer tools"]
            let lines = (0..<count).map { "d\($0 * 7_919 % count).example,\(categories[$0 % 3])" }
            let path = try world.write("domain,category\n" + lines.joined(separator: "\n"), to: "long.csv")
            #expect(try await world.command("catalog", "import", path).status == 0)
            #expect(try await Self.lists(world) == ["long \(count)"])
            let exported = try await world.command("catalog", "export", "long")
            #expect(exported.lines.first == "domain,category" && exported.lines.count == count + 1)
            #expect(exported.lines.dropFirst().sorted() == lines.sorted())
            let again = try world.write(exported.output, to: "again.csv")
            #expect(try await world.command("catalog", "import", again).status == 0)
            // Of two lists the one imported last decides.
            let other = try world.write("d17.example\n", to: "other.txt")
            #expect(try await world.command("catalog", "import", other, "--category", "health").status == 0)
            #expect(try await Self.category(world, "d17.example") == "health")
            #expect(try await world.command("catalog", "remove", "other").status == 0)
            #expect(try await world.command("catalog", "remove", "other").status == 1)
            #expect(try await Self.category(world, "d17.example") != "health")
        }
    }

    @Test func whatWasSetIsExportedAndTakenAgain() async throws {
        let exported = try await World.withResult(Self.services) { world in
            let own = [("org.x.App, two", "games"), ("a.example", "social"), ("github.io", "other")]
            for (target, category) in own {
                #expect(try await world.command("catalog", "set", target, category).status == 0)
            }
            return try await world.command("catalog", "export").output
        }
        #expect(
            exported == """
                kind,subject,category
                app,"org.x.App, two",games
                domain,a.example,social
                domain,github.io,other
                """)
        try await World.with(Self.services) { world in
            let path = try world.write(exported, to: "set.csv")
            #expect(try await world.command("catalog", "import", path).status == 0)
            #expect(try await world.command("catalog", "export").output == exported)
            let shown = try await world.command("catalog", "show", "foo.bar.github.io")
            #expect(shown.output.contains("your setting: github.io"))
            #expect(shown.output.contains("counts as     bar.github.io"))
        }
    }
}

extension World {
    /// Like `with`, and hands out what `body` made.
    fileprivate static func withResult<Result: Sendable>(
        _ services: [String], _ body: @LoopActor (World) async throws -> Result
    ) async throws -> Result {
        var result: Result?
        try await with(services) { world in result = try await body(world) }
        guard let result else { throw Overdue("a result") }
        return result
    }
}
