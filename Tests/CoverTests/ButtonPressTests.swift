import Testing
import Units

@testable import CoverCore

struct ButtonPressTests {
    @Test func aClickOfAKeyIsMeantForWhatTheButtonDidThen() {
        let press = ButtonPress(meaning: 1, key: 10_000)
        #expect(press.isMeant(1, 10_250) && !press.isMeant(2, 10_250))
    }

    /// It comes of no press then, but of a screen reader.
    @Test func longAfterAKeyAClickIsAnother() {
        let press = ButtonPress(meaning: 1, key: 10_000)
        #expect(press.isMeant(2, 10_001 + CoverLimits.keyQuiet))
    }

    @Test func whatIsHeldIsMeantForWhatItDidThen() {
        var press = ButtonPress(meaning: 1)
        #expect(press.isMeant(1, 99_000) && !press.isMeant(2, 99_000))
        press.release(99_000)
        #expect(!press.isMeant(2, 99_010) && press.isMeant(2, 99_001 + CoverLimits.pointerQuiet))
    }
}
