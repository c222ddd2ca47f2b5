import CompilerPlugin
import Testing

@testable import RecordExpansion

/// What `@Record`, `@Method` and `@Event` become, and what they refuse.
@Suite struct RecordMacroTests {
    private func record(_ source: String, _ attribute: String = "@Record") -> Expansion {
        RecordExpansion.expand(source, attribute: attribute)
    }

    @Test func aRecordHasItsPropertiesAsFields() {
        let source = """
            /// A row.
            @Record
            package struct Row: Record, Sendable {
                /// Local date.
                @Field(.publicText) package var segmentStart: String = ""
                /// Milliseconds,
                /// or a "count".
                ///
                /// Not part of the schema.
                package var value: Milliseconds = 0
                /// Which.
                @Field(.subject(.app), in: 0...9, name: "kind") package var sort: [String: Int]?

                package var isEmpty: Bool { value == 0 }
                static let zero = Row()
            }
            """
        #expect(
            record(source, #"@Record("report.row")"#).source == """
                package init() {}
                package init(segmentStart: String = "", value: Milliseconds = 0, \
                sort: [String: Int]? = nil) {
                self.segmentStart = segmentStart
                self.value = value
                self.sort = sort
                }
                package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
                try visitor.field("segment_start", &segmentStart, "Local date.", .publicText)
                try visitor.field("value_ms", &value, "Milliseconds, or a \\"count\\".")
                try visitor.field("kind", &sort, in: 0...9, "Which.", .subject(.app))
                }
                package static var title: String { "report.row" }
                """)
    }

    @Test func anInitialiserOfItsOwnReplacesTheOneWithAllFields() {
        let source = """
            private struct Pair: Record {
                /// One.
                var one = ""  // said below
                init(_ one: String) { self.one = one }
            }
            """.replacing("var one = ", with: "var one: String = ")
        #expect(
            record(source).source == """
                fileprivate init() {}
                fileprivate mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
                try visitor.field("one", &one, "One.")
                }
                """)
    }

    @Test func aRecordMayHaveNoFields() {
        let expansion = record("struct Empty: Record { enum Deeper { case a } }")
        #expect(expansion.faults.isEmpty)
        #expect(
            expansion.source == """
                init() {}
                mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {

                }
                """)
    }

    /// Everything else in a type is skipped, and brackets in texts or comments do not count.
    @Test func onlyStoredPropertiesAreFields() {
        let source = """
            struct Odd<T>: Record where T: P {
                // } a comment with a bracket {
                /* and /* another */ } */
                /// Its text.
                var text: String = "}\\" \\(f("{", [1])) {"
                /// The second.
                var second: [String] = [
                    "a", // ]
                    "b",
                ]
                /// The third field; its value continues on the next line.
                var third: Int64 =
                    1 + 2
                func f<V>(_ a: [String] = []) throws
                    -> V where V: P
                {
                    var inner: Int = 3
                    return #"}"# + a
                }
                subscript(i: Int) -> Int { var x: Int { 1 }; return x }
                struct Nested { var notMine = 1 }
                static var shared: Int = 4
                static nonisolated(unsafe) var other: Int = 4
                /// The fourth.
                public private(set) var fourth: Int64 = 4
                private var computed: Int {
                    get { 1 }
                }
                //// A comment, though it has four slashes.
                /// The fifth.
                var quote: String = #\"""#
                /// The sixth.
                var pairs: Dictionary<String, [Int]> = [:]
                /// The last.
                var last: Bool = false
            }
            """
        let declaration = Declaration(source)
        #expect(declaration.faults.isEmpty)
        let names = ["text", "second", "third", "fourth", "quote", "pairs", "last"]
        #expect(declaration.properties.map(\.name) == names)
        #expect(declaration.properties[4].initial == ##"#"""#"##)
        #expect(declaration.properties[4].summary == "The fifth.")
        #expect(declaration.properties[5].type == "Dictionary<String, [Int]>")
        #expect(declaration.properties.map(\.initial)[2] == "1 + 2")
        #expect(declaration.properties[0].initial == #""}\" \(f("{", [1])) {""#)
        #expect(declaration.properties[1].type == "[String]")
    }

    @Test(arguments: [
        ("var a: Int64 = 0", "the field 'a' has no documentation (///)"),
        ("/// A.\n    var a: Int64", "the field 'a' needs an initial value, or an optional type"),
        ("/// A.\n    var a = 0", "the field 'a' needs a type"),
        ("/// A.\n    let a: Int64 = 0", "a field of a record is a var"),
        ("/// A.\n    var a: Int64 = 0 {\n didSet {} }", "the field 'a' has observers; a field has none"),
        (
            "/// A.\n    lazy var a: Int64 = 0",
            "a record has fields, functions and types; 'lazy' is not understood"
        ),
        (
            "#if DEBUG\n    /// A.\n    var a: Int64 = 0\n    #endif",
            "a record has fields, functions and types; this is not understood"
        ),
        ("/// A.\n    @Field(of: 3) var a: Int64 = 0", "@Field has no argument 'of'"),
        ("/// A.\n    @Field(in: 1...2) @Field(in: 3...4) var a: Int64 = 0", "@Field stands here twice"),
        ("/// A.\n    var a: Int64 = 0, b: Int64 = 1", "the field 'a' shares its 'var' with another"),
        ("/// A.\n    var a: Int64?, b: Int64?", "the field 'a' shares its 'var' with another"),
        ("/// A.\n    var a, b: Int64?", "the field 'a' needs a type"),
        ("/// A.\n    var (a, b): (Int64, Int64) = (1, 2)", "a field has a name, not a pattern"),
        ("/// A.\n    var a: Int64? { didSet {} }", "the field 'a' has observers; a field has none"),
        (
            "/// A.\n    var a: Int64? { // {\n willSet(b) {} }",
            "the field 'a' has observers; a field has none"
        ),
        ("/// A.\n    var a: Int64 = { 3 }()", "the initial value of 'a' is not understood"),
        ("/// A.\n    var a: Int64 /* Instant */ = 0", "the type of 'a' has a comment"),
        ("/// A.\n    var a: Pattern = /\"/", "a string does not end"),
        ("static let b = 1; var a: Int64?", "the field 'a' has no documentation (///)"),
        ("var b: Int64 { 1 }; var a: Int64?", "the field 'a' has no documentation (///)"),
    ])
    func whatItCannotReadIsAnErrorAtTheProperty(_ member: String, _ message: String) throws {
        let before = "struct Bad: Record {\n    "
        let expansion = record(before + member + "\n}")
        let fault = try #require(expansion.faults.first)
        #expect(expansion.source.isEmpty)
        #expect(fault.message == message)
        let place = String(decoding: Array((before + member).utf8)[fault.offset...], as: UTF8.self)
        let places = ["var a", "var (a", "let a", "lazy", "#if", "@Field", "\"/"]
        #expect(places.contains { place.hasPrefix($0) })
    }

    /// A comment between two pieces, or an attribute, would lose one of them; one behind a field would become
    /// the next one's.
    @Test(arguments: [
        "/// A.\n@Field(.personal)\n/// Lost.\nvar a: Int64 = 0", "/// A.\nvar\n/// Lost.\na: Int64 = 0",
        "/// Lost.\n// A note.\n/// A.\nvar a: Int64 = 0",
        "/// Lost.\n/* A note. */ /// A.\nvar a: Int64 = 0",
        "/// A.\nvar a: Int64 = 0 /// Lost.\n/// B.\nvar b: Int64 = 0",
        "func f() {} /// Lost.\nvar a: Int64 = 0",
    ])
    func documentationThatWouldBeLostIsAnError(_ members: String) throws {
        let source = "struct Bad: Record {\n\(members)\n}"
        let message = "documentation stands on lines of its own directly before what it describes"
        let fault = try #require(record(source).faults.first { $0.message == message })
        let place = String(decoding: Array(source.utf8)[fault.offset...], as: UTF8.self)
        #expect(place.hasPrefix("/// Lost."))
    }

    @Test(arguments: [
        "struct Bad: Record {\n/// A.\nvar a: Pattern = /}/\n/// B.\nvar b: Int64 = 0\n}",
        "struct Bad: Record {\n/// A.\nvar a: Pattern = /{/\n/// B.\nvar b: Int64 = 0\n}",
        "struct Bad: Record {\n/// A.\nvar a: Int64 = 0", "final class Bad: Record {\n}",
        "struct Bad: Record {\n/// A.\n@Field(", "struct Bad: Record {\ninit(",
        "struct Bad: Record {\nvar a: [", "@Record(", "/*", "/// A.", "",
    ])
    func aTypeWhoseEndIsElsewhereIsAnError(_ source: String) {
        #expect(!record(source).faults.isEmpty)
    }

    @Test func twoFieldsNeverHaveOneName() {
        let members = "/// A.\nvar aB: Int64 = 0\n/// B.\n@Field(name: \"a_b\") var c: Int64 = 0"
        let expansion = record("struct Bad: Record {\n\(members)\n}")
        #expect(expansion.faults.map(\.message) == [#"the name "a_b" is that of another field"#])
    }

    /// The compiler's message is JSON, which has no control characters in its strings.
    @Test func aControlCharacterInDocumentationIsASpace() {
        #expect(CompilerPlugin.quoted("a\u{0}b\u{C}\tc\u{7F}é") == #""a b \tc\#u{7F}é""#)
    }

    @Test func linesMayEndWithCarriageReturns() {
        let source = "struct Row: Record {\r\n/// A.\r\n///\r\n/// B.\r\nvar a: Int64?\r\n}\r\n"
        #expect(Declaration(source).properties.map(\.summary) == ["A."])
        #expect(record(source).faults.isEmpty)
    }

    @Test(arguments: [
        ("a", "Int64", "a"), ("valueMs", "Int64", "value_ms"), ("bundleID", "String?", "bundle_id"),
        ("`in`", "String", "in"), ("sha256", "String", "sha256"), ("isURLGood", "Bool", "is_urlgood"),
        ("from", "Instant", "from_ms"), ("at", "Instant", "at_ms"), ("wentOn", "[Instant]", "went_on_ms"),
        ("byDevice", "[String: Instant]", "by_device_ms"), ("dayStart", "Milliseconds?", "day_start_ms"),
        ("left", "MillisecondsLeft", "left"),
    ])
    func namesOnTheWire(_ name: String, _ type: String, _ wire: String) {
        #expect(RecordExpansion.wireName(name, type) == wire)
    }

    @Test func aMethodHasItsConstants() {
        let source = """
            /// Who used what
            /// for how long.
            ///
            /// More.
            @Method("report.query", of: .report, .read, for: .authorizedClient)
            package enum ReportQuery: Method {
                package typealias Params = Nothing
            }
            """
        let attribute = #"@Method("report.query", of: .report, .read, for: .authorizedClient)"#
        #expect(
            MethodExpansion.expand(source, attribute: attribute).source == """
                package static var name: String { "report.query" }
                package static var owner: ServiceName { .report }
                package static var effect: Effect { .read }
                package static var access: Access { .authorizedClient }
                package static var summary: String { "Who used what for how long." }
                """)
        let undocumented = MethodExpansion.expand("enum A: Method {}", attribute: attribute)
        #expect(undocumented.faults.map(\.offset) == [0] && undocumented.source.isEmpty)
        let divided = "/// Lost.\n// A note.\n/// The rest.\nenum A: Method {}"
        #expect(MethodExpansion.expand(divided, attribute: attribute).faults.map(\.offset) == [0])
        let members = "/// A.\nenum A: Method {\nlet what = 1 // Only fields are of interest to the macro.\n}"
        #expect(MethodExpansion.expand(members, attribute: attribute).faults.isEmpty)
    }

    @Test func anEventIsARecordWithConstants() {
        let source = """
            /// A member changed.
            package struct MemberChanged: EventData {
                /// Member id.
                package var member: String = ""
            }
            """
        let attribute = #"@Event("member.changed", of: .auth)"#
        #expect(
            MethodExpansion.expandEvent(source, attribute: attribute).source == """
                package static var type: String { "member.changed" }
                package static var owner: ServiceName { .auth }
                package static var summary: String { "A member changed." }
                package init() {}
                package init(member: String = "") {
                self.member = member
                }
                package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
                try visitor.field("member", &member, "Member id.")
                }
                """)
    }
}
