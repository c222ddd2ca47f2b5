import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import ActivityCore
@testable import DesktopCore
@testable import ServiceKit
@testable import ShieldCore

/// What the copy of the catalogue must not keep, nor lose: forgotten and restored catalogues, late answers.
extension JudgeTests {
    /// The person's category is a rule and stays, so the copy reads it again, and reports when it changes.
    @Test func aForgottenAppWhoseCategoryStaysIsReadAgain() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            let moved = try await pair.set("exe:/opt/b", "games")
            #expect(try await pair.judge(["exe:/opt/b"], after: [moved]) == ["games games"])
            let params = PrivacyForget.Params(kind: .app, subject: "exe:/opt/b")
            for client in [pair.activity, pair.shield] {
                _ = try await client.call(PrivacyForget.self, params)
            }
            try await pair.until("the app that is read again") { pair.copy["exe:/opt/b"] == "games" }
            let programs = try await pair.shield.call(ShieldJudge.self, ShieldJudge.Params(programs: true))
            #expect(programs.programs == ["exe:/opt/b"])
            let count = try await pair.events(ShieldCoverageChanged.self).count
            let reset = try await pair.set("exe:/opt/b", nil)
            // The catalogue may have been read again by then, and no longer has the app.
            let judged = try await pair.judge(["exe:/opt/b"], after: [reset])
            #expect(["other -", "other? -"].contains(judged.joined()))
            #expect(try await pair.events(ShieldCoverageChanged.self).count == count + 1)
        }
    }

    /// An app that activity-center forgets after shield-service is not shielded by a category of before.
    @Test func forgettingAnAppIsReportedIfItsShieldChanges() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            let position = try await pair.install(["chess": ["Game"]])
            #expect(try await pair.judge(["chess"], after: [position]) == ["games games"])
            let params = PrivacyForget.Params(kind: .app, subject: "chess")
            for client in [pair.shield, pair.activity] {
                _ = try await client.call(PrivacyForget.self, params)
            }
            try await pair.until("the end of the listing") { pair.isCatalogueRead && pair.copy.isEmpty }
            #expect(try await pair.judge(["chess"]) == ["other? -"])
            #expect(try await pair.events(ShieldCoverageChanged.self).isEmpty == false)
        }
    }

    @Test(arguments: [false, true])
    func categoriesThatThePersonSetEndWhenEverythingIsForgotten(isUsed: Bool) async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"], domains: ["games"])
            if isUsed {
                _ = try await pair.activity.call(
                    UsageObserve.self,
                    UsageObserve.Params(
                        device: "here", deviceModel: "import",
                        observations: [
                            Observation(at: 1_685_577_600_000, kind: .focus, app: "used"),
                            Observation(at: 1_685_577_660_000, kind: .focus),
                        ]))
            }
            let moved = try await pair.set("mail", "games")
            let host = try await pair.activity.call(
                CatalogSet.self,
                CatalogSet.Params(about: CatalogTarget(host: "play.test"), category: "games"))
            let positions = [moved, Position(.activity, host.sequence)]
            let before = try await pair.judge(["mail"], ["play.test"], after: positions)
            #expect(before == ["games games", "games games"])
            let kinds = try await pair.events(ShieldCoverageChanged.self).map(\.kind)
            let forgotten = try await pair.activity.call(
                PrivacyForget.self, PrivacyForget.Params(everything: true))
            let end = Position(.activity, forgotten.sequence)
            #expect(try await pair.judge([], ["play.test"], after: [end]) == ["other -"])
            try await pair.until("the end of the category") { pair.copy["mail"] != "games" }
            #expect(try await pair.judge(["mail"]) == ["other? -"])
            let said = try await pair.events(ShieldCoverageChanged.self).map(\.kind).dropFirst(kinds.count)
            #expect(Set(said) == [.app, .domain])
        }
    }

    /// The restored catalogue never had the list, so no event says that it is gone.
    @Test func hostsAreAskedForAgainWhenTheCatalogueWasRestored() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories([], domains: ["games"])
            try await pair.install(["a": []])
            pair.stopActivity()
            let files = FileManager.default
            let store = pair.configuration.stateDirectory + "/activity-center"
            try files.copyItem(atPath: store, toPath: store + "-copy")
            try pair.startActivity()
            let list = try await pair.activity.call(
                CatalogImport.self,
                CatalogImport.Params(
                    list: "mine", attempt: "1", part: 0, last: true,
                    groups: [CatalogGroup(category: "games", domains: ["play.test"])]))
            let position = Position(.activity, list.sequence)
            #expect(try await pair.judge([], ["play.test"], after: [position]) == ["games games"])
            let count = try await pair.events(ShieldCoverageChanged.self).count
            pair.stopActivity()
            try files.removeItem(atPath: store)
            try files.moveItem(atPath: store + "-copy", toPath: store)
            try pair.startActivity()
            try await pair.set("fresh", "social")
            try await pair.until("the restored catalogue") {
                pair.copy["fresh"] == "social" && pair.isCatalogueRead
            }
            #expect(try await pair.judge([], ["play.test"]) == ["other -"])
            #expect(try await pair.events(ShieldCoverageChanged.self).count > count)
        }
    }

    /// Hosts change while activity-center composes an answer: that answer is of before, and the judgement
    /// must be of the position that it names.
    @Test func anAnswerOfBeforeAChangeIsNotAJudgement() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try Service(.activity, configuration: configuration, migrations: [])
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        var category = "games"
        var questions = 0
        let release = ScreenTimeTesting.Expectation<Void>("the change")
        try owner.start(
            answering: { owner in
                owner.read(CatalogList.self) { _, _ in CatalogList.Result() }
                owner.later(CatalogResolve.self) { params, _ in
                    let item = CatalogItem(kind: .domain, subject: params.host ?? "", category: category)
                    questions += 1
                    if questions == 1 { try await release.wait() }
                    return item
                }
            }, following: { _ in })
        let core = try ShieldService(configuration)
        try core.start()
        let client = try RequestClient(
            to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
        _ = try await client.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: "test",
                settings: [
                    Setting(
                        key: "shield.webDomainCategories",
                        value: ["policy": "specific", "categories": ["games"]])
                ]))
        let head = try core.service.eventLog.head()
        async let judged = client.call(ShieldJudge.self, ShieldJudge.Params(domains: ["play.test"]))
        try await comes("the question") { questions == 1 }
        category = "social"
        try owner.transact(trace: nil) { _ = try $0.emit(CatalogChanged(hostsMayDiffer: true)) }
        try await comes("the change") {
            // A failure is no change either.
            (try? core.service.eventLog.head()) ?? 0 > head
        }
        release.fulfil(())
        let answer = try await judged
        #expect(answer.judgements.map(\.category) == ["social"])
        client.close()
        core.service.close()
        owner.close()
    }

    // MARK: the agent's part

    /// While the report of an unknown app is on its way, its window does not make the agent ask without end.
    @Test func anAppThatIsBeingReportedIsNotAskedForAgainAndAgain() async throws {
        try await Self.with { pair in
            pair.stopActivity()
            try await pair.shieldCategories(["other"])
            try await pair.until("the end of the connection") {
                pair.shieldCore?.service.isConnected(.activity) == false
            }
            let entry = AppEntry(
                id: "newgame", name: "newgame", startupClass: nil, program: nil, categories: ["Game"])
            let identity = AppIdentity(
                id: "newgame", name: "newgame", categories: ["Game"], resolvedBy: .startupClass,
                executablePath: nil)
            let log = try Log(name: "agent", directory: pair.configuration.logDirectory, level: .error)
            let reporter = AppReporter(pair.activity, device: "here", log: log, patience: 100)
            var answers: [String?] = []
            var follower: ShieldFollower?
            follower = ShieldFollower(
                pair.shield, in: pair.configuration.runtime, member: Household.defaultMember, log: log,
                reporter: reporter, apps: { ["newgame"] }
            ) { judgements, _ in
                answers.append(judgements.shield(of: identity))
                // As ShieldKeeper does for a window whose app has no judgement.
                if !judgements.has(identity) { follower?.judgeNewApps() }
            }
            reporter.set([entry])
            follower?.refresh()
            try await pair.until("a judgement without the report") { answers.last == "other" }
            #expect(answers == [nil, "other"])
            follower?.close()
            reporter.close()
        }
    }
}
