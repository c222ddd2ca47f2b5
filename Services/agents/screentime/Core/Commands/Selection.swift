import CommandKit
import Contract
import JSON
import Loop
import Rules

extension Screentime {
    private static let client = Option("--client", "CLIENT", "Bundle id of the app it is for.")

    private static func subjects(_ verb: String, _ what: String) -> [Option] {
        [
            Option("--\(verb)app", "APP", "\(what) an app, by its id or its name.", isRepeatable: true),
            Option("--\(verb)category", "CATEGORY", "\(what) a category.", isRepeatable: true),
            Option("--\(verb)domain", "DOMAIN", "\(what) a domain with all below it.", isRepeatable: true),
        ]
    }

    static let selectionCommands = [
        selectionCreate, selectionEdit, selectionShow, selectionList, selectionRemove,
    ]

    private static let entire = """
        With --entire-category the apps and domains that a category has now are chosen with it, and an app
        sees them one by one, as Apple's includeEntireCategory has it.
        """

    private static let selectionCreate = Command(
        "selection create", ["NAME"],
        options: [client] + subjects("", "Chooses") + [
            Option("--entire-category", nil, "Choose what is in the categories, too."), .member, .json,
        ],
        summary: "Save a selection of apps, categories and domains for an app.",
        details: entire
    ) { invocation in
        let key = try await invocation.selectionKey()
        let session = try invocation.session()
        do {
            _ = try await session.call(SelectionRead.self, key)
            throw CommandError(
                ExitCode.refused, "there is a selection '\(key.name)' already",
                remedy: "Change it with `screentime selection edit`, or remove it first.")
        } catch let error as ServiceError where error.name == .notFound {
            // As it shall be.
        }
        var chosen = Selection(includeEntireCategory: invocation.has("--entire-category"))
        try await invocation.choose(&chosen, adding: "", removing: nil)
        return try await invocation.save(chosen, key)
    }

    private static let selectionEdit = Command(
        "selection edit", ["NAME"],
        options: [client] + subjects("add-", "Adds") + subjects("remove-", "Takes out") + [
            Option(
                "--entire-category", "yes|no", "Choose what is in the categories, too, or not.",
                values: .words(["yes", "no"])),
            .member, .json,
        ],
        summary: "Change a saved selection; unnamed parts stay.",
        details: entire
    ) { invocation in
        let key = try await invocation.selectionKey()
        var chosen = try await invocation.session().call(SelectionRead.self, key).selection
        if let entire = invocation.value("--entire-category") {
            chosen.includeEntireCategory = entire == "yes"
        }
        try await invocation.choose(&chosen, adding: "add-", removing: "remove-")
        return try await invocation.save(chosen, key)
    }

    private static let selectionShow = Command(
        "selection show", ["NAME"], options: [client, .member, .json],
        summary: "Show a saved selection.",
        details: """
            --json prints it as Apple's FamilyActivitySelection is encoded, with the app's tokens; every app
            with the frameworks can read that.
            """
    ) { invocation in
        let key = try await invocation.selectionKey()
        let session = try invocation.session()
        let selection = try await session.call(SelectionRead.self, key).selection
        if invocation.has("--json") {
            Console.print(try await appleJSON(selection, session).encoded())
        } else {
            printSelection(selection)
        }
        return ExitCode.ok
    }

    private static let selectionList = Command(
        "selection list",
        options: [Option("--client", "CLIENT", "Only of this app."), .member, .json],
        summary: "List the saved selections."
    ) { invocation in
        let session = try invocation.session()
        let member = try await session.memberID(invocation.value("--member"))
        let result = try await session.call(
            SelectionList.self, SelectionList.Params(client: invocation.value("--client"), member: member))
        if invocation.has("--json") {
            Console.print(result.encoded())
            return ExitCode.ok
        }
        let names = try await session.memberNames()
        var table = TextTable(["NAME", "CLIENT", "MEMBER", "APPS", "CATEGORIES", "DOMAINS"])
        for selection in result.selections {
            table.add([
                selection.name, selection.client, names[selection.member] ?? selection.member,
                String(selection.applications.count), String(selection.categories.count),
                String(selection.webDomains.count),
            ])
        }
        table.printAll()
        return ExitCode.ok
    }

    private static let selectionRemove = Command(
        "selection remove", ["NAME"], options: [client, .member],
        summary: "Delete a saved selection; apps keep what they made from it."
    ) { invocation in
        let key = try await invocation.selectionKey()
        _ = try await invocation.session().call(SelectionRemove.self, key)
        Console.print("Removed \(key.name).")
        return ExitCode.ok
    }

    static func printSelection(_ selection: Selection) {
        let parts = [
            ("apps", selection.applications), ("categories", selection.categories),
            ("domains", selection.webDomains.map(DomainName.readable)),
        ]
        Console.print("\(selection.name), for \(selection.client):")
        for (title, names) in parts where !names.isEmpty {
            Console.print("  \(title): \(names.joined(separator: ", "))")
        }
        if parts.allSatisfy({ $0.1.isEmpty }) { Console.print("  nothing") }
        if selection.includeEntireCategory { Console.print("  with what is in the categories") }
    }

    /// The seven keys of Apple's encoding.
    @LoopActor private static func appleJSON(
        _ selection: Selection, _ session: Session
    ) async throws -> JSONValue {
        func tokens(_ kind: TokenKind, _ names: [String]) async throws -> JSONValue {
            let made = try await session.call(
                TokenMake.self,
                TokenMake.Params(
                    client: selection.client, member: selection.member,
                    subjects: names.map { TokenSubject(kind, $0) }))
            return .array(made.tokens.map { .object([("data", .string($0))]) })
        }
        return .object([
            ("applicationTokens", try await tokens(.app, selection.applications)),
            ("categoryTokens", try await tokens(.category, selection.categories)),
            ("includeEntireCategory", .bool(selection.includeEntireCategory)),
            ("untokenizedApplicationIdentifiers", .array([])),
            ("untokenizedCategoryIdentifiers", .array([])),
            ("untokenizedWebDomainIdentifiers", .array([])),
            ("webDomainTokens", try await tokens(.domain, selection.webDomains)),
        ])
    }
}
