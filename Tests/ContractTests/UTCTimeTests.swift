import Contract
import Testing
import Units

@Suite struct UTCTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (UTCTime.range.upperBound, "9999-12-31T23:59:59.999Z"),
        (UTCTime.range.lowerBound, "0000-01-01T00:00:00.000Z"),
        // Instants that a clock page or a message can contain, and RFC 3339 cannot.
        (UTCTime.range.upperBound + 1, "9999-12-31T23:59:59.999Z"), (Instant.max, "9999-12-31T23:59:59.999Z"),
        (UTCTime.range.lowerBound - 1, "0000-01-01T00:00:00.000Z"), (Instant.min, "0000-01-01T00:00:00.000Z"),
    ])
    func everyInstantHasAText(instant: Instant, text: String) {
        #expect(UTCTime.text(instant) == text)
    }
}
