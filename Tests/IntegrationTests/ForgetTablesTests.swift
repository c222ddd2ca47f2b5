import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// Every table of every service that can contain text is filled with what is to be deleted, or is on a list
/// with the reason why it is not. A new table fails the first test until one of both is done.
@Suite struct ForgetTablesTests {
    private static let words = [ForgetBytesTests.app, ForgetBytesTests.name, ForgetBytesTests.host]

    private static let rule =
        "a rule of the person: stays and is named (ForgetBytesTests.rulesStayAndAreNamed)"
    private static let list = "imported lists of domains stay"
    private static let numbers = "numbers under ids of other tables"

    /// Tables of every store.
    private static let common = [
        "log": "epoch and time", "schema_part": "versions", "cursor": "names of services",
        "event_last": "types of events", "setting": "named by the program", "run": "random ids",
        "followed_run": "random ids", "household_copy": "members and authorizations, from auth-service",
        "sqlite_sequence": "names of tables", "extension_copy": "extensions, from monitor-runner",
        "event": "filled where the service has events of it; ForgetBytesTests reads the bytes of all",
        "answer": "filled where a write named it; all that name it go",
        "unreadable_row": "rows that could not be read; all go (UnreadableRowTests)",
    ]
    private static let never: [ServiceName: [String: String]] = [
        .auth: [
            "member": "people", "authorization": "who may; named by forget", "token_master": "a key",
            "token_grant": "clients; a generation must not come again",
            "asker": "clients; answered ones that name it go", "question": "random ids",
            "request_question": "random ids",
            "token_name": "only names that are too long for a token; those that name it go",
        ],
        .activity: [
            "boot": "ids of starts of a device", "domain_list": list, "listed_domain": list, "activity": rule,
            "counted_event": rule, "category_override": rule, "fired": numbers,
            "checkpoint": "the present state of use; made again without it (ForgetUseTests)",
            "installed_app": "the catalogue of what is installed",
        ],
        .monitor: [
            "extension": "extensions", "taken_in": "hashes", "app_group": "groups and clients",
            "client_folder": "clients and directories", "revocation": "clients and members",
            "removal": "ids of extensions, until their files are gone",
        ],
        .shield: [
            "store": rule, "shield": rule, "freeze": "what is frozen now; named by forget",
            "exception": "what is open now; named by forget, and its reason goes",
            "enforcement": "whether limits act on this machine",
        ],
        .report: [
            "quarter": numbers, "rollup": numbers, "hour": numbers, "day": numbers, "calendar": "zones",
            "device": "devices", "member": "people",
        ],
        .notifier: [
            "badge": "clients", "category": "buttons of clients",
            "channel": "an address of the person, and why it failed last",
            "outgoing": "reports on their way; those that name it go (WeeklyReportTests)",
            "scheduled": "what is planned; what names it goes (ForgetUseTests)",
        ],
    ]

    @LoopActor private static func fill(_ world: World) async throws {
        try await ForgetBytesTests.live(world)
        try await ForgetBytesTests.limit(world)
        _ = try await world.call(
            SelectionSet.self,
            SelectionSet.Params(
                name: "games", client: "org.test.limits",
                applications: [ForgetBytesTests.app, "org.test.Writer"],
                webDomains: [ForgetBytesTests.host]), idempotencyKey: "selection")
        for (kind, subject) in [(SubjectKind.app, ForgetBytesTests.app), (.domain, ForgetBytesTests.host)] {
            _ = try await world.call(
                RequestCreate.self, RequestCreate.Params(kind: kind, subject: subject, reason: subject),
                idempotencyKey: "request \(kind)")
        }
        let long = String(repeating: "long.", count: 15) + ForgetBytesTests.host
        _ = try await world.call(
            TokenMake.self, .init(client: "org.test.limits", subjects: [TokenSubject(.domain, long)]))
    }

    @Test func everyTableWithTextIsForgottenOrNeverHoldsIt() async throws {
        try await World.with { world in
            try await Self.fill(world)
            try await world.settle()
            for service in ServiceName.allCases {
                let tables = try StoreTables(world, service)
                let filled = Set(tables.tables(with: Self.words))
                let known = Set(Self.common.keys).union(Self.never[service, default: [:]].keys)
                let unknown = Set(tables.contents.keys).subtracting(filled).subtracting(known)
                #expect(
                    unknown == [], "\(service.rawValue): fill these tables here, or say why they hold no name"
                )
            }
            for target in [["--app", ForgetBytesTests.app], ["--domain", ForgetBytesTests.host]] {
                let outcome = try await world.command(["forget"] + target + ["--yes"])
                #expect(outcome.status == 0, "\(outcome)")
            }
            for service in ServiceName.allCases {
                let tables = try StoreTables(world, service)
                #expect(tables.tables(with: Self.words) == [], "\(service.rawValue) still names it")
            }
            // Nor does the catalogue list the placeholders.
            for kind in [SubjectKind.app, .domain] {
                let known = try await world.call(CatalogList.self, CatalogList.Params(kind: kind)).items
                #expect(!known.contains { $0.subject.contains("\u{10FFFF}") }, "\(known.map(\.subject))")
            }
        }
    }

    @Test func aSelectionLosesTheNameAndKeepsTheRest() async throws {
        try await World.with { world in
            try await ForgetBytesTests.live(world)
            func set(_ name: String, _ apps: [String]) async throws {
                _ = try await world.call(
                    SelectionSet.self,
                    SelectionSet.Params(
                        name: name, client: "org.test.limits", applications: apps,
                        webDomains: [ForgetBytesTests.host, "kept.example"]),
                    idempotencyKey: UUID().uuidString)
            }
            try await set("games", [ForgetBytesTests.app, "org.test.Writer"])
            try await set("gone", ["org.test.Writer"])
            try await set("gone", [ForgetBytesTests.app])
            _ = try await world.call(
                SelectionRemove.self, SelectionKey(name: "gone", client: "org.test.limits"),
                idempotencyKey: "remove")
            try await set("other", ["org.test.Writer"])
            let outcome = try await world.command("forget", "--app", ForgetBytesTests.app, "--yes")
            #expect(outcome.status == 0 && outcome.output.contains("choices in selections"), "\(outcome)")
            #expect(try world.files(with: [ForgetBytesTests.app]) == [])

            let kept = try await world.call(SelectionList.self, SelectionList.Params()).selections
            #expect(kept.map(\.name) == ["games", "other"])
            #expect(kept.allSatisfy { $0.applications == ["org.test.Writer"] })
            #expect(kept.allSatisfy { $0.webDomains.contains("kept.example") })
            // Whoever reads the log from its beginning comes to the same.
            let recorder = try world.record(.auth)
            let head = try await world.health(.auth).head
            let read = try await recorder.wait(for: "events up to \(head)") { recorder in
                recorder.events.last.map(\.sequence) ?? 0 >= head
                    ? try recorder.all(SelectionChanged.self) : nil
            }
            var present: [String: Selection] = [:]
            for change in read { present[change.selection.name] = change.removed ? nil : change.selection }
            #expect(present.values.sorted { $0.name < $1.name } == kept)
        }
    }

    @Test func ofEverythingNoSelectionIsLeft() async throws {
        try await World.with { world in
            try await Self.fill(world)
            let outcome = try await world.command("forget", "--everything", "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try world.files(with: Self.words + ["org.test.limits"]) == [])
            #expect(try await world.call(SelectionList.self, SelectionList.Params()).selections.isEmpty)
        }
    }
}
