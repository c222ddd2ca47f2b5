import Contract
import Foundation
import JSON
import Testing

@testable import ManagedSettings

/// Values of ManagedSettings, without any process.
@Suite struct ManagedSettingsTests {
    private static func token<T>(_ bytes: UInt8...) -> Token<T> { Token(data: Data(bytes)) }

    @Test func aTokenIsItsDataInEveryCoder() throws {
        let token: ApplicationToken = Self.token(1, 2, 255)
        let json = try JSONEncoder().encode(token)
        #expect(String(decoding: json, as: UTF8.self) == #"{"data":"AQL\/"}"#)
        #expect(try JSONDecoder().decode(ApplicationToken.self, from: json) == token)
        let list = try PropertyListEncoder().encode([token])
        #expect(try PropertyListDecoder().decode([ApplicationToken].self, from: list) == [token])
        #expect(ApplicationToken(wireText: token.wireText) == token)
        #expect(ApplicationToken(wireText: "org.example.app") == nil)
        #expect(Set([token, Self.token(1, 2, 255)]).count == 1)
    }

    /// Every group is read back from its settings unchanged, also empty, and does not affect the others'
    /// keys.
    @Test func groupsComeBackAsTheyWere() {
        var shield = ShieldSettings()
        shield.applications = [Self.token(1), Self.token(2)]
        shield.applicationCategories = .specific([Self.token(3)], except: [Self.token(1)])
        shield.webDomainCategories = .all()
        let back = ShieldSettings(shield.values)
        #expect(back.applications == shield.applications)
        #expect(back.applicationCategories == shield.applicationCategories)
        #expect(back.webDomainCategories == shield.webDomainCategories)
        #expect(back.webDomains == nil)

        var application = ApplicationSettings()
        application.blockedApplications = [
            Application(token: Self.token(1)), Application(bundleIdentifier: "org.a"),
        ]
        let values = application.values
        #expect(values["application.blockedApplications"] == ["token:AQ=="])
        #expect(values["application.blockedApplicationsByName"] == ["org.a"])
        #expect(ApplicationSettings(values).blockedApplications == application.blockedApplications)

        var web = WebContentSettings()
        web.blockedByFilter = .auto([WebDomain(domain: "a.org")], except: [WebDomain(token: Self.token(9))])
        #expect(WebContentSettings(web.values).blockedByFilter == web.blockedByFilter)
        #expect(WebContentSettings([:]).blockedByFilter == nil)
        let policies: [SafariSettings.CookiePolicy] = [.always, .never, .visitedWebsites, .currentWebsite]
        #expect(policies.sorted() == [.never, .currentWebsite, .visitedWebsites, .always])
    }

    @Test func metadataAreAsDocumented() {
        #expect(AppStoreSettings.maximumRating.bounds == 0...2000)
        #expect(MediaSettings.maximumMovieRating.bounds == 0...1000)
        #expect(MediaSettings.maximumTVShowRating.defaultValue == 1000)
        #expect(ShieldSettings.applications.defaultValue.isEmpty)
        #expect(ShieldSettings.applicationCategories.defaultValue == .none)
        #expect(SafariSettings.cookiePolicy.defaultValue == .always)
        #expect(AccountSettings.lockAccounts.defaultValue == false)
        #expect(ShieldActionResponse.openParentalControlsApp.rawValue == 3)
        #expect(ShieldAction.thirdSecondarySubmenuItemPressed.rawValue == 4)
    }

    /// Each change applies to the present value, whoever wrote it.
    @Test(
        arguments: [
            (["a"], ["a", "b"], ["a", "c"], ["a", "b", "c"]),
            (["a", "b"], ["b"], ["a", "b", "c"], ["b", "c"]),
            ([], ["x"], ["y"], ["x", "y"]), (["a"], [], ["a", "b"], ["b"]),
        ] as [([String], [String], [String], [String])])
    func aChangeIsRepeatedOnWhatAnotherWrote(
        base: [String], mine: [String], present: [String], merged: [String]
    ) {
        func json(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
        #expect(
            SettingsMerge.merge(base: json(base), mine: json(mine), present: json(present)) == json(merged))
        func policy(_ names: [String]) -> JSONValue { ["policy": "specific", "categories": json(names)] }
        #expect(
            SettingsMerge.merge(base: policy(base), mine: policy(mine), present: policy(present))
                == policy(merged))
        #expect(
            SettingsMerge.merge(base: .null, mine: json(mine), present: json(present)) == json(mine),
            "a list that was not set is assigned, not changed")
        #expect(SettingsMerge.merge(base: true, mine: false, present: true) == false)
    }
}
