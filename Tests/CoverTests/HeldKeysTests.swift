import Testing

@testable import CoverCore

@Suite struct HeldKeysTests {
    @Test func aKeyRepeatsUntilItIsReleased() {
        var held = HeldKeys()
        var repeats = (1...3).map { _ in held.press(36) }
        #expect(repeats == [false, true, true])
        repeats = [held.press(23)]
        held.release(36)
        repeats += [held.press(36), held.press(23)]
        #expect(repeats == [false, false, true])
        held.forget()
        repeats = [held.press(36)]
        #expect(repeats == [false])
    }
}
