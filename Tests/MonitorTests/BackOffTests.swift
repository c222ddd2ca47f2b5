import Units
import Contract
import Testing

@testable import MonitorCore

/// When an attempt is made again, and when no more.
@Suite struct BackOffTests {
    private func waits(_ outcomes: [AttemptOutcome]) -> [Milliseconds] {
        var stored = StoredDelivery(delivery: Delivery(), traceparent: "")
        return outcomes.map { outcome in
            stored.delivery.attempt += 1
            stored = stored.ended(outcome, now: 1_000_000)
            return stored.delivery.state == .waiting ? stored.due - (1_000_000 as Instant) : -1
        }
    }

    @Test func theWaitDoublesAndTheFifthFailureEnds() {
        let crash = AttemptOutcome.failed("crash", counts: true)
        #expect(waits(Array(repeating: crash, count: 5)) == [1_000, 2_000, 4_000, 8_000, -1])
    }

    @Test func whatASleepingServiceCostsIsNotCounted() {
        let missed = AttemptOutcome.failed("unavailable", counts: false)
        let waits = waits(Array(repeating: missed, count: 40) + [.failed("crash", counts: true)])
        #expect(waits.prefix(8) == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
        #expect(waits.suffix(3) == [60_000, 60_000, 60_000])
    }

    @Test func aReturnEndsItAndForgetsTheError() {
        var stored = StoredDelivery(delivery: Delivery(error: "crash"), failures: 4, traceparent: "")
        stored = stored.ended(.delivered, now: 7)
        #expect(stored.delivery.state == .delivered && stored.delivery.error == nil)
        #expect(stored.delivery.finished == 7)
    }
}
