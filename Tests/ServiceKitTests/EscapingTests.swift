import Contract
import Glibc
import Testing

@testable import ServiceKit

/// Text that is escaped takes as long as it is: a page or a line of a program must not hold a service up.
@Suite(.serialized) struct EscapingTests {
    /// Nanoseconds of processor time: what else runs on the machine does not count.
    private static func fastest(_ body: () -> Void) -> Double {
        let times = (0..<5).map { _ in
            let began = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
            body()
            return nanoseconds(CLOCK_THREAD_CPUTIME_ID) - began
        }
        return times.min() ?? 0
    }

    private static func nanoseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Eight times the text may take eight times as long; a copy each time would make it 64.
    private static func expectLinear(_ unit: String, _ escape: (String) -> String) {
        let (short, long) = (String(repeating: unit, count: 4_000), String(repeating: unit, count: 32_000))
        #expect(escape(short).utf8.count * 8 == escape(long).utf8.count)
        let ratio = fastest { _ = escape(long) } / fastest { _ = escape(short) }
        #expect(ratio < 30, "\(unit.debugDescription): \(ratio)")
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
