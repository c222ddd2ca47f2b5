import ExtensionTool
import Testing

/// What `screentime extension check` makes of the compiler's errors.
@Suite struct CheckVerdictTests {
    private static func verdict(_ output: String, _ source: String) -> CheckVerdict {
        CheckVerdict(CheckDiagnostic.errors(in: output), source: source)
    }

    @Test func errorsAreReadWithTheirPlace() {
        let output = """
            /a b/x.swift:12:5: error: cannot find 'Zoo' in scope
            10 |
            <unknown>:0: error: cannot load module 'X'
            /a b/x.swift:13:6: warning: variable was never used
            """
        #expect(
            CheckDiagnostic.errors(in: output) == [
                CheckDiagnostic(
                    file: "/a b/x.swift", line: 12, column: 5, message: "cannot find 'Zoo' in scope"),
                CheckDiagnostic(file: "", line: 0, column: 0, message: "cannot load module 'X'"),
            ])
    }

    @Test(arguments: [
        ("no such module 'WidgetKit'", CheckDiagnostic.Missing.module("WidgetKit")),
        ("cannot find type 'Zoo' in scope", .name("Zoo")),
        ("cannot find 'Zoo' in scope; did you mean 'Foo'?", .name("Zoo")),
        ("no macro named 'Model'", .name("Model")),
        ("type 'DeviceActivityName' has no member 'daily'", .member("daily", of: "DeviceActivityName")),
        ("value of type 'some View' has no member 'glass(in:)'", .member("glass", of: "some View")),
        ("'Style' is not a member type of struct 'SwiftUI.Text'", .member("Style", of: "SwiftUI.Text")),
    ])
    func missingNamesAreFoundInTheMessage(_ message: String, _ missing: CheckDiagnostic.Missing) {
        #expect(CheckDiagnostic(file: "", line: 1, column: 1, message: message).missing == missing)
    }

    @Test func anotherMistakeIsNoMissingName() {
        let error = CheckDiagnostic(
            file: "", line: 1, column: 1, message: "cannot convert value of type 'Int' to 'String'")
        #expect(error.missing == nil)
    }

    @Test func namesOfTheProjectDoNotFailAFileAndApplesDo() {
        let verdict = Self.verdict(
            """
            x.swift:1:1: error: no such module 'OurCore'
            x.swift:2:1: error: cannot find 'Zoo' in scope
            x.swift:3:1: error: type 'DeviceActivityName' has no member 'evening'
            """, "")
        #expect(verdict.passes && verdict.elsewhereNames == ["OurCore", "Zoo", "evening"])
        for apples in [
            "no such module 'CoreData'", "cannot find 'WidgetCenter' in scope",
            "cannot find type 'UIDevice' in scope", "value of type 'Text' has no member 'glassEffect'",
        ] {
            let verdict = Self.verdict("x.swift:1:1: error: \(apples)", "")
            #expect(!verdict.passes, "\(apples)")
        }
    }

    @Test func aMemberOfATypeOfTheFileIsNotApples() {
        let error = "x.swift:2:9: error: type 'Palette' has no member 'label'"
        #expect(!Self.verdict(error, "").passes)
        #expect(Self.verdict(error, "enum Palette {}").passes)
    }

    @Test func whatOnlyFollowsIsForgiven() {
        let source = """
            import SwiftUI
            struct A: Scene {
                let content: (Model) -> Zoo
                func make() {
                    let zoo = Zoo()
                    use(zoo.name, 3)
                }
                func other() {
                    use(4)
                }
            }
            """
        let output = """
            x.swift:2:8: error: type 'A' does not conform to protocol 'Scene'
            x.swift:3:29: error: cannot find type 'Zoo' in scope
            x.swift:5:19: error: cannot find 'Zoo' in scope
            x.swift:6:13: error: extra argument in call
            """
        let verdict = Self.verdict(output, source)
        #expect(verdict.passes && verdict.following.count == 2)
        let elsewhere = Self.verdict(output + "\nx.swift:9:13: error: missing argument in call", source)
        #expect(!elsewhere.passes, "nothing is missing in that function")
        #expect(elsewhere.failures.map(\.line) == [9])
    }

    @Test func anOverrideOfAnUnknownClassFollows() {
        let source = """
            class A: OurMonitor {
                override func start() {
                }
            }
            """
        let output = """
            x.swift:1:10: error: cannot find type 'OurMonitor' in scope
            x.swift:2:19: error: method does not override any method from its superclass
            """
        #expect(Self.verdict(output, source).passes)
    }
}
