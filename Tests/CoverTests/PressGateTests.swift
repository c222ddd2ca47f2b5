import Testing
import Units

@testable import CoverCore

/// Which keys and clicks a cover takes, by a clock of the test.
@Suite struct PressGateTests {
    /// A reference, because `#expect` cannot call what mutates a value.
    private final class Gate {
        private var gate = PressGate()
        func appear(_ now: Milliseconds) { gate.appear(now) }
        func change(_ now: Milliseconds) { gate.change(now) }
        func disappear() { gate.disappear() }
        func wait(_ input: PressGate.Input, _ now: Milliseconds) { gate.wait(input, now) }
        func hold(_ now: Milliseconds) { gate.hold(now) }
        func takes(_ input: PressGate.Input, _ now: Milliseconds) -> Bool { gate.takes(input, now) }
        var opensAt: Milliseconds? { gate.opensAt }
    }

    private static let key = CoverLimits.keyQuiet, pointer = CoverLimits.pointerQuiet

    @Test func nothingIsTakenBeforeTheCoverIsSeen() {
        let gate = Gate()
        #expect(!gate.takes(.key, 9_000_000) && !gate.takes(.pointer, 9_000_000) && gate.opensAt == nil)
        gate.wait(.key, 9_000_000)
        #expect(!gate.takes(.key, 10_000_000), "it got the focus before")
    }

    @Test func eachIsTakenAfterItsTime() {
        let gate = Gate()
        gate.appear(100)
        #expect(gate.opensAt == 100 + Self.key)
        #expect(gate.takes(.pointer, 100 + Self.pointer) && !gate.takes(.key, 100 + Self.key - 1))
        gate.appear(100)
        #expect(!gate.takes(.pointer, 100 + Self.pointer - 1) && gate.takes(.key, 100 + Self.key))
    }

    /// A sentence that somebody types, 60 ms a key, and the reading after it.
    @Test func whoeverTypesOnPressesNothing() {
        let gate = Gate()
        var now: Milliseconds = 0
        gate.appear(now)
        for _ in 0..<200 {
            now = now + 60
            #expect(!gate.takes(.key, now))
        }
        #expect(!gate.takes(.key, now + Self.key - 1))
        now = now + Self.key - 1 + Self.key
        #expect(gate.takes(.key, now) && gate.takes(.key, now + 1), "then keys may follow each other")
    }

    @Test func clicksOfAGamePressNothing() {
        let gate = Gate()
        var now: Milliseconds = 0
        gate.appear(now)
        for _ in 0..<20 {
            now = now + 300
            #expect(!gate.takes(.pointer, now))
        }
        // A button that is held until then, and what follows it at once.
        gate.hold(now + 400)
        #expect(!gate.takes(.pointer, now + 500) && gate.takes(.key, now))
        now = now + 500 + Self.pointer
        #expect(gate.takes(.pointer, now))
        gate.hold(now + 1)
        #expect(gate.takes(.pointer, now + 2), "the cover's own button is held")
    }

    /// The next word of a sentence, when the page on which it is typed goes away.
    @Test func whoeverTypesOnPressesNoneOfTheButtonsThatCome() {
        let gate = Gate()
        gate.appear(0)
        gate.change(60_000)
        #expect(gate.takes(.key, 60_001), "a field may have it")
        #expect(!gate.takes(.pointer, 60_000 + Self.pointer - 1))
        var now: Milliseconds = 60_000
        for _ in 0..<50 {
            now = now + 120
            #expect(!gate.takes(.button, now))
        }
        #expect(gate.opensAt == now + Self.key && gate.takes(.button, now + Self.key))
    }

    /// The process stood still: keys from before the focus came are read after it was noticed.
    @Test func whatWasPressedEarlierOpensNothingEarlier() {
        let gate = Gate()
        gate.appear(0)
        gate.wait(.key, 60_000)
        #expect(!gate.takes(.key, 57_000) && gate.opensAt == 60_000 + Self.key)
    }

    @Test func theFocusMakesKeysWaitAgain() {
        let gate = Gate()
        gate.appear(0)
        #expect(gate.takes(.key, 60_000))
        gate.wait(.key, 60_001)
        #expect(!gate.takes(.key, 60_002) && gate.takes(.pointer, 60_002))
        gate.disappear()
        #expect(!gate.takes(.key, 90_000) && !gate.takes(.pointer, 90_000))
    }
}
