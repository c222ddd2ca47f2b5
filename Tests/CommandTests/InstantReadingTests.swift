import CommandKit
import Testing
import Units

@testable import CommandCore

/// Instants in the sentences of services.
@Suite struct InstantReadingTests {
    @Test func theyAreShownAsThePersonsClockShowsThem() {
        let text = LocalTime.text(1_772_435_100_000)
        for spelling in [
            "2026-03-02T07:05:00Z", "2026-03-02T07:05:00.000Z", "2026-03-02T08:05:00+01:00",
        ] {
            #expect(InstantReading.inOwnTime("from \(spelling) on") == "from \(text) on")
            #expect(InstantReading.inOwnTime("(until \(spelling)), then") == "(until \(text)), then")
        }
        for same in [
            "", " ", "a  b.", "'2026-03-02T07:05:00Z'", "2026-03-02", "2026-13-02T07:05:00Z ...",
        ] {
            #expect(InstantReading.inOwnTime(same) == same)
        }
    }
}
