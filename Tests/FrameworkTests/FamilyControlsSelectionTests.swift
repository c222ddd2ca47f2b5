import FamilyControls
import Foundation
import ManagedSettings
import Testing

@Suite struct FamilyControlsSelectionTests {
    private static func token<T>(_ byte: UInt8) -> Token<T> { Token(data: Data(repeating: byte, count: 128)) }

    private static var selection: FamilyActivitySelection {
        var selection = FamilyActivitySelection(includeEntireCategory: true)
        selection.applicationTokens = [token(3), token(1), token(2)]
        selection.categoryTokens = [token(4)]
        selection.webDomainTokens = [token(5), token(6)]
        return selection
    }

    private static let keys = [
        "applicationTokens", "categoryTokens", "includeEntireCategory", "untokenizedApplicationIdentifiers",
        "untokenizedCategoryIdentifiers", "untokenizedWebDomainIdentifiers", "webDomainTokens",
    ]

    @Test func jsonHasApplesSevenKeysAndComesBack() throws {
        let data = try JSONEncoder().encode(Self.selection)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object.keys.sorted() == Self.keys)
        let apps = try #require(object["applicationTokens"] as? [[String: String]])
        #expect(
            apps.map { $0["data"] }
                == [1, 2, 3].map { Data(repeating: $0, count: 128).base64EncodedString() })
        #expect(apps.allSatisfy { $0.count == 1 })
        #expect(object["includeEntireCategory"] as? Bool == true)
        #expect((object["untokenizedCategoryIdentifiers"] as? [Any])?.isEmpty == true)
        #expect(try JSONDecoder().decode(FamilyActivitySelection.self, from: data) == Self.selection)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func propertyListsKeepEverything(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let data = try encoder.encode(Self.selection)
        let back = try PropertyListDecoder().decode(FamilyActivitySelection.self, from: data)
        #expect(back == Self.selection && back.includeEntireCategory)
        let object = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect(object?.keys.sorted() == Self.keys)
    }

    @Test func equalSelectionsAreWrittenAlike() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var other = FamilyActivitySelection(includeEntireCategory: true)
        for byte in [2, 3, 1] as [UInt8] { other.applicationTokens.insert(Self.token(byte)) }
        other.webDomainTokens = [Self.token(6), Self.token(5)]
        other.categoryTokens = [Self.token(4)]
        #expect(try encoder.encode(other) == encoder.encode(Self.selection))
    }

    @Test(arguments: [
        "{}", #"{"applicationTokens":[{"data":"AQID"}]}"#,
        #"{"applicationTokens":[],"categoryTokens":[],"webDomainTokens":[],"includeEntireCategory":true}"#,
        #"{"untokenizedApplicationIdentifiers":["com.example.app"],"unknown":1}"#,
    ])
    func keysMayBeAbsent(text: String) throws {
        let read = try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(text.utf8))
        #expect(read.applicationTokens.count == (text.contains("AQID") ? 1 : 0))
        #expect(read.includeEntireCategory == text.contains("true"))
        #expect(
            read.applications.contains(Application(bundleIdentifier: "com.example.app"))
                == text.contains("example"))
        let again = try JSONDecoder().decode(FamilyActivitySelection.self, from: JSONEncoder().encode(read))
        #expect(again == read)
    }

    @Test(arguments: [#"{"applicationTokens":{}}"#, #"{"applicationTokens":[{"data":"?"}]}"#, "[]", "{"])
    func damagedOnesAreAnError(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(text.utf8))
        }
    }

    @Test func valuesHaveTheTokens() {
        let selection = Self.selection
        #expect(Set(selection.applications.compactMap(\.token)) == selection.applicationTokens)
        #expect(Set(selection.categories.compactMap(\.token)) == selection.categoryTokens)
        #expect(Set(selection.webDomains.compactMap(\.token)) == selection.webDomainTokens)
        #expect(
            selection.applications.allSatisfy { $0.bundleIdentifier == nil && $0.localizedDisplayName == nil }
        )
        #expect(!FamilyActivitySelection().includeEntireCategory)
    }

    @Test func errorsHaveApplesNumbersAndDomain() {
        let names: [FamilyControlsError] = [
            .restricted, .unavailable, .invalidAccountType, .invalidArgument, .authorizationConflict,
            .authorizationCanceled, .networkError, .authenticationMethodUnavailable, .unauthorized,
        ]
        for (number, error) in names.enumerated() {
            #expect(error.rawValue == number && FamilyControlsError(rawValue: number) == error)
            let bridged = error as NSError
            #expect(bridged.domain == "FamilyControls.FamilyControlsError" && bridged.code == number)
            #expect(
                error.errorDescription?.isEmpty == false
                    && error.localizedDescription == error.errorDescription)
        }
        #expect(FamilyControlsError(rawValue: 9) == nil && FamilyControlsError(rawValue: -1) == nil)
        #expect(Set(names).count == 9)
    }

    @Test func statusesHaveApplesNumbers() throws {
        let all: [AuthorizationStatus] = [.notDetermined, .denied, .approved, .approvedWithDataAccess]
        #expect(all.map(\.rawValue) == [0, 1, 2, 3])
        #expect(all.map(\.description) == ["notDetermined", "denied", "approved", "approvedWithDataAccess"])
        #expect(try JSONDecoder().decode([AuthorizationStatus].self, from: JSONEncoder().encode(all)) == all)
        #expect(FamilyControlsMember.child.rawValue == 0 && FamilyControlsMember.individual.rawValue == 1)
    }
}
