import Contract
import ExtensionLink
import JSON
import Testing

@testable import ShieldCore

/// Marks of message fields about the household: no field that a program can reach is without one.
@Suite struct FieldMarkTests {
    @Test func everyTextThatAProgramCanReachIsMarked() {
        var unmarked: [String] = []
        for method in ProgramKind.allCases.flatMap(\.relayedMethods) {
            unmarked += MarkCheck.faults(ofParams: method) + MarkCheck.faults(ofResult: method)
        }
        for event in ProgramKind.receivableEvents { unmarked += MarkCheck.faults(of: event, event.type) }
        unmarked += MarkCheck.faults(of: CallbackParams.self, "callback")
        unmarked += MarkCheck.faults(of: ReportActivity.self, "report.make")
        #expect(Set(unmarked).sorted() == [])
    }

    /// The check itself sees what it is for.
    @Test func aForgottenMarkIsFound() {
        #expect(
            MarkCheck.faults(of: Forgetful.self, "x").sorted() == [
                "x.deeper[].inner: no mark", "x.number: app is no text", "x.raw: no mark", "x.text: no mark",
            ])
    }

    /// An unmarked field does not pass.
    @Test func whatIsNotMarkedDoesNotPass() throws {
        let walk = SubjectWalk(personal: .leftOut, unknownSettings: .leftOut) { _, _ in "token:x" }
        let refusal = #expect(throws: JSONError.self) { try walk.changed(Forgetful()) }
        #expect(refusal?.path == "text")
        var deep = Member()
        deep.name = "Kim"
        #expect(try walk.changed(deep).name == "")
    }

    private let store: [Setting] = [
        Setting(key: "shield.applications", value: ["org.a"]),
        Setting(
            key: "webContent.blockedByFilter",
            value: [
                "policy": "specific", "domains": ["b.org"], "domainsByName": ["own.org"], "else": ["c.org"],
            ]),
        Setting(key: "unheard.of", value: ["org.d"]),
        Setting(key: "siri.denySiri", value: ["hidden": "org.e"]),
    ]

    @Test func aSettingShowsTokensAndNothingThatIsNotKnown() throws {
        let walk = SubjectWalk(personal: .leftOut, unknownSettings: .leftOut) { kind, name in
            "token:\(kind)-\(name)"
        }
        let seen = try walk.changed(SettingsWrite.Params(store: "s", settings: store)).settings.map(\.value)
        #expect(seen[0] == ["token:app-org.a"])
        #expect(
            seen[1] == [
                "policy": "specific", "domains": ["token:domain-b.org"], "domainsByName": ["own.org"],
            ])
        #expect(seen[2] == .null && seen[3] == .null)
    }

    /// The order of names would reveal between which known ones an unknown one lies.
    @Test func listsComeInTheOrderOfTheirTokens() throws {
        let tokens = ["org.a": "token:3", "org.b": "token:1", "org.c": "token:2"]
        let walk = SubjectWalk(
            sortsNames: true, personal: .leftOut, unknownSettings: .leftOut
        ) { _, name in tokens[name] ?? "" }
        let names = ["org.a", "org.b", "org.c"]
        let ordered = ["token:1", "token:2", "token:3"]
        let selection = Selection(name: "s", client: "c", member: "m", applications: names)
        #expect(try walk.changed(selection).applications == ordered)
        let shields = names.map { EffectiveShield(member: "m", subject: $0, except: names) }
        let seen = try walk.changed(ShieldList.Result(shields: shields)).shields
        #expect(seen.map(\.subject) == ordered && seen.allSatisfy { $0.except == ordered })
        let written = SettingsWrite.Params(
            store: "s", settings: [Setting(key: "shield.applications", value: ["org.a", "org.b", "org.c"])])
        #expect(try walk.changed(written).settings[0].value == ["token:1", "token:2", "token:3"])
    }

    @Test(arguments: [
        #"{"store":"s","settings":[{"key":"shield.applications","value":["token:AA"]}]}"#,
        #"{"store":"s","settings":[{"key":"shield.applications","value":["\u0074oken:AA"]}]}"#,
        #"{"store":"s","settings":[{"key":"application.blockedApplicationsByName","value":["token:AA"]}]}"#,
        #"{"store":"s","settings":[],"expected":[{"key":"shield.webDomains","value":["token:AA"]}]}"#,
    ])
    func aTokenIsNoName(text: String) throws {
        let bytes = Array(text.utf8)
        let params = try SettingsWrite.Params.decode(bytes)
        let refusal = #expect(throws: ServiceError.self) { try RawToken.refuse(in: params, readFrom: bytes) }
        #expect(refusal?.name == .invalidParams)
        #expect(refusal?.message.contains("AA") == false)
    }

    @Test func aTokenIsNoNameInAnyRequestThatNamesSubjects() throws {
        let word = "token:AA"
        let requests: [any Record] = [
            UsageObserve.Params(device: "d", observations: [Observation(kind: .focus, app: word)]),
            UsageObserve.Params(device: "d", observations: [Observation(kind: .domain, domain: word)]),
            MonitoringStart.Params(activities: [
                ActivityDefinition(name: "a", events: [EventDefinition(name: "e", categories: [word])])
            ]),
            SelectionSet.Params(name: "s", webDomains: [word]),
            CatalogObserve.Params(device: "d", apps: [InstalledApp(app: word)], begins: true),
            TokenMake.Params(subjects: [TokenSubject(.app, word)]),
            ShieldExplain.Params(subject: word), ReportQuery.Params(applications: [word]),
        ]
        for request in requests {
            let refusal = #expect(throws: ServiceError.self, "\(type(of: request))") {
                try RawToken.refuse(in: request, readFrom: request.encoded())
            }
            #expect(refusal?.name == .invalidParams)
        }
        // Words of a person may begin as they like.
        let words = NotificationPost.Params(identifier: word, title: word)
        try RawToken.refuse(in: words, readFrom: words.encoded())
    }
}

