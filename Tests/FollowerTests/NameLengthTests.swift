import Bus
import Contract
import JSON
import Loop
import ServiceKit
import ScreenTimeTesting
import Testing

@testable import ActivityCore
@testable import AuthCore
@testable import ShieldCore

/// No limit reveals the length of the name behind a token: a client that fills the rest of a limit with its
/// own text is refused at the same place and with the same message, whatever the name.
@Suite(.serialized) @LoopActor struct NameLengthTests {
    private static let app = "org.test.app"
    private static let names = [
        "a.b", "a." + String(repeating: "\\\"", count: 30), String(repeating: "n", count: 253),
    ]

    private func ask(
        _ directory: TestDirectory, _ service: ServiceName, _ method: String, _ params: JSONValue,
        client name: String? = nil, isWrite: Bool = true
    ) async throws -> ServiceError? {
        let client = try RequestClient(
            to: service, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        defer { client.close() }
        let options = CallOptions(deadline: 60_000, client: name)
        let result: Result<RawJSON, ServiceError> = await withCheckedContinuation { continuation in
            client.sendRaw(
                method: method, params: params.encoded(), isWrite: isWrite,
                traceparent: TraceContext.root().traceparent, options: options
            ) { continuation.resume(returning: $0) }
        }
        guard case .failure(let error) = result else { return nil }
        return error
    }

    /// Expects that every name is refused from the same number of bytes of one's own on, and by the same
    /// error.
    private func expectOneEdge(
        _ range: Range<Int>, _ ask: (_ name: String, _ bytes: Int) async throws -> ServiceError?
    ) async throws {
        var edges: [Int] = []
        var errors: [ServiceError] = []
        for name in Self.names {
            var (accepted, refused) = (range.lowerBound, range.upperBound)
            #expect(try await ask(name, accepted) == nil)
            var error = try #require(try await ask(name, refused))
            while refused - accepted > 1 {
                let middle = (accepted + refused) / 2
                if let refusal = try await ask(name, middle) {
                    (refused, error) = (middle, refusal)
                } else {
                    accepted = middle
                }
            }
            edges.append(refused)
            errors.append(error)
        }
        #expect(Set(edges).count == 1, "\(edges)")
        #expect(errors.allSatisfy { $0 == errors[0] && $0.name == .limitExceeded }, "\(errors)")
    }

    private func words(_ count: Int) -> JSONValue { .string(String(repeating: "w", count: count)) }

    private func approve(_ service: Service) throws {
        try service.transact(trace: nil) { transaction in
            let approved = Authorization(
                id: "1", client: Self.app, member: service.member(nil), status: .approved, access: true)
            try service.household.note(approved, transaction)
        }
    }

    private func write(_ directory: TestDirectory, _ store: String, _ name: String, _ bytes: Int) async throws
        -> ServiceError?
    {
        try await ask(
            directory, .shield, "settings.write",
            [
                "store": .string(store),
                "settings": [
                    ["key": "shield.applications", "value": [.string(name)]],
                    ["key": "my.words", "value": words(bytes)],
                ],
            ], client: Self.app)
    }

    @Test func ofAStore() async throws {
        let directory = try TestDirectory()
        let shield = try ShieldService(try directory.configuration())
        try shield.start()
        defer { shield.service.close() }
        try approve(shield.service)
        try await expectOneEdge(510_000..<540_000) { try await write(directory, "one", $0, $1) }
    }

    @Test func ofAnAnswer() async throws {
        let directory = try TestDirectory()
        let shield = try ShieldService(try directory.configuration())
        try shield.start()
        defer { shield.service.close() }
        try approve(shield.service)
        #expect(try await write(directory, "other", "c.d", 510_000) == nil)
        #expect(try await write(directory, "another", "c.d", 510_000) == nil)
        try await expectOneEdge(10_000..<40_000) { name, bytes in
            #expect(try await write(directory, "one", name, bytes) == nil)
            return try await ask(directory, .shield, "settings.list", [:], client: Self.app, isWrite: false)
        }
    }

    @Test func ofWhatIsShielded() async throws {
        let directory = try TestDirectory()
        let owner = try ShieldService(try directory.configuration())
        try owner.start()
        defer { owner.service.close() }
        func shield(_ store: String, _ names: [String]) async throws -> ServiceError? {
            let apps = JSONValue.array(names.map { .string($0) })
            return try await ask(
                directory, .shield, "settings.write",
                [
                    "store": .string(store), "settings": [["key": "shield.applications", "value": apps]],
                ])
        }
        // So many names of one's own, until the shields of all are too many.
        #expect(try await shield("other", (0..<1_500).map { "other.\($0)" }) == nil)
        try await expectOneEdge(100..<1_500) { name, count in
            #expect(try await shield("one", []) == nil)
            return try await shield("one", (0..<count).map { "own.\($0)" } + [name])
        }
    }

    @Test func ofAnEvent() async throws {
        let directory = try TestDirectory()
        let activity = try ActivityCenter(try directory.configuration())
        try activity.start()
        defer { activity.service.close() }
        try approve(activity.service)
        let schedule: JSONValue = [
            "intervalStart": ["hour": 0, "minute": 0], "intervalEnd": ["hour": 23, "minute": 59],
            "repeats": true,
        ]
        try await expectOneEdge(255_000..<290_000) { name, bytes in
            let apps = (0..<bytes / 256).map { JSONValue.string("own.\($0)") } + [.string(name)]
            let event: JSONValue = [
                "name": "event", "applications": .array(apps), "threshold": ["minute": 5],
                "message": words(bytes % 256),
            ]
            return try await ask(
                directory, .activity, "monitoring.start",
                ["activities": [["name": "one", "schedule": schedule, "events": [event]]]], client: Self.app)
        }
    }

    @Test func ofSelections() async throws {
        let directory = try TestDirectory()
        let auth = try AuthService(try directory.configuration())
        try auth.start()
        defer { auth.service.close() }
        func save(_ selection: String, _ name: String, _ count: Int) async throws -> ServiceError? {
            let apps = (0..<count).map { JSONValue.string("own.\($0)") } + [.string(name)]
            return try await ask(
                directory, .auth, "selection.set",
                [
                    "name": .string(selection), "client": .string(Self.app), "applications": .array(apps),
                    "categories": [], "web_domains": [],
                ])
        }
        #expect(try await save("other", "c.d", 950) == nil)
        #expect(try await save("another", "c.d", 60) == nil)
        try await expectOneEdge(900..<999) { try await save("one", $0, $1) }
    }
}
