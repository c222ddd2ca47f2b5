import Bus
import Contract
import JSON
import Loop
import Testing

@testable import ActivityCore
@testable import ServiceKit
@testable import ShieldCore

/// Names, keys and values that somebody may write into a store, however odd.
extension JudgeTests {
    private static func write(
        _ pair: Pair, _ store: String, _ key: String, _ value: JSONValue, active: Bool? = nil
    ) async throws {
        _ = try await pair.shield.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: store, settings: [Setting(key: key, value: value)], active: active))
    }

    private static func refusal(
        of pair: Pair, _ key: String, _ value: JSONValue
    ) async -> ErrorName? {
        do { try await write(pair, "odd", key, value) } catch let error as ServiceError {
            return error.name
        } catch { return .internalError }
        return nil
    }

    private static func nested(_ depth: Int) -> JSONValue {
        (0..<depth).reduce(1) { value, _ in .array([value]) }
    }

    /// In memory they are one name (Unicode equivalence), so they are one row as well.
    @Test func aStoreIsDeletedInWhicheverSpellingItIsNamed() async throws {
        try await Self.with { pair in
            let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
            try await Self.write(pair, composed, "shield.applications", ["chess", .string(composed)])
            try await Self.write(pair, "b", "shield.applications", [.string(decomposed)])
            try await Self.write(pair, decomposed, "shield.applications", ["chess"])
            pair.stopShield()
            try pair.startShield()
            let judged = try await pair.judge(["chess", composed, decomposed])
            #expect(judged == ["other? chess", "other? \(composed)", "other? \(composed)"])
            _ = try await pair.shield.call(
                SettingsDelete.self, SettingsDelete.Params(stores: [decomposed, "b"]))
            pair.stopShield()
            try pair.startShield()
            #expect(try await pair.judge(["chess", composed]) == ["other? -", "other? -"])
            #expect(try await pair.shield.call(SettingsList.self, SettingsList.Params()).stores.isEmpty)
            let rows = try pair.shieldCore?.service.database.integer(
                "SELECT (SELECT count(*) FROM store) + (SELECT count(*) FROM shield)")
            #expect(rows == 0)
        }
    }

    /// The same in activity-center: what is stopped, unset or forgotten stays so after a restart.
    @Test func anActivityAndACategoryEndInWhicheverSpellingTheyAreNamed() async throws {
        try await Self.with { pair in
            let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
            let schedule = Schedule(
                intervalStart: DateComponents(hour: 0, minute: 0),
                intervalEnd: DateComponents(hour: 23, minute: 59), repeats: true)
            for name in [composed, decomposed] {
                _ = try await pair.activity.call(
                    MonitoringStart.self,
                    MonitoringStart.Params(activities: [ActivityDefinition(name: name, schedule: schedule)]))
                try await pair.set(name, "games")
            }
            for name in [composed, decomposed] { try await pair.install([name: []]) }
            let stopped = try await pair.activity.call(
                MonitoringStop.self, MonitoringStop.Params(names: [composed]))
            #expect(stopped.stopped == [decomposed])
            try await pair.set(decomposed, nil)
            _ = try await pair.activity.call(
                PrivacyForget.self, PrivacyForget.Params(kind: .app, subject: decomposed))
            pair.stopActivity()
            try pair.startActivity()
            let monitored = try await pair.activity.call(MonitoringList.self, MonitoringList.Params())
            #expect(monitored.activities.isEmpty)
            let apps = try await pair.activity.call(CatalogList.self, CatalogList.Params(kind: .app))
            #expect(apps.items.isEmpty)
            let rows = try pair.activityCore?.service.database.integer(
                "SELECT (SELECT count(*) FROM app) + (SELECT count(*) FROM installed_app) "
                    + "+ (SELECT count(*) FROM activity) + (SELECT count(*) FROM category_override)")
            #expect(rows == 0)
        }
    }

    @Test func aValueThatIsNestedTooDeepIsRefused() async throws {
        try await Self.with { pair in
            for depth in [0, 31, 32, 33, 58] {
                let refusal = await Self.refusal(of: pair, "x.deep", Self.nested(depth))
                #expect(refusal == (depth <= 32 ? nil : .invalidParams), "\(depth)")
                let events = try await pair.events(SettingsChanged.self)
                #expect(!events.isEmpty)
            }
        }
    }

    @Test func keysAreVisibleText() async throws {
        try await Self.with { pair in
            for key in ["x.\u{0}", "x.\u{1B}[2J", "x.\u{202E}y", "x", ".x", "x..y"] {
                #expect(await Self.refusal(of: pair, key, true) == .invalidParams, "\(key)")
            }
            #expect(await Self.refusal(of: pair, "x.größe", true) == nil)
        }
    }

    /// Nothing that was written is lost without a word.
    @Test func membersOfAPolicyAreKeptOrRefused() async throws {
        try await Self.with { pair in
            let key = "webContent.blockedByFilter"
            for wrong: JSONValue in [
                ["policy": "all", "exceptByName": [1, "a"]], ["policy": "all", "exceptByName": "a"],
                ["policy": "specific", "domains": [], "domainsByName": ["a", ""]],
            ] {
                #expect(await Self.refusal(of: pair, key, wrong) == .invalidParams, "\(wrong)")
            }
            let more: JSONValue = ["policy": "all", "exceptByName": ["b", "a", "b"], "more": ["b", "a", 3]]
            #expect(await Self.refusal(of: pair, key, more) == nil)
            let read = try await pair.shield.call(SettingsRead.self, SettingsRead.Params(store: "odd"))
            #expect(
                read.store.settings.map(\.value) == [
                    ["policy": "all", "exceptByName": ["a", "b"], "more": ["b", "a", 3]]
                ])
        }
    }

    @Test func noNameAndNoVisibleNameIsExplainedOrShown() async throws {
        try await Self.with { pair in
            try await Self.write(pair, "a", "shield.applicationCategories", ["policy": "all"])
            for name in ["", "a\u{0}b", String(repeating: "x", count: 600)] {
                await #expect(throws: ServiceError.self, "\(name)") {
                    try await pair.shield.call(ShieldExplain.self, ShieldExplain.Params(subject: name))
                }
                await #expect(throws: ServiceError.self, "\(name)") {
                    try await pair.shield.call(
                        ShieldScreenRead.self, ShieldScreenRead.Params(kind: .app, subject: name))
                }
                await #expect(throws: ServiceError.self, "\(name)") {
                    try await pair.shield.call(
                        ShieldPress.self, ShieldPress.Params(kind: .app, subject: name, button: .primary))
                }
            }
        }
    }

    // MARK: explanations

    private static func explain(_ pair: Pair, _ subject: String) async throws -> ShieldExplain.Result {
        try await pair.shield.call(ShieldExplain.self, ShieldExplain.Params(subject: subject))
    }

    /// A known app's name is not taken for a host, unless a store shields such a host itself; a host without
    /// a dot has a category like any other.
    @Test func explainAnswersAsTheJudge() async throws {
        try await Self.with { pair in
            let position = try await pair.install(["chess": ["Game"], "org.example.Mail": ["Office"]])
            let host = try await pair.activity.call(
                CatalogSet.self, CatalogSet.Params(about: CatalogTarget(host: "intranet"), category: "games"))
            _ = try await pair.judge([], after: [position, Position(.activity, host.sequence)])
            try await pair.shieldCategories([], domains: ["games"])
            #expect(try await pair.judge([], ["intranet"]) == ["games games"])
            #expect(try await Self.explain(pair, "intranet").shielded)
            try await Self.write(pair, "b", "shield.webDomainCategories", ["policy": "all"])
            try await Self.write(pair, "b", "webContent.blockedByFilter", ["policy": "all"])
            #expect(try await pair.judge(["chess", "org.example.Mail"]) == ["games -", "productivity -"])
            for app in ["chess", "org.example.Mail"] {
                let said = try await Self.explain(pair, app)
                #expect(!said.shielded && said.category == (app == "chess" ? "games" : "productivity"))
                #expect(said.explanation.count == 1)
            }
            #expect(try await Self.explain(pair, "example.org").shielded)
            try await Self.write(pair, "c", "shield.webDomains", ["chess"])
            #expect(try await Self.explain(pair, "chess").shielded)
        }
    }

    @Test func anExplanationDoesNotContradictItself() async throws {
        try await Self.with { pair in
            try await Self.write(pair, "marks", "allow.applications", ["chess"])
            try await Self.write(pair, "x", "shield.applications", ["chess"], active: false)
            try await Self.write(
                pair, "y", "shield.applicationCategories", ["policy": "all", "except": ["mail"]])
            #expect(
                try await Self.explain(pair, "chess").explanation == [
                    "'chess' is always allowed: no store shields it."
                ])
            #expect(
                try await Self.explain(pair, "mail").explanation == [
                    "'mail' is not shielded: no active store lists it, and none covers its category 'other' "
                        + "without excepting it.",
                    "Store 'y' of org.screentime.limits covers its category and excepts it.",
                ])
        }
    }
}
