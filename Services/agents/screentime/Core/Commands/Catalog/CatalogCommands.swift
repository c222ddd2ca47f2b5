import CommandKit
import Contract
import JSON
import Loop
import Rules
import Units

extension Screentime {
    static let catalogCommands = [
        catalogList, catalogShow, catalogSet, catalogUnset, catalogImport, catalogLists, catalogExport,
        catalogRemove,
    ]

    private static let isApp = Option("--app", nil, "TARGET is an app's id, whatever it looks like.")
    private static let isDomain = Option("--domain", nil, "TARGET is a domain, whatever it looks like.")

    private static let catalogList = Command(
        "catalog list", ["[FILTER]"],
        options: [
            Option("--domains", nil, "Domains instead of apps."),
            Option("--category", "CATEGORY", "Only these."),
            Option(
                "--source", "SOURCE", "Only what this decided: person, list, entry, known or nothing.",
                values: .cases(of: CategorySource.self)),
            .json,
        ],
        summary: "List apps, or domains that were used, set or are well known, with their categories.",
        details: "FILTER is a part of the id or name."
    ) { invocation in
        let params = CatalogList.Params(
            kind: invocation.has("--domains") ? .domain : .app, filter: invocation.arguments.first,
            category: invocation.value("--category"), source: invocation.source())
        var items: [CatalogItem] = []
        try await eachPage(of: params, invocation.session()) { items += $0 }
        if invocation.has("--json") {
            Console.print(CatalogList.Result(items: items).encoded())
            return ExitCode.ok
        }
        var table = TextTable(["ID", "CATEGORY", "SOURCE", "NAME"])
        for item in items {
            let subject = item.kind.readable(item.subject)
            table.add([subject, item.category, item.source.rawValue, item.name ?? ""])
        }
        table.printAll()
        return ExitCode.ok
    }

    private static let catalogShow = Command(
        "catalog show", ["TARGET"], options: [isApp, isDomain, .json],
        summary: "Show the category of one app or host and what decided it."
    ) { invocation in
        let item = try await invocation.session().call(CatalogResolve.self, try invocation.target())
        show(item, invocation)
        return ExitCode.ok
    }

    private static let catalogSet = Command(
        "catalog set", ["TARGET", "CATEGORY"], options: [isApp, isDomain, .json],
        summary: "Put an app, or a domain with its subdomains, into a category.",
        details: """
            It overrides every other source, at once, and also for recorded usage. Delivered thresholds stay
            delivered. Categories: \(Categories.names.sorted().joined(separator: ", ")).
            """
    ) { invocation in
        let result = try await invocation.session().call(
            CatalogSet.self,
            CatalogSet.Params(about: try invocation.target(), category: invocation.arguments[1]))
        show(result.item, invocation)
        return ExitCode.ok
    }

    private static let catalogUnset = Command(
        "catalog unset", ["TARGET"], options: [isApp, isDomain, .json],
        summary: "Undo `catalog set` for an app or a domain."
    ) { invocation in
        let result = try await invocation.session().call(
            CatalogSet.self, CatalogSet.Params(about: try invocation.target()))
        show(result.item, invocation)
        return ExitCode.ok
    }

    private static let catalogLists = Command(
        "catalog lists", options: [.json],
        summary: "List the imported lists; if two contain a domain, the upper one decides."
    ) { invocation in
        let result = try await invocation.session().call(CatalogLists.self, Nothing())
        if invocation.has("--json") {
            Console.print(result.encoded())
            return ExitCode.ok
        }
        var table = TextTable(["LIST", "DOMAINS", "IMPORTED"])
        for list in result.lists {
            table.add([list.name, "\(list.domains)", LocalTime.text(list.imported)])
        }
        table.printAll()
        return ExitCode.ok
    }

    private static let catalogRemove = Command(
        "catalog remove", ["LIST"], summary: "Remove an imported list."
    ) { invocation in
        _ = try await invocation.session().call(
            CatalogRemove.self, CatalogRemove.Params(list: invocation.arguments[0]))
        Console.print("Removed the list '\(invocation.arguments[0])'.")
        return ExitCode.ok
    }

    private static let catalogExport = Command(
        "catalog export", ["[LIST]"],
        summary: "Print an imported list, or the categories you set, as CSV for `catalog import`."
    ) { invocation in
        let session = try invocation.session()
        guard let list = invocation.arguments.first else {
            Console.print(CatalogFile.settingsHeader)
            for kind in [SubjectKind.app, .domain] {
                try await eachPage(of: CatalogList.Params(kind: kind, source: .person), session) { items in
                    for item in items {
                        Console.print("\(kind.rawValue),\(csvField(item.subject)),\(item.category)")
                    }
                }
            }
            return ExitCode.ok
        }
        var params = CatalogRead.Params(list: list)
        var isFirst = true
        repeat {
            let page = try await session.call(CatalogRead.self, params)
            var lines = isFirst ? ["domain,category"] : []
            for group in page.groups { lines += group.domains.map { "\($0),\(group.category)" } }
            lines.forEach { Console.print($0) }
            params.after = page.next
            isFirst = false
        } while params.after != nil
        return ExitCode.ok
    }

    @LoopActor private static func eachPage(
        of wanted: CatalogList.Params, _ session: Session, _ body: ([CatalogItem]) -> Void
    ) async throws {
        var params = wanted
        repeat {
            let page = try await session.call(CatalogList.self, params)
            body(page.items)
            params.after = page.next
        } while params.after != nil
    }

    @LoopActor private static func show(_ item: CatalogItem, _ invocation: Invocation) {
        if invocation.has("--json") { return Console.print(item.encoded()) }
        Console.print("\(item.kind.readable(item.subject))  \(item.kind.rawValue)")
        let rows: [(String, String?)] = [
            ("name", item.name), ("category", item.category), ("because of", reason(item)),
            (
                "counts as",
                item.registrableDomain.flatMap { $0 == item.subject ? nil : DomainName.readable($0) }
            ),
            ("browser", item.browser == true ? "yes" : nil), ("icon", item.icon),
            ("window class", item.windowClass), ("installed on", item.devices?.joined(separator: ", ")),
        ]
        for (title, text) in rows {
            guard let text else { continue }
            Console.print("  \(title)\(String(repeating: " ", count: 14 - title.count))\(text)")
        }
    }

    private static func reason(_ item: CatalogItem) -> String {
        let decided = item.decidedBy.map { text in
            // The name of a list follows the domain.
            let end = text.firstIndex(of: " ") ?? text.endIndex
            return ": " + item.kind.readable(String(text[..<end])) + text[end...]
        } ?? ""
        return switch item.source {
        case .person: "your setting" + decided
        case .list: "an imported list" + decided
        case .entry: "its desktop entry"
        case .known: "the built-in table" + decided
        case .nothing: "not in the catalogue"
        }
    }

    private static func csvField(_ text: String) -> String {
        guard text.contains(where: { ",\"\n".contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}

extension Invocation {
    fileprivate func target() throws(CommandError) -> CatalogTarget {
        switch (has("--app"), has("--domain")) {
        case (true, true):
            throw CommandError(ExitCode.usage, "--app and --domain exclude each other", remedy: "Use one.")
        case (true, false): CatalogTarget(app: arguments[0])
        case (false, true): CatalogTarget(host: arguments[0])
        case (false, false): CatalogTarget(target: arguments[0])
        }
    }

    fileprivate func source() -> CategorySource? {
        value("--source").flatMap(CategorySource.init)
    }
}
