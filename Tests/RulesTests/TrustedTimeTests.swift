import Rules
import Testing

/// What is believed of a clock that people set.
struct TrustedTimeTests {
    private static let hour_ms: Int64 = 3_600_000
    private static let day_ms = 24 * hour_ms

    /// A machine whose clocks a test moves, beside the time that is believed.
    private struct Machine {
        var boot = "one"
        var elapsed_ms: Int64 = 5_000
        var wall_ms: Int64 = 1_000 * day_ms
        var isSynchronised = false
        var time: TrustedTime
        var offsets = BootOffsets()

        init() {
            time = TrustedTime(first: .init(bootID: boot, elapsed_ms: elapsed_ms, wall_ms: wall_ms))
            look()
        }

        var reading: TrustedTime.Reading {
            .init(bootID: boot, elapsed_ms: elapsed_ms, wall_ms: wall_ms)
        }

        @discardableResult
        mutating func look() -> Int64 {
            let now_ms = time.take(reading) { isSynchronised }
            if let mark = offsets.missing(time, at: elapsed_ms) { offsets.add(mark, of: boot) }
            return now_ms
        }

        mutating func pass(_ milliseconds: Int64) {
            elapsed_ms += milliseconds
            wall_ms += milliseconds
        }

        /// Off for so long; the hardware clock ran on.
        mutating func reboot(_ off_ms: Int64) {
            boot += "'"
            elapsed_ms = 3_000
            wall_ms += off_ms
        }

        func believed_ms() -> Int64? {
            offsets.believed_ms(boot: boot, elapsed_ms: elapsed_ms, wall_ms: wall_ms)
        }
    }

    @Test func timeThatPassesIsBelieved() {
        var machine = Machine()
        for step_ms: Int64 in [1, 999, Self.hour_ms, 8 * Self.hour_ms, 30 * Self.day_ms] {
            machine.pass(step_ms)
            #expect(machine.look() == machine.wall_ms && machine.time.held_ms == 0)
        }
    }

    @Test func aStepIsHeldUntilItIsTakenBackOrConfirmed() {
        for step_ms: Int64 in [Self.day_ms, -Self.day_ms, 10 * 60_000, -10 * 60_000] {
            var machine = Machine()
            machine.wall_ms += step_ms
            machine.pass(60_000)
            #expect(machine.look() == machine.wall_ms - step_ms && machine.time.held_ms == step_ms)
            #expect(machine.believed_ms() == machine.wall_ms - step_ms)
            var put = machine
            put.wall_ms -= step_ms
            #expect(put.look() == put.wall_ms && put.time.held_ms == 0)
            var confirmed = machine
            confirmed.time.confirm(confirmed.reading)
            confirmed.pass(1)
            #expect(confirmed.look() == confirmed.wall_ms && confirmed.time.held_ms == 0)
            #expect(confirmed.believed_ms() == confirmed.wall_ms)
            var synchronised = machine
            synchronised.isSynchronised = true
            #expect(synchronised.look() == synchronised.wall_ms && synchronised.time.held_ms == 0)
        }
    }

    @Test func smallStepsPassOnlyUpToTheTolerance() {
        var machine = Machine()
        for _ in 0..<1_000 {
            machine.wall_ms += 1_000
            machine.pass(1_000)
            machine.look()
        }
        #expect(machine.look() - (machine.wall_ms - 1_000_000) <= TrustedTime.tolerance_ms)
        #expect(machine.time.held_ms >= 1_000_000 - TrustedTime.tolerance_ms)
    }

    @Test func synchronisationThatPullsSlowlyIsFollowedForEver() {
        var machine = Machine()
        machine.isSynchronised = true
        // 500 ppm, the most the kernel does.
        for _ in 0..<100_000 {
            machine.wall_ms += 5
            machine.pass(10_000)
            #expect(machine.look() == machine.wall_ms)
        }
    }

    @Test func aRebootCarriesTheStepThatWasNotBelieved() {
        var machine = Machine()
        machine.wall_ms += Self.day_ms
        machine.look()
        var off = machine
        off.reboot(30 * 60_000)
        #expect(off.look() == off.wall_ms - Self.day_ms && off.time.held_ms == Self.day_ms)
        // The hardware clock did not have it: what it says is possible, and is believed.
        var lost = machine
        lost.reboot(30 * 60_000 - Self.day_ms)
        #expect(lost.look() == lost.wall_ms && lost.time.held_ms == 0)
    }

    @Test func timeDoesNotGoBackOverAReboot() {
        var machine = Machine()
        machine.pass(Self.hour_ms)
        let before_ms = machine.look()
        machine.reboot(-Self.day_ms)
        // How long the machine was off nobody knows; what passed since it was switched on is known.
        #expect(machine.look() == before_ms + machine.elapsed_ms)
        #expect(machine.time.held_ms == machine.wall_ms - before_ms - machine.elapsed_ms)
        machine.pass(60_000)
        #expect(machine.look() == before_ms + machine.elapsed_ms)
        machine.isSynchronised = true
        #expect(machine.look() == machine.wall_ms, "only synchronisation may put it back")
    }

    /// A sensor may begin before us: what it saw before the first reading of a boot lies after the boot
    /// before.
    @Test func aBootLiesAfterTheBootBefore() {
        for off_ms: Int64 in [-Self.day_ms, -5 * 60_000, -121_000, -119_000, -10_000, -1, 0, 1, 60_000] {
            var machine = Machine()
            machine.pass(Self.hour_ms)
            let before_ms = machine.look()
            machine.reboot(off_ms)
            var sensor = machine
            sensor.elapsed_ms -= 2_999
            sensor.wall_ms -= 2_999
            machine.look()
            let placed_ms = machine.offsets.believed_ms(
                boot: sensor.boot, elapsed_ms: sensor.elapsed_ms, wall_ms: sensor.wall_ms)
            #expect(placed_ms.map { $0 >= before_ms } == true, "off for \(off_ms) ms")
        }
    }

    /// Whatever anybody does to the clock without confirmation, time goes as the boot's clock does, within
    /// the tolerance.
    @Test(arguments: (0..<500).map { UInt64($0) })
    func nobodyMovesTimeByTheClockAlone(seed: UInt64) {
        var chance = Chance(seed: seed)
        var machine = Machine()
        let begin_ms = machine.look()
        var passed_ms: Int64 = 0
        for _ in 0..<Int.random(in: 1...60, using: &chance) {
            let step_ms = Int64.random(in: 0...2 * Self.hour_ms, using: &chance)
            machine.pass(step_ms)
            passed_ms += step_ms
            if Bool.random(using: &chance) {
                machine.wall_ms += Int64.random(in: -Self.day_ms...Self.day_ms, using: &chance)
            }
            let now_ms = machine.look()
            #expect(abs(now_ms - begin_ms - passed_ms) <= TrustedTime.tolerance_ms, "seed \(seed)")
            let placed_ms = machine.believed_ms() ?? 0
            #expect(
                abs(placed_ms - now_ms) <= 2 * TrustedTime.tolerance_ms, "an observation lies where time is")
        }
    }
}
