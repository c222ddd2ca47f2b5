import JSON
import Testing
import Units

/// Points of time and lengths of time.
@Suite struct UnitsTests {
    @Test func aLengthOfTimeIsAddedAndMultiplied() {
        var time = Milliseconds.seconds(2) + 500
        #expect(time == 2_500)
        time -= 600
        time += 100
        #expect(time == 2_000 && -time == -2_000 && abs(-time) == time)
        #expect(time * 3 == 6_000 && 3 * time == 6_000)
        #expect(time / 3 == 666 && -time / 3 == -666)
        #expect(Milliseconds.zero == 0 && Milliseconds.min < -1 && -1 < Milliseconds.zero)
        #expect(Milliseconds.max.count == .max && Milliseconds.min.count == .min)
    }

    @Test func aLengthOfTimeHasItsUnits() {
        #expect(Milliseconds.second == .seconds(1) && Milliseconds.minute == .seconds(60))
        #expect(Milliseconds.hour == .minutes(60) && Milliseconds.day == .hours(24))
        #expect(Milliseconds.days(-2) == -172_800_000)
        let count: Int64 = Milliseconds.minutes(61) / .hour
        #expect(count == 1)
    }

    @Test func anInstantMovesByALengthOfTime() {
        var instant: Instant = 10_000
        #expect(instant + 1 == 10_001 && 1 + instant == 10_001)
        #expect(instant + .seconds(1) == 11_000 && instant - .seconds(11) == -1_000)
        instant += 5
        instant -= .second
        #expect(instant == 9_005)
        #expect(Instant.min < -1 && -1 < Instant.epoch && Instant.epoch == 0 && 0 < Instant.max)
    }

    @Test func aNumberTakenFromAnInstantIsALengthOfTime() {
        let instant: Instant = 1_000
        let before = instant - 1
        #expect(type(of: before) == Instant.self)
        #expect(before == 999)
    }

    @Test func theDifferenceOfTwoInstantsIsALengthOfTime() {
        let (earlier, later): (Instant, Instant) = (-500, 1_000)
        let between = later - earlier
        #expect(type(of: between) == Milliseconds.self)
        #expect(between == 1_500 && earlier - later == -1_500)
        #expect(later.sinceEpoch == .second && earlier.milliseconds == -500)
    }

    @Test(arguments: [
        (2_000, 2, 0), (1_999, 1, 999), (1, 0, 1), (0, 0, 0), (-1, -1, 999), (-999, -1, 1), (-1_000, -1, 0),
        (-1_001, -2, 999),
    ] as [(Milliseconds, Int64, Milliseconds)])
    func quotientsAreRoundedDownAlsoBelowZero(time: Milliseconds, quotient: Int64, rest: Milliseconds) {
        #expect(time.flooredQuotient(.second) == quotient)
        #expect(time.flooredRemainder(.second) == rest)
        #expect(quotient * .second + rest == time)
    }

    @Test func theLeastTimeHasAQuotientToo() {
        let least = Milliseconds(Int64.min)
        #expect(least.flooredQuotient(.second) == Int64.min / 1_000 - 1)
        #expect(least.flooredRemainder(.second) == 192)
    }

    @Test func literalsAndInitialisersAgree() {
        #expect(Milliseconds(7 as Int64) == 7 && Milliseconds(7 as Int) == 7)
        #expect(Instant(milliseconds: 7) == 7 && Instant(.seconds(7)) == 7_000)
        let list: [Instant] = [3, -1, 2]
        #expect(list.max() == 3 && list.sorted() == [-1, 2, 3])
    }

    @Test func bothPrintTheirNumber() {
        let (instant, time): (Instant, Milliseconds) = (1_795_151_537_123, -5)
        #expect("\(instant)" == "1795151537123")
        #expect("\(time)" == "-5")
    }

    @Test func fieldsOfTimeHaveTheirEndingOnTheWire() throws {
        let stay = Stay(at: 1_000, length: 5)
        #expect(text(stay.encoded()) == #"{"at_ms":1000,"length_ms":5}"#)
        #expect(try Stay.decode(stay.encoded()) == stay)
        #expect(text(Stay(at: -1).encoded()) == #"{"at_ms":-1}"#)
        #expect(try Stay.decode(bytes(#"{"length_ms":null,"at_ms":2}"#)) == Stay(at: 2))
        #expect(refusal(#"{"at":1}"#, as: Stay.self) == .missingField)
    }

    @Test func fieldsOfTimeHaveTheirRange() {
        #expect(refusal(#"{"at_ms":1,"length_ms":6}"#, as: Stay.self) == .numberOutOfRange)
        #expect(refusal(#"{"length_ms":-1,"at_ms":1}"#, as: Stay.self) == .numberOutOfRange)
        #expect(refusal(#"{"at_ms":9007199254740992}"#, as: Stay.self) == .numberOutOfRange)
        #expect(refusal(#"{"at_ms":1.5}"#, as: Stay.self) == .notAnInteger)
    }

    @Test func theirSchemaIsThatOfAnInteger() {
        var builder = SchemaBuilder()
        _ = builder.record(Stay.self)
        let fields = builder.definitions.first?.1["properties"]
        #expect(fields?["at_ms"]?["type"] == "integer" && fields?["at_ms"]?["format"] == "int64")
        #expect(fields?["length_ms"]?["minimum"] == 0 && fields?["length_ms"]?["maximum"] == 5)
    }
}

/// Somebody was somewhere.
@Record private struct Stay: Record {
    /// Since when.
    var at: Instant = 0
    /// For how long.
    @Field(in: 0...5) var length: Milliseconds?
}
