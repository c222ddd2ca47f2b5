import Contract
import Testing

@testable import ServiceKit

/// Text that is escaped takes as long as it is: a page or a line of a program must not hold a service up.
@Suite(.serialized) struct EscapingTests {
    private static func fastest(_ body: () -> Void) -> Duration {
        (0..<5).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
    }

    /// Eight times the text may take eight times as long; a copy each time would make it 64.
    private static func expectLinear(_ unit: String, _ escape: (String) -> String) {
        let (short, long) = (String(repeating: unit, count: 4_000), String(repeating: unit, count: 32_000))
        #expect(escape(short).utf8.count * 8 == escape(long).utf8.count)
        let ratio = fastest { _ = escape(long) } / fastest { _ = escape(short) }
        #expect(ratio < 24, "\(unit.debugDescription): \(ratio)")
    }

    @Test(arguments: ["&", "<", "\"", "\u{1B}", "é", "a"]) func html(_ unit: String) {
        Self.expectLinear(unit, HTMLText.escaped)
        Self.expectLinear(unit, HTMLText.quoted)
    }

    @Test(arguments: ["\u{1B}", "\u{202E}", "\n", "é\u{7}"]) func visible(_ unit: String) {
        Self.expectLinear(unit) { VisibleText.escaped($0) }
        Self.expectLinear(unit) { String(decoding: VisibleText.escapedJSON(Array($0.utf8)), as: UTF8.self) }
    }
}