/// A record whose author did not think.
private struct Forgetful: Record {
    struct Deeper: Record {
        var inner: String? = "x"
        mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("inner", &inner, "")
        }
    }
    var text = "a name"
    var number: Int64 = 0
    var flag = false
    var open = ""
    var raw: RawJSON?
    var deeper: [Deeper] = []

    mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("flag", &flag, "")
        try visitor.field("open", &open, "", .publicText)
        try visitor.field("text", &text, "")
        try visitor.field("number", &number, "", .subject(.app))
        try visitor.field("raw", &raw, "")
        try visitor.field("deeper", &deeper, "")
    }
}

/// Lists the fields of a message, of all depths, that have text and no mark, or a mark that does not fit.
private struct MarkCheck: FieldVisitor {
    var path: String
    var seen: Set<ObjectIdentifier> = []
    var faults: [String] = []

    static func faults<R: Record>(of type: R.Type, _ name: String) -> [String] {
        var check = MarkCheck(path: name)
        check.look(into: type, name)
        return check.faults
    }
    static func faults<M: Method>(ofParams method: M.Type) -> [String] {
        faults(of: M.Params.self, M.name + ".params")
    }
    static func faults<M: Method>(ofResult method: M.Type) -> [String] {
        faults(of: M.Result.self, M.name + ".result")
    }

    private mutating func look<R: Record>(into type: R.Type, _ name: String) {
        guard seen.insert(ObjectIdentifier(type)).inserted else { return }
        let outer = path
        path = name
        var sample = R()
        do { try sample.fields(&self) } catch { faults.append("\(name): \(error)") }
        path = outer
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        judge(T.self, "\(path).\(name)", nil)
    }
    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        judge(T.self, "\(path).\(name)", nil)
    }
    mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString, _ mark: FieldMark
    ) { judge(T.self, "\(path).\(name)", mark) }
    mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString, _ mark: FieldMark
    ) { judge(T.self, "\(path).\(name)", mark) }

    private mutating func judge(_ type: any FieldValue.Type, _ name: String, _ mark: FieldMark?) {
        switch mark {
        case nil:
            if type.isFreeText { faults.append("\(name): no mark") } else { descend(type, name) }
        case .publicText: break
        case .subject(let subject):
            if !Self.isText(type) { faults.append("\(name): \(subject) is no text") }
        case .personal: if !Self.isText(type) { faults.append("\(name): personal is no text") }
        case .token: if type != String.self { faults.append("\(name): token is no text") }
        case .setting: if type != JSONValue.self { faults.append("\(name): setting is no value") }
        }
    }

    private static func isText(_ type: any FieldValue.Type) -> Bool {
        type == String.self || type == [String].self
    }

    private mutating func descend(_ type: any FieldValue.Type, _ name: String) {
        if let record = type as? any Record.Type {
            look(into: record, name)
        } else if let list = type as? any List.Type {
            descend(list.element, name + "[]")
        }
    }
}

private protocol List {
    static var element: any FieldValue.Type { get }
}
extension Array: List where Element: FieldValue {
    static var element: any FieldValue.Type { Element.self }
}
