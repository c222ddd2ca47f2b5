import Contract
import Testing

@testable import MonitorCore

/// No extension can have a name that is, or looks like, another's.
@Suite struct InstallNamesTests {
    private static func record(_ id: String, _ client: String, _ groups: [String] = []) -> ExtensionRecord {
        var record = ExtensionRecord(id: id, client: client)
        record.groups = groups
        return record
    }

    private static let known = [
        record("org.screentime.limits.monitor", "org.screentime.limits"),
        record("org.example.app.monitor", "org.example.app"),
        record("org.example.odd", "com.other.app"),
    ]

    private static func refusal(_ id: String, _ client: String, _ groups: [String] = []) -> ErrorName? {
        do throws(ServiceError) {
            try InstallNames(record(id, client, groups)).check(beside: known)
            return nil
        } catch { return error.name }
    }

    @Test(arguments: [
        "org.screentime", "org.screentime.limits", "org.screentime.downtime", "org.screentime.unheard-of",
        "ORG.Screentime.limits", "org.SCREENTIME",
    ])
    func whatIsTheSystemsNobodyElseHas(name: String) {
        #expect(Self.refusal("org.example.x.monitor", name) == .accessDenied)
        #expect(Self.refusal(name + ".evil", "org.example.x") == .accessDenied)
        #expect(Self.refusal(name, "org.example.x") == .accessDenied)
        #expect(Self.refusal("a.b.c", "a.b", ["group." + name]) == .accessDenied)
        #expect(Self.refusal("a.b.c", "a.b", [name]) == .accessDenied)
    }

    @Test func whatOnlyBeginsAlikeIsFree() {
        #expect(Self.refusal("org.screentimes.app.monitor", "org.screentimes.app") == nil)
        #expect(Self.refusal("org.example.application.monitor", "org.example.application") == nil)
        #expect(Self.refusal("org.example.app.report", "org.example.app") == nil)
        #expect(Self.refusal("org.example.app.monitor", "org.example.app") == nil)
        #expect(Self.refusal("com.free.monitor", "org.example.app") == nil)
    }

    @Test func anotherAppsNamesAreItsOwn() {
        #expect(Self.refusal("org.example.app.report", "org.thief") == .accessDenied)
        #expect(Self.refusal("org.example.app.report", "org.example") == .accessDenied)
        #expect(Self.refusal("org.example.app.monitor", "org.thief") == .alreadyExists)
        #expect(Self.refusal("org.example.odd", "org.example") == .alreadyExists)
        #expect(Self.refusal("ORG.example.app.monitor", "ORG.example.app") == .alreadyExists)
    }

    /// On a file system that ignores case, both would have the same directory.
    @Test func namesThatDifferByCaseOnlyAreTaken() {
        let known = Self.known + [Self.record("org.g.app.monitor", "org.g.app", ["group.Mine"])]
        func refusal(_ id: String, _ client: String, _ groups: [String] = []) -> ErrorName? {
            do throws(ServiceError) {
                try InstallNames(Self.record(id, client, groups)).check(beside: known)
                return nil
            } catch { return error.name }
        }
        #expect(refusal("ORG.example.app.report", "ORG.example.app") == .alreadyExists)
        #expect(refusal("com.free.monitor", "org.Example.app") == .alreadyExists)
        #expect(refusal("ORG.example.app.report", "org.example.app") == nil)
        #expect(refusal("ORG.example.app.report", "org.thief") == .accessDenied)
        #expect(refusal("a.b.c", "a.b", ["group.mine"]) == .alreadyExists)
        #expect(refusal("org.g.app.report", "org.g.app", ["group.Mine"]) == nil)
        #expect(refusal("org.g.app.report", "org.g.app", ["group.mine"]) == .alreadyExists)
        #expect(refusal("a.b.c", "a.b", ["group.one", "group.ONE"]) == .alreadyExists)
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "a b", "a\u{1b}b", "ä", String(repeating: "a", count: 201),
        "org.example.app.", ".org.example.app", "org..example.app", "org.example.app..",
    ])
    func aClientIsAPlainName(client: String) {
        #expect(Self.refusal("a.b.c", client) == .invalidParams)
    }
}
