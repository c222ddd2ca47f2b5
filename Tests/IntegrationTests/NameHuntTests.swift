import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// What a program can find out about names it was not given, with every request that it may send.
@Suite("programs that hunt for names") struct NameHuntTests {
    private static let hunter = "org.example.app"
    private static let other = "org.example.other"
    /// Contained in every name of the household, and in nothing that a program sends.
    private static let mark = "secret"
    private static let guess = "org.guessed.App"

    /// A household in which each name contains the mark; the hunter's texts: tokens that the person chose for
    /// it, and a guess.
    @LoopActor private func furnish(_ world: World) async throws -> [String] {
        let events = try world.record(.auth)
        try await world.approve(Self.hunter, events)
        try await world.approve(Self.other, events)
        _ = try await world.call(MemberAdd.self, .init(name: "Secretia"))
        _ = try await world.call(
            CatalogObserve.self,
            .init(
                device: "desk",
                apps: ["org.secret.Chosen", "org.secret.Other", "org.secret.Person", Self.guess].map {
                    InstalledApp(app: $0, name: "Secret \($0)")
                }, begins: true))
        for client in [nil, Self.other] {
            let names = JSONValue.array([.string("org.secret.\(client ?? "Person")"), .string(Self.guess)])
            let domains: JSONValue = ["www.secret.example"]
            let settings = [
                Setting(key: "shield.applications", value: names),
                Setting(key: "shield.webDomains", value: domains),
                Setting(
                    key: "shield.applicationCategories",
                    value: ["policy": "specific", "categories": ["secretive"], "except": ["org.secret.X"]]),
                Setting(key: "application.blockedApplications", value: names),
                Setting(key: "application.blockedApplicationsByName", value: names),
                Setting(
                    key: "webContent.blockedByFilter", value: ["policy": "specific", "domains": domains]),
            ]
            _ = try await world.call(
                SettingsWrite.self, .init(store: "my-secret-store", settings: settings), client: client)
            _ = try await world.call(
                MonitoringStart.self,
                .init(activities: [
                    .daily(
                        "secret-activity", from: (0, 0), to: (23, 59),
                        events: [
                            EventDefinition(
                                name: "secret-event", applications: ["org.secret.Other"],
                                threshold: DateComponents(minute: 1))
                        ])
                ]), client: client)
            _ = try await world.call(
                NotificationPost.self, .init(identifier: "secret", title: "A secret"), client: client)
        }
        _ = try await world.call(
            SelectionSet.self,
            .init(
                name: "work", client: Self.hunter, applications: ["org.secret.Chosen"],
                categories: ["secretive"], webDomains: ["secret.example"]))
        let tokens = try await world.call(
            TokenMake.self,
            .init(
                client: Self.hunter,
                subjects: [
                    TokenSubject(.app, "org.secret.Chosen"), TokenSubject(.category, "secretive"),
                    TokenSubject(.domain, "secret.example"),
                ])
        ).tokens
        return tokens.map { "token:" + $0 } + [Self.guess]
    }

    private func check(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(lines.count > 500, "\(lines.count) answers", sourceLocation: sourceLocation)
        #expect(lines.contains { $0.contains("\"stores\"") }, sourceLocation: sourceLocation)
        for line in Set(lines) where line.lowercased().contains(Self.mark) {
            Issue.record("a name is in \(line.prefix(600))", sourceLocation: sourceLocation)
        }
    }

    @Test func anExtensionLearnsNone() async throws {
        try await World.with { world in
            let words = try await furnish(world)
            let bundle = try await FixtureBundle(world, seconds: 240)
            try bundle.write(words.joined(separator: "\n") + "\n", "hunt")
            let run = try await world.call(
                ExtensionRun.self, .init(id: bundle.id, callback: .intervalDidStart, activity: "daily"),
                deadline: 250_000)
            #expect(run.error == nil)
            check(bundle.lines("answer"))
        }
    }

