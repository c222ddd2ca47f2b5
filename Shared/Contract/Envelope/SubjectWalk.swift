package import JSON

/// Visits the fields of a message and replaces the names in it according to their marks. It fails closed: in
/// strict mode text without a mark is an error.
package struct SubjectWalk: FieldVisitor {
    /// Returns the replacement of a name, for example its token, or throws an error that says what is wrong
    /// with it.
    package typealias Change = (FieldMark.Subject, String) throws(JSONError) -> String

    /// What to do with text that a program may not receive or send.
    package enum Disposition: Sendable {
        /// Refuse the message.
        case refused
        /// Omit it.
        case leftOut
        /// Keep it.
        case kept
    }

    private let isStrict: Bool
    private let personal: Disposition
    private let unknownSettings: Disposition
    private let ownName: (String) throws(JSONError) -> Void
    private let subject: Change
    private let token: ((FieldMark.Subject, String) -> String)?
    private let sortsNames: Bool

    /// - Parameters:
    ///   - isStrict: false: text without a mark is kept.
    ///   - sortsNames: sort lists of subjects by the replacements; the order of the names would reveal which
    ///     of two names is the smaller one.
    ///   - unknownSettings: what to do with settings, and members of them, that are not in ``SettingTable``.
    ///   - ownName: called for each name that a program supplied itself.
    ///   - subject: returns the replacement of a subject's name.
    ///   - token: returns the token that a field beside a name gets; nil keeps the field.
    package init(
        isStrict: Bool = true, sortsNames: Bool = false, personal: Disposition, unknownSettings: Disposition,
        ownName: @escaping (String) throws(JSONError) -> Void = { _ throws(JSONError) in },
        token: ((FieldMark.Subject, String) -> String)? = nil, subject: @escaping Change
    ) {
        self.isStrict = isStrict
        self.sortsNames = sortsNames
        self.personal = personal
        self.unknownSettings = unknownSettings
        self.ownName = ownName
        self.subject = subject
        self.token = token
    }

    /// Returns the message with its names replaced.
    /// - Throws: `JSONError` whose path is the field and whose detail is what is wrong there.
    package func changed<R: Record>(_ message: R) throws(JSONError) -> R {
        var (message, walk) = (message, self)
        try message.fields(&walk)
        return message
    }

    // MARK: fields

    /// A field without a mark.
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString
    ) throws(JSONError) {
        do throws(JSONError) {
            guard !isStrict || !T.isFreeText else { throw Self.unfit("has no mark of what it names") }
            try value.visitFields(&self)
            if sortsNames, let shields = value as? [EffectiveShield] {
                let sorted = shields.sorted { $0.subject < $1.subject }
                if let sorted = sorted as? T { value = sorted }
            }
        } catch { throw error.inside(name) }
    }

    /// A field without a mark; nil stays nil.
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString
    ) throws(JSONError) {
        guard var present = value else { return }
        try field(name, &present, doc)
        value = present
    }

    /// A field that is treated according to its mark.
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError) {
        do throws(JSONError) {
            switch mark {
            case .publicText: break
            case .subject(let kind): try change(&value) { text throws(JSONError) in try subject(kind, text) }
            case .token(let kind, let name): if let made = token?(kind, name) as? T { value = made }
            case .setting(let key): try change(&value, settingOf: key)
            case .personal:
                switch personal {
                case .kept: break
                case .refused: throw Self.unfit("is for the person only")
                case .leftOut: try Self.empty(&value)
                }
            }
        } catch { throw error.inside(name) }
    }

    /// A field that is treated according to its mark; nil stays nil, except for a token.
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError) {
        if case .token(let kind, let name) = mark {
            if let made = token?(kind, name) as? T { value = made }
            return
        }
        guard var present = value else { return }
        if mark == .personal, personal == .leftOut {
            value = nil
            return
        }
        try field(name, &present, doc, mark)
        value = present
    }

    // MARK: text

    private func change<T: FieldValue>(
        _ value: inout T, _ body: (String) throws(JSONError) -> String
    ) throws(JSONError) {
        var changed: Any?
        switch value {
        case let text as String: changed = try body(text)
        case let texts as [String]:
            var all: [String] = []
            for text in texts { all.append(try body(text)) }
            changed = sortsNames ? all.sorted() : all
        default: break
        }
        guard let changed = changed as? T else { throw Self.unfit("is marked as a name and is no text") }
        value = changed
    }

    private static func empty<T: FieldValue>(_ value: inout T) throws(JSONError) {
        let none: [Any] = ["", [String]()]
        guard let empty = none.lazy.compactMap({ $0 as? T }).first else {
            throw unfit("is for the person only and cannot be left out")
        }
        value = empty
    }

    private static func unfit(_ detail: String) -> JSONError { JSONError(.wrongType, at: 0, detail) }

    // MARK: settings

    private func change<T: FieldValue>(_ value: inout T, settingOf key: String) throws(JSONError) {
        guard let held = value as? JSONValue else { throw Self.unfit("is marked as a setting and is none") }
        let changed: JSONValue
        if let shape = SettingTable[key]?.shape {
            changed = try self.changed(held, shape) ?? .null
        } else {
            changed = try handleUnknown(held, "is of no setting that is known") ?? .null
        }
        if let changed = changed as? T { value = changed }
    }

    /// The changed value; nil omits it.
    private func changed(_ value: JSONValue, _ shape: SettingShape) throws(JSONError) -> JSONValue? {
        if value.isNull { return value }
        switch shape {
        case .flag, .rating, .word:
            let isPlain = value.arrayValue == nil && value.objectValue == nil
            return isPlain ? value : try handleUnknown(value, "is neither a number nor a word")
        case .names(let kind):
            let names = try list(value) { text throws(JSONError) in try subject(kind, text) }
            guard sortsNames, let all = names?.arrayValue else { return names }
            return .array(all.sorted { ($0.stringValue ?? "") < ($1.stringValue ?? "") })
        case .ownNames:
            return try list(value) { text throws(JSONError) in
                try ownName(text)
                return text
            }
        case .policy(_, _, let lists):
            guard let members = value.objectValue else {
                return try handleUnknown(value, "is no object")
            }
            var all: [(key: String, value: JSONValue)] = []
            for (key, member) in members {
                do throws(JSONError) {
                    let changed =
                        if let shape = key == "policy" ? .word([]) : lists[key] {
                            try self.changed(member, shape)
                        } else {
                            try handleUnknown(member, "is no member of this setting")
                        }
                    if let changed { all.append((key, changed)) }
                } catch { throw error.inside(key) }
            }
            return .object(all)
        }
    }

    private func list(
        _ value: JSONValue, _ body: (String) throws(JSONError) -> String
    ) throws(JSONError) -> JSONValue? {
        guard let values = value.arrayValue else { return try handleUnknown(value, "is no list of names") }
        var all: [JSONValue] = []
        for value in values {
            if let text = value.stringValue {
                all.append(.string(try body(text)))
            } else if let kept = try handleUnknown(value, "has something that is no name") {
                all.append(kept)
            }
        }
        return .array(all)
    }

    private func handleUnknown(_ value: JSONValue, _ why: String) throws(JSONError) -> JSONValue? {
        switch unknownSettings {
        case .kept: return value
        case .leftOut: return nil
        case .refused: throw Self.unfit(why)
        }
    }
}
