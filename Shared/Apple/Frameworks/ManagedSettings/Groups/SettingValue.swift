internal import Contract
internal import JSON

/// A value that a setting can hold, with its JSON form.
protocol SettingValue: Equatable {
    var json: JSONValue { get }
    /// Nil if the JSON value has another type.
    init?(json: JSONValue)
}

/// A settings group that is stored under known keys.
protocol StoredGroup: ManagedSettingsGroup {
    init()
    /// Visits every property with the key of its setting, Apple's dotted name.
    mutating func settings<V: SettingVisitor>(_ visitor: inout V)
}

protocol SettingVisitor {
    mutating func setting<Value: SettingValue>(_ key: String, _ value: inout Value?)
}

extension StoredGroup {
    /// - Parameter values: the values of a store, by key. Keys of other groups are ignored.
    init(_ values: [String: JSONValue]) {
        self.init()
        var reader = SettingReader(values: values)
        settings(&reader)
    }

    /// All settings of the group, with null for properties that are nil.
    var values: [String: JSONValue] {
        var copy = self
        var writer = SettingWriter()
        copy.settings(&writer)
        return writer.values
    }
}

private struct SettingReader: SettingVisitor {
    let values: [String: JSONValue]

    mutating func setting<Value: SettingValue>(_ key: String, _ value: inout Value?) {
        value = values[key].flatMap { $0.isNull ? nil : Value(json: $0) }
    }
}

private struct SettingWriter: SettingVisitor {
    var values: [String: JSONValue] = [:]

    mutating func setting<Value: SettingValue>(_ key: String, _ value: inout Value?) {
        // A bare nil literal would be JSON null here, so the value is updated explicitly.
        values.updateValue(value?.json ?? .null, forKey: key)
    }
}

extension Bool: SettingValue {
    var json: JSONValue { .bool(self) }
    init?(json: JSONValue) {
        guard let value = json.boolValue else { return nil }
        self = value
    }
}

extension Int: SettingValue {
    var json: JSONValue { .integer(Int64(self)) }
    init?(json: JSONValue) {
        guard let value = json.integerValue else { return nil }
        self = Int(value)
    }
}

/// An element of a list in a setting.
protocol SubjectName: Hashable {
    var settingText: String { get }
    init?(settingText: String)
}

extension Token: SubjectName {
    var settingText: String { wireText }
    init?(settingText: String) { self.init(wireText: settingText) }
}

extension Application: SubjectName {
    var settingText: String { token?.wireText ?? bundleIdentifier ?? "" }
    init?(settingText: String) {
        if let token = ApplicationToken(wireText: settingText) {
            self.init(token: token)
        } else {
            self.init(bundleIdentifier: settingText)
        }
    }
}

extension WebDomain: SubjectName {
    var settingText: String { token?.wireText ?? domain ?? "" }
    init?(settingText: String) {
        if let token = WebDomainToken(wireText: settingText) {
            self.init(token: token)
        } else {
            self.init(domain: settingText)
        }
    }
}

extension Set: SettingValue where Element: SubjectName {
    var json: JSONValue { .array(map(\.settingText).sorted().map { .string($0) }) }

    /// Texts that cannot be parsed are skipped: they are subjects for which this client has no token.
    init?(json: JSONValue) {
        guard let names = json.arrayValue else { return nil }
        self.init(names.compactMap { $0.stringValue.flatMap { Element(settingText: $0) } })
    }
}