    /// Two households that differ only in what a token stands for: in one of them it is what the program
    /// guesses. The same requests are refused with the same messages. (Other answers are searched for names
    /// by the other tests; their content changes as services apply each other's events.)
    @Test func whatATokenStandsForMakesNoDifference() async throws {
        var (right, wrong): ([Set<String>], [Set<String>]) = ([], [])
        // Whether something is there already depends on when services hear of each other. So what differs is
        // asked again: chance gives both the same answer once, a token that matters never does.
        for round in 1...5 {
            try await Self.add(refusals(where: Self.guess), to: &right)
            try await Self.add(refusals(where: "org.another.App"), to: &wrong)
            try #require(right.count > 500 && right.count == wrong.count, "\(right.count), \(wrong.count)")
            let differing = zip(right, wrong).filter { $0.isDisjoint(with: $1) }
            if differing.isEmpty { break }
            guard round == 5 else { continue }
            for (right, wrong) in differing {
                Issue.record("the right guess: \(right.sorted())\nthe wrong one: \(wrong.sorted())")
            }
        }
        #expect(right.contains { $0.contains { $0.contains("what a token stands for") } })
    }

    private static func add(_ answers: [String], to all: inout [Set<String>]) throws {
        if all.isEmpty { all = answers.map { _ in [] } }
        try #require(answers.count == all.count, "\(answers.count) answers, \(all.count) before")
        for (index, answer) in answers.enumerated() { all[index].insert(answer) }
    }

    /// What an extension is answered that guesses, and has one token.
    @LoopActor private func refusals(where chosen: String) async throws -> [String] {
        var answers: [String] = []
        try await World.with { world in
            try await world.approve(Self.hunter, try world.record(.auth))
            let subjects = [TokenKind.app, .category, .domain].map { TokenSubject($0, chosen) }
            let tokens = try await world.call(
                TokenMake.self, .init(client: Self.hunter, subjects: subjects)
            ).tokens
            let bundle = try await FixtureBundle(world, seconds: 240)
            let words = tokens.map { "token:" + $0 } + [Self.guess]
            try bundle.write(words.joined(separator: "\n") + "\n", "hunt")
            let run = try await world.call(
                ExtensionRun.self, .init(id: bundle.id, callback: .intervalDidStart, activity: "daily"),
                deadline: 250_000)
            #expect(run.error == nil)
            answers = bundle.lines("answer").map(Self.refusal)
        }
        return answers
    }

    /// A refusal without its random parts: tokens, ids and numbers. Empty if it was none.
    private static func refusal(_ line: String) -> String {
        guard line.hasPrefix(#"{"code":"#) else { return "" }
        return line.replacing(/token:[A-Za-z0-9+\/=_-]+/, with: "token")
            .replacing(/[0-9a-f]{8,}|[0-9]+/, with: "#")
    }

    @Test func anAppLearnsNone() async throws {
        try await World.with { world in
            let words = try await furnish(world)
            check(
                try await world.app(
                    ["hunt", words.joined(separator: ",")], ["APP_FIXTURE_CLIENT": Self.hunter]))
        }
    }

    /// What is guessed and what does not exist are answered alike: there is no dictionary.
    @Test func aGuessIsNoWayToAToken() async throws {
        try await World.with { world in
            _ = try await furnish(world)
            let third = "org.example.third"
            try await world.approve(third, try world.record(.auth))
            let lines = try await world.app(
                ["hunt", "\(Self.guess),games,org.nowhere.App"], ["APP_FIXTURE_CLIENT": third])
            check(lines)
            for line in Set(lines) where line.contains("token:") || line.contains("\"shielded\":true") {
                Issue.record("a guess was right: \(line.prefix(600))")
            }
            let refusals = lines.filter { $0.contains("invalidParams") && $0.contains("is no token") }
            #expect(refusals.count > 30, "\(refusals.count) names were refused")
            #expect(!refusals.contains { $0.contains("guessed") || $0.contains("nowhere") })
        }
    }
}
