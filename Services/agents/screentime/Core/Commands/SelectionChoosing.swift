import CommandKit
import Contract
import Loop
import Rules

/// What the options of the selection commands name, checked against the catalogue.
@LoopActor extension Invocation {
    func selectionKey() async throws -> SelectionKey {
        guard let client = value("--client") else {
            throw CommandError(
                ExitCode.usage, "--client is missing", remedy: "Name the bundle id of the app it is for.")
        }
        return SelectionKey(
            name: arguments[0], client: client, member: try await session().memberID(value("--member")))
    }

    /// Adds and takes out what the options name.
    /// - Parameters:
    ///   - adding: between the dashes and the noun of the options that add.
    ///   - removing: the same for those that take out; nil: there are none.
    func choose(_ selection: inout Selection, adding: String, removing: String?) async throws {
        let catalogue = SelectableSubjects(try session())
        let apps = try await catalogue.apps(values("--\(adding)app") ?? [])
        let categories = try SelectableSubjects.categories(values("--\(adding)category") ?? [])
        let domains = try await catalogue.domains(values("--\(adding)domain") ?? [])
        selection.applications = Set(selection.applications).union(apps).sorted()
        selection.categories = Set(selection.categories).union(categories).sorted()
        selection.webDomains = Set(selection.webDomains).union(domains).sorted()
        if selection.includeEntireCategory {
            for category in categories.isEmpty && removing != nil ? selection.categories : categories {
                let inside = try await catalogue.inside(category)
                selection.applications = Set(selection.applications).union(inside.apps).sorted()
                selection.webDomains = Set(selection.webDomains).union(inside.domains).sorted()
            }
        }
        guard let removing else { return }
        try takeOut(values("--\(removing)app"), from: &selection.applications, "app")
        let gone = try values("--\(removing)category").map(SelectableSubjects.categories)
        try takeOut(gone, from: &selection.categories, "category")
        try takeOut(values("--\(removing)domain"), from: &selection.webDomains, "domain")
    }

    private func takeOut(_ names: [String]?, from list: inout [String], _ what: String) throws {
        for name in names ?? [] {
            guard list.contains(name) else {
                throw SelectableSubjects.unknown(name, what, of: list, place: "in the selection")
            }
        }
        list.removeAll { names?.contains($0) == true }
    }

    func save(_ selection: Selection, _ key: SelectionKey) async throws -> Int32 {
        let saved = try await session().call(
            SelectionSet.self,
            SelectionSet.Params(
                name: key.name, client: key.client, member: key.member,
                applications: selection.applications, categories: selection.categories,
                webDomains: selection.webDomains,
                includeEntireCategory: selection.includeEntireCategory))
        if has("--json") {
            Console.print(saved.encoded())
        } else {
            Screentime.printSelection(saved.selection)
        }
        return ExitCode.ok
    }
}

/// What there is to choose from.
@LoopActor struct SelectableSubjects {
    private let session: Session

    init(_ session: Session) { self.session = session }

    /// Ids of the apps that were named by id or name.
    /// - Throws: a refusal that names the nearest ones there are.
    func apps(_ words: [String]) async throws -> [String] {
        guard !words.isEmpty else { return [] }
        var known: [CatalogItem] = []
        try await eachPage(CatalogList.Params(kind: .app)) { known += $0 }
        return try words.map { word in
            if let item = known.first(where: { $0.subject == word }) { return item.subject }
            let named = known.filter { $0.name?.lowercased() == word.lowercased() }
            guard let item = named.first, named.count == 1 else {
                let names = known.flatMap { [$0.subject, $0.name].compactMap { $0 } }
                throw Self.unknown(
                    word, "app", of: named.isEmpty ? names : named.map(\.subject),
                    place: named.isEmpty ? "in the catalogue" : "of this name alone")
            }
            return item.subject
        }
    }

    /// As the catalogue spells them.
    func domains(_ words: [String]) async throws -> [String] {
        var found: [String] = []
        for word in words {
            let domain = try await session.call(CatalogResolve.self, CatalogTarget(host: word)).subject
            let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }),
                !domain.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0 == "/" })
            else {
                throw CommandError(
                    ExitCode.refused, "'\(word)' is not a domain", remedy: "Write it as example.org.")
            }
            found.append(domain)
        }
        return found
    }

    nonisolated static func categories(_ words: [String]) throws -> [String] {
        try words.map { word in
            guard let category = Categories.named(word) else {
                throw unknown(word, "category", of: Categories.names, place: "of Screen Time")
            }
            return category
        }
    }

    /// What a category has now.
    func inside(_ category: String) async throws -> (apps: [String], domains: [String]) {
        var apps: [String] = []
        var domains: [String] = []
        try await eachPage(CatalogList.Params(kind: .app, category: category)) { apps += $0.map(\.subject) }
        try await eachPage(CatalogList.Params(kind: .domain, category: category)) {
            domains += $0.map(\.subject)
        }
        return (apps, domains)
    }

    private func eachPage(
        _ params: CatalogList.Params, _ take: ([CatalogItem]) -> Void
    ) async throws {
        var params = params
        repeat {
            let page = try await session.call(CatalogList.self, params)
            take(page.items)
            params.after = page.next
        } while params.after != nil
    }

    nonisolated static func unknown(
        _ word: String, _ what: String, of known: [String], place: String
    ) -> CommandError {
        let near = NearMisses.of(word, in: Set(known))
        let hint =
            near.isEmpty
            ? (what == "category"
                ? "There are \(known.sorted().joined(separator: ", "))." : "See `screentime catalog list`.")
            : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
        return CommandError(ExitCode.refused, "there is no \(what) '\(word)' \(place)", remedy: hint)
    }
}
