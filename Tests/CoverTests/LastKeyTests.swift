import Testing
import Units

@testable import CoverCore

@Suite struct LastKeyTests {
    /// The pause is that of the person, not that of a process which got no processor.
    @Test(arguments: [10_000, UInt32.max - 100])
    func whoTypedIsKnownByTheTimeOfTheServer(_ pressed: UInt32) {
        let key = LastKey(read: 5_000, pressed: pressed)
        for now in [5_000, 9_000] as [Milliseconds] {
            #expect(key.isTyping(at: pressed &+ 499, now))
            #expect(!key.isTyping(at: pressed &+ 500, now))
        }
    }

    @Test func anEventBeforeTheKeyDoesNotSayWhenItWas() {
        let key = LastKey(read: 5_000, pressed: 10_000)
        #expect(key.isTyping(at: 9_999, 5_499))
        #expect(!key.isTyping(at: 9_999, 5_500))
    }

    @Test func aKeyIsRecentForASecond() {
        let key = LastKey(read: 5_000, pressed: 10_000)
        #expect(key.isRecent(5_999) && !key.isRecent(6_000))
    }
}
