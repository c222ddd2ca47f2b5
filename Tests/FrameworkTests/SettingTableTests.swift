import Contract
import JSON
import Rules
import Testing

@testable import ManagedSettings

/// Over every row of the table of settings: what a new key must have, wherever it is read.
@Suite struct SettingTableTests {
    private static var groups: [any StoredGroup.Type] {
        [
            AccountSettings.self, ApplicationSettings.self, AppStoreSettings.self, CellularSettings.self,
            DateAndTimeSettings.self, GameCenterSettings.self, MediaSettings.self, PasscodeSettings.self,
            SafariSettings.self, ShieldSettings.self, SiriSettings.self, WebContentSettings.self,
        ]
    }

    /// What the person allows has no property: no app writes it.
    private static let ofPrograms = SettingTable.all.filter { !$0.key.hasPrefix("allow.") }

    /// A value that restricts, as a program's host writes it.
    private static func sample(_ shape: SettingShape) -> JSONValue {
        switch shape {
        case .flag: return true
        case .rating(let bounds, _): return .integer(bounds.lowerBound)
        case .word(let words): return .string(words[0])
        case .names: return ["token:AQ==", "token:Ag=="]
        case .ownNames: return ["a.example", "b.example"]
        case .policy(_, _, let lists):
            let named = lists.sorted { $0.key < $1.key }.map { (key: $0.key, value: sample($0.value)) }
            return .object([(key: "policy", value: "specific")] + named)
        }
    }

    @Test func theFrameworksHaveAPropertyForEachKeyAndNoOther() {
        let keys = Self.groups.flatMap { $0.init().values.keys }
        #expect(keys.sorted() == Self.ofPrograms.map(\.key).sorted())
        #expect(Set(SettingTable.all.map(\.key)).count == SettingTable.all.count)
    }

    @Test(arguments: ofPrograms.map(\.key))
    func aPropertyTakesTheValuesOfItsShape(key: String) throws {
        let shape = try #require(SettingTable[key]?.shape)
        let group = try #require(Self.groups.first { $0.init().values[key] != nil })
        // Filled as from a store, and written again; one of the policies keeps all lists.
        let samples = Self.samples(shape).map { Self.members(shape.normalised($0)) }
        let written = try Self.samples(shape).map { sample in
            Self.members(shape.normalised(try #require(group.init([key: sample]).values[key])))
        }
        #expect(zip(samples, written).contains { $0 == $1 }, "\(samples) became \(written)")
        #expect(group.init([key: ["x": 1]]).values[key] == .null)
    }

    private static func samples(_ shape: SettingShape) -> [JSONValue] {
        guard case .policy(let policies, _, _) = shape else { return [sample(shape)] }
        let lists = (sample(shape).objectValue ?? []).dropFirst()
        return policies.map { .object([(key: "policy", value: .string($0))] + lists) }
    }

    private static func members(_ value: JSONValue) -> [String: JSONValue] {
        guard let members = value.objectValue else { return ["": value] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    }

    @Test(arguments: SettingTable.all.map(\.key))
    func aValueIsCheckedAndMerged(key: String) throws {
        let shape = try #require(SettingTable[key]?.shape)
        let value = Self.sample(shape)
        try shape.check(value, key)
        let refusal = #expect(throws: ServiceError.self) { try shape.check(["policy": "?"], key) }
        #expect(refusal?.name == .invalidParams && refusal?.message.contains(key) == true)
        guard let merged = shape.merged([Self.unrestricted(shape), value]) else {
            guard case .policy = shape else { return #expect(Bool(false), "\(key) does not merge") }
            return #expect(SettingTable[key]?.effect != .asked, "nobody could ask for \(key)")
        }
        #expect(merged == shape.normalised(value) && shape.decides(value, merged))
    }

    private static func unrestricted(_ shape: SettingShape) -> JSONValue {
        switch shape {
        case .flag: false
        case .rating(let bounds, _): .integer(bounds.upperBound)
        case .word(let words): .string(words[words.count - 1])
        case .names, .ownNames: []
        case .policy: ["policy": "none"]
        }
    }

    /// A program sees tokens in place of names, and nothing else changes.
    @Test(arguments: SettingTable.all.map(\.key))
    func whatNamesSubjectsIsTranslated(key: String) throws {
        let shape = try #require(SettingTable[key]?.shape)
        var translated = 0
        let walk = SubjectWalk(personal: .leftOut, unknownSettings: .refused) { _, name in
            translated += 1
            return name
        }
        let setting = Setting(key: key, value: Self.sample(shape))
        let seen = try walk.changed(SettingsWrite.Params(store: "s", settings: [setting])).settings
        #expect(seen == [setting])
        let lists: [SettingShape] =
            if case .policy(_, _, let lists) = shape { Array(lists.values) } else { [shape] }
        let named = lists.count { if case .names = $0 { true } else { false } }
        #expect(translated == 2 * named && (named > 0 || shape == .ownNames) == shape.namesSubjects)
    }
}
