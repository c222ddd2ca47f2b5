import Rules
import Testing
import Units

/// What is believed of a clock that people set.
struct TrustedTimeTests {
    private static let hour = Milliseconds.hour
    private static let day = Milliseconds.day

    /// A machine whose clocks a test moves, beside the time that is believed.
    private struct Machine {
        var boot = "one"
        var elapsed: Milliseconds = 5_000
        var wall = Instant(1_000 * day)
        var isSynchronised = false
        var time: TrustedTime
        var offsets = BootOffsets()

        init() {
            time = TrustedTime(first: .init(bootID: boot, elapsed: elapsed, wall: wall))
            look()
        }

        var reading: TrustedTime.Reading {
            .init(bootID: boot, elapsed: elapsed, wall: wall)
        }

        @discardableResult
        mutating func look() -> Instant {
            let now = time.apply(reading) { isSynchronised }
            if let mark = offsets.missing(time, at: elapsed) { offsets.add(mark, of: boot) }
            return now
        }

        mutating func pass(_ milliseconds: Milliseconds) {
            elapsed += milliseconds
            wall += milliseconds
        }

        /// Off for so long; the hardware clock ran on.
        mutating func reboot(_ off: Milliseconds) {
            boot += "'"
            elapsed = 3_000
            wall += off
        }

        func believed() -> Instant? {
            offsets.believed(boot: boot, elapsed: elapsed, wall: wall)
        }
    }

    @Test func timeThatPassesIsBelieved() {
        var machine = Machine()
        for step: Milliseconds in [1, 999, Self.hour, 8 * Self.hour, 30 * Self.day] {
            machine.pass(step)
            #expect(machine.look() == machine.wall && machine.time.held == 0)
        }
    }

    @Test func aStepIsHeldUntilItIsTakenBackOrConfirmed() {
        for step: Milliseconds in [Self.day, -Self.day, .minutes(10), .minutes(-10)] {
            var machine = Machine()
            machine.wall += step
            machine.pass(60_000)
            #expect(machine.look() == machine.wall - step && machine.time.held == step)
            #expect(machine.believed() == machine.wall - step)
            var put = machine
            put.wall -= step
            #expect(put.look() == put.wall && put.time.held == 0)
            var confirmed = machine
            confirmed.time.confirm(confirmed.reading)
            confirmed.pass(1)
            #expect(confirmed.look() == confirmed.wall && confirmed.time.held == 0)
            #expect(confirmed.believed() == confirmed.wall)
            var synchronised = machine
            synchronised.isSynchronised = true
            #expect(synchronised.look() == synchronised.wall && synchronised.time.held == 0)
        }
    }

    @Test func smallStepsPassOnlyUpToTheTolerance() {
        var machine = Machine()
        for _ in 0..<1_000 {
            machine.wall += 1_000
            machine.pass(1_000)
            machine.look()
        }
        #expect(machine.look() - (machine.wall - 1_000_000) <= TrustedTime.tolerance)
        #expect(machine.time.held >= 1_000_000 - TrustedTime.tolerance)
    }

    @Test func synchronisationThatPullsSlowlyIsFollowedForEver() {
        var machine = Machine()
        machine.isSynchronised = true
        // 500 ppm, the most the kernel does.
        for _ in 0..<100_000 {
            machine.wall += 5
            machine.pass(10_000)
            #expect(machine.look() == machine.wall)
        }
    }

    @Test func aRebootCarriesTheStepThatWasNotBelieved() {
        var machine = Machine()
        machine.wall += Self.day
        machine.look()
        var off = machine
        off.reboot(.minutes(30))
        #expect(off.look() == off.wall - Self.day && off.time.held == Self.day)
        // The hardware clock did not have it: its time is possible and is trusted.
        var lost = machine
        lost.reboot(.minutes(30) - Self.day)
        #expect(lost.look() == lost.wall && lost.time.held == 0)
    }

    @Test func timeDoesNotGoBackOverAReboot() {
        var machine = Machine()
        machine.pass(Self.hour)
        let before = machine.look()
        machine.reboot(-Self.day)
        // How long the machine was off is unknown; the time since it was switched on is known.
        #expect(machine.look() == before + machine.elapsed)
        #expect(machine.time.held == machine.wall - before - machine.elapsed)
        machine.pass(60_000)
        #expect(machine.look() == before + machine.elapsed)
        machine.isSynchronised = true
        #expect(machine.look() == machine.wall, "only synchronisation may put it back")
    }

    /// A sensor may begin before us: what it saw before the first reading of a boot lies after the boot
    /// before.
    @Test func aBootLiesAfterTheBootBefore() {
        let offs: [Milliseconds] = [
            -Self.day, .minutes(-5), -121_000, -119_000, -10_000, -1, 0, 1, 60_000,
        ]
        for off in offs {
            var machine = Machine()
            machine.pass(Self.hour)
            let before = machine.look()
            machine.reboot(off)
            var sensor = machine
            sensor.elapsed -= 2_999
            sensor.wall -= 2_999
            machine.look()
            let placed = machine.offsets.believed(
                boot: sensor.boot, elapsed: sensor.elapsed, wall: sensor.wall)
            #expect(placed.map { $0 >= before } == true, "off for \(off) ms")
        }
    }

    /// Whatever anybody does to the clock without confirmation, time goes as the boot's clock does, within
    /// the tolerance.
    @Test(arguments: (0..<500).map { UInt64($0) })
    func nobodyMovesTimeByTheClockAlone(seed: UInt64) {
        var chance = Chance(seed: seed)
        var machine = Machine()
        let begin = machine.look()
        var passed: Milliseconds = 0
        for _ in 0..<Int.random(in: 1...60, using: &chance) {
            let step = Milliseconds.random(in: 0...2 * Self.hour, using: &chance)
            machine.pass(step)
            passed += step
            if Bool.random(using: &chance) {
                machine.wall += Milliseconds.random(in: -Self.day...Self.day, using: &chance)
            }
            let now = machine.look()
            #expect(abs(now - begin - passed) <= TrustedTime.tolerance, "seed \(seed)")
            let placed = machine.believed() ?? 0
            #expect(
                abs(placed - now) <= 2 * TrustedTime.tolerance, "an observation lies where time is")
        }
    }
}
