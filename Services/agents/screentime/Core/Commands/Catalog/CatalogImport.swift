import Bus
import CommandKit
import Contract
import Loop
import Rules
import Units

extension Screentime {
    static let catalogImport = Command(
        "catalog import", [.file("FILE")],
        options: [
            Option("--name", "LIST", "What the list is called; default: the file's name without its end."),
            Option("--category", "CATEGORY", "Of every domain, where the file names none."),
        ],
        summary: "Import a list of domains and their categories.",
        details: """
            FILE is CSV with the columns domain and category, a hosts file (0.0.0.0 example.com), or has a
            domain on each line; the last two need --category. - is standard input. A domain includes its
            subdomains. The list replaces the one of the same name when the import is complete; until then,
            and after any error, nothing changes. The output of `catalog export` can be imported, too.
            """
    ) { invocation in
        let path = invocation.arguments[0]
        let category = try invocation.value("--category").map(CatalogFile.category(named:))
        let name = try invocation.value("--name") ?? CatalogFile.listName(of: path)
        let lines = try LineReader(path)
        let file = CatalogFile(path: path, category: category)
        let session = try invocation.session()
        if try file.begin(lines) == .settings {
            let count = try await CatalogSettingsSender(session).send(file, lines)
            Console.print("Set the categories of \(count) apps and domains.")
            return ExitCode.ok
        }
        let sender = CatalogListSender(session, list: name)
        let domains = try await sender.send(file, lines)
        Console.print("Imported \(domains) \(domains == 1 ? "domain" : "domains") as the list '\(name)'.")
        file.remarks.forEach { Console.note($0) }
        return ExitCode.ok
    }
}

/// Hands a list to activity-center part by part, sorted, so that its store grows at one end: unsorted, each
/// part would touch pages all over it.
@LoopActor struct CatalogListSender {
    private let session: Session
    private let list: String
    private let trace = TraceContext.root()
    private let attempt: String

    /// Domains and bytes of one part, so that it stays a legal message.
    private static let partDomainsMax = 10_000
    private static let partBytesMax = 600_000
    /// One part, on a slow disk; the last one also looks at every host that was ever used.
    private static let partDeadline: Milliseconds = 120_000

    init(_ session: Session, list: String) {
        self.session = session
        self.list = list
        attempt = trace.traceparent
    }

    /// - Returns: how many different domains the list has.
    func send(_ file: CatalogFile, _ lines: LineReader) async throws -> Int64 {
        let domains = try SortedDomains(file, lines)
        guard !domains.isEmpty else { throw file.hasNothing }
        var number: Int64 = 0
        var start = 0
        while true {
            let (groups, end) = domains.part(
                from: start, domainsMax: Self.partDomainsMax, bytesMax: Self.partBytesMax)
            let result = try await session.call(
                CatalogImport.self,
                CatalogImport.Params(
                    list: list, attempt: attempt, part: number, last: end == domains.count, groups: groups),
                options: CallOptions(deadline: Self.partDeadline, trace: trace))
            if end == domains.count { return result.domains }
            (number, start) = (number + 1, end)
        }
    }
}

/// Sets what an export says was set, one after the other.
@LoopActor struct CatalogSettingsSender {
    private let session: Session

    init(_ session: Session) { self.session = session }

    func send(_ file: CatalogFile, _ lines: LineReader) async throws -> Int {
        // Read whole first: one that is wrong changes nothing.
        var entries: [CatalogFile.Entry] = []
        while let entry = try file.next(lines) { entries.append(entry) }
        for entry in entries {
            let target =
                entry.kind == .app
                ? CatalogTarget(app: entry.subject) : CatalogTarget(host: entry.subject)
            _ = try await session.call(
                CatalogSet.self, CatalogSet.Params(about: target, category: entry.category))
        }
        return entries.count
    }
}
