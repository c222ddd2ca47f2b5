import Contract
import Rules
import Testing
import Units

/// Each rule of use, one small history each.
struct UsageMachineTests {
    static func change(
        _ at: Instant, _ kind: UsageChange.Kind, boot: String? = nil, _ elapsed: Milliseconds = 0
    ) -> UsageChange {
        UsageChange(at: at, ordinal: 0, boot: boot.map { .init(id: $0, elapsed: elapsed) }, kind)
    }

    /// `app:start-end` of what closed, and of what would close now in brackets.
    static func uses(_ changes: [UsageChange]) -> String {
        var machine = UsageMachine()
        let closed = machine.apply(changes).uses.map(text)
        let open = machine.closing().uses.map { "(\(text($0)))" }
        return (closed + open).joined(separator: " ")
    }

    static func text(_ use: Use) -> String {
        "\(use.subject.id):\(use.interval.start)-\(use.interval.end)"
    }

    static func pickups(_ changes: [UsageChange]) -> [String] {
        var machine = UsageMachine()
        let marks = machine.apply(changes).marks + machine.closing().marks
        return marks.filter { $0.kind == .pickup }.map { "\($0.at):\($0.subject?.id ?? "-")" }
    }

    @Test func aBootClockThatCannotBeRightIsNotBelieved() {
        for (from, to) in [(Milliseconds.min, Milliseconds.max), (0, 253_402_300_799_999), (.max, .min)] {
            let changes = [
                Self.change(10, .focus(.app("a")), boot: "x", from),
                Self.change(40, .focus(.nothing), boot: "x", to),
            ]
            let use = Self.uses(changes)
            #expect(use == "a:10-40" || use == "", "\(from) to \(to): \(use)")
        }
    }

    @Test func focusMovesFromAppToAppToNothing() {
        let changes = [
            Self.change(10, .focus(.app("a"))), Self.change(20, .focus(.app("b"))),
            Self.change(20, .focus(.app("b"))), Self.change(35, .focus(.unknown)),
            Self.change(40, .focus(.nothing)), Self.change(50, .alive),
        ]
        #expect(Self.uses(changes) == "a:10-20 b:20-35 unknown:35-40")
    }

    @Test func idleIsNotUseAndFocusOutlivesIt() {
        let changes = [
            Self.change(0, .focus(.app("a"))), Self.change(60, .idle), Self.change(90, .active),
            Self.change(100, .alive),
        ]
        #expect(Self.uses(changes) == "a:0-60 (a:90-100)")
    }

    @Test func focusThatMovesWhileAwayCountsOnlyOnReturn() {
        let changes = [
            Self.change(0, .focus(.app("a"))), Self.change(10, .idle), Self.change(12, .locked),
            Self.change(15, .focus(.app("b"))), Self.change(20, .active), Self.change(30, .unlocked),
            Self.change(40, .alive),
        ]
        #expect(Self.uses(changes) == "a:0-10 (b:30-40)")
    }

    @Test func lockAndSuspendAreNotUse() {
        let changes = [
            Self.change(0, .focus(.app("a"))), Self.change(10, .locked), Self.change(20, .unlocked),
            Self.change(30, .suspend), Self.change(80, .resume), Self.change(90, .reset),
        ]
        #expect(Self.uses(changes) == "a:0-10 a:20-30 a:80-90")
    }

    @Test func aSuspendNobodyAnnouncedEndsAtTheLastSignOfLife() {
        let changes = [
            Self.change(0, .focus(.app("a"))), Self.change(30, .alive), Self.change(900, .resume),
            Self.change(910, .alive),
        ]
        #expect(Self.uses(changes) == "a:0-30 (a:900-910)")
    }

    @Test func lostPowerEndsAtTheLastSignOfLife() {
        let changes = [
            Self.change(0, .focus(.app("a")), boot: "one", 5), Self.change(30, .alive, boot: "one", 35),
            Self.change(500, .focus(.app("b")), boot: "two", 1), Self.change(510, .alive, boot: "two", 11),
        ]
        #expect(Self.uses(changes) == "a:0-30 (b:500-510)")
    }

    @Test func aLostSensorEndsEverythingUntilItTellsAgain() {
        let changes = [
            Self.change(0, .focus(.app("a"))), Self.change(0, .domain("x.org", browser: nil)),
            Self.change(10, .sensorLost), Self.change(20, .alive), Self.change(30, .focus(.app("a"))),
            Self.change(40, .domain(nil, browser: nil)), Self.change(50, .alive),
        ]
        #expect(Self.uses(changes) == "a:0-10 x.org:0-10 x.org:30-40 (a:30-50)")
    }

    @Test func instancesOfOneAppCountOnce() {
        let app = Subject.app("a")
        let changes = [
            Self.change(0, .opened(app, instance: 1)), Self.change(5, .opened(app, instance: 2)),
            Self.change(6, .opened(app, instance: 2)), Self.change(10, .closed(app, instance: 1)),
            Self.change(11, .closed(app, instance: 1)), Self.change(12, .closed(app, instance: 7)),
            Self.change(20, .closed(app, instance: 2)), Self.change(30, .opened(app, instance: 1)),
            Self.change(33, .reset), Self.change(40, .closed(app, instance: 1)),
        ]
        #expect(Self.uses(changes) == "a:0-20 a:30-33")
    }

    @Test func aTabCountsWhileItsBrowserHasTheFocus() {
        let changes = [
            Self.change(0, .focus(.app("firefox"))), Self.change(5, .domain("x.org", browser: "firefox")),
            Self.change(10, .focus(.app("a"))), Self.change(20, .focus(.app("firefox"))),
            Self.change(25, .domain("y.org", browser: "firefox")), Self.change(30, .idle),
        ]
        let expected = "firefox:0-10 x.org:5-10 a:10-20 x.org:20-25 firefox:20-30 y.org:25-30"
        #expect(Set(Self.uses(changes).split(separator: " ")) == Set(expected.split(separator: " ")))
    }

    @Test func aVisitLastsUntilTheNextOneOrFiveMinutes() {
        let changes = [
            Self.change(0, .visit("a.org")), Self.change(10, .visit("b.org")), Self.change(10, .visit("")),
            Self.change(300_009, .notification(.app("x"))), Self.change(400_000, .visit("c.org")),
            Self.change(400_020, .domain(nil, browser: nil)), Self.change(500_000, .visit("d.org")),
            Self.change(800_000, .visit("e.org")), Self.change(800_007, .visit("e.org")),
        ]
        #expect(
            Self.uses(changes)
                == "a.org:0-10 :10-300010 c.org:400000-400020 d.org:500000-800000 e.org:800000-800007")
        for count in changes.indices {
            var machine = UsageMachine()
            _ = machine.apply(changes.prefix(count))
            #expect(throws: Never.self) { try #expect(UsageMachine(decoding: machine.encoded()) == machine) }
        }
    }

    @Test func settingTheClockNeitherErasesNorRepeatsUse() {
        let back = [
            Self.change(1_000_000, .focus(.app("a")), boot: "one", 100),
            Self.change(400_000, .idle, boot: "one", 60_100),
        ]
        #expect(Self.uses(back) == "a:1000000-1060000")
        let forward = [
            Self.change(0, .focus(.app("a")), boot: "one", 100),
            Self.change(9_000_000, .idle, boot: "one", 160),
        ]
        #expect(Self.uses(forward) == "a:0-60")
    }

    @Test func aPickupBelongsToTheFirstAppAfterIt() {
        let phone = Self.pickups([
            Self.change(0, .opened(.app("launcher"), instance: 1)), Self.change(5, .unlocked),
            Self.change(6, .opened(.domain("x.org"), instance: 1)),
            Self.change(7, .opened(.app("mail"), instance: 2)),
            Self.change(8, .opened(.app("b"), instance: 3)),
        ])
        #expect(phone == ["5:mail"])
        let desktop = Self.pickups([
            Self.change(0, .focus(.app("a"))), Self.change(1, .idle), Self.change(2, .locked),
            Self.change(9, .unlocked), Self.change(10, .active), Self.change(20, .focus(.app("b"))),
        ])
        #expect(desktop == ["9:a"])
    }

    @Test func aPickupWithoutAnAppSaysSo() {
        let changes = [
            Self.change(0, .unlocked), Self.change(5, .locked), Self.change(9, .unlocked),
            Self.change(10, .reset),
            Self.change(11, .focus(.app("a"))),
        ]
        #expect(Self.pickups(changes) == ["0:-", "9:-"])
        #expect(Self.pickups([Self.change(0, .focus(.app("a"))), Self.change(3, .unlocked)]) == ["3:a"])
    }

    @Test func aSilenceOfASensorThatToldSignsOfLifeIsNoUse() {
        let told = [
            Self.change(0, .focus(.app("a"))), Self.change(30_000, .alive), Self.change(60_000, .alive),
            // Ten minutes of nothing; then the same sensor again, still with the same app, and then another.
            Self.change(660_000, .alive), Self.change(700_000, .focus(.app("b"))),
            Self.change(760_000, .idle), Self.change(900_000, .active), Self.change(960_001, .active),
        ]
        #expect(Self.uses(told) == "a:0-60000 a:660000-700000 b:700000-760000")
        // A stream without heartbeats (an import) is trusted.
        let silent = told.filter { $0.kind != .alive }
        #expect(Self.uses(silent) == "a:0-700000 b:700000-760000 (b:900000-960001)")
        // Another sensor's words are no sign of this one.
        let elsewhere = Array(told.prefix(3)) + [Self.change(90_000, .notification(.app("c")))]
            + [Self.change(130_000, .notification(.app("c")))]
        #expect(Self.uses(elsewhere) == "a:0-60000")
    }

    @Test func whatRunsNowIsKnownWithItsStart() {
        var machine = UsageMachine()
        _ = machine.apply([Self.change(7, .focus(.app("a"))), Self.change(9, .alive)])
        #expect(machine.openSubjects == [RunningUse(.app("a"), start: 7)])
        #expect(machine.lastKnown == 9)
        #expect(machine.closing(at: 20).uses.map(Self.text) == ["a:7-20"])
        #expect(machine.openSubjects.count == 1, "looking ahead changes nothing")
    }

    @Test func savedStateOfAnotherVersionOrDamagedIsRefused() throws {
        var machine = UsageMachine()
        _ = machine.apply([Self.change(7, .focus(.app("a"))), Self.change(9, .unlocked)])
        let bytes = machine.encoded()
        #expect(throws: UsageMachine.DecodingError.version(3)) {
            try UsageMachine(decoding: [6] + bytes.dropFirst())
        }
        // The first version had no signs of life at its end.
        #expect(try UsageMachine(decoding: [2] + bytes.dropFirst().dropLast()) == machine)
        for count in 0..<bytes.count {
            #expect(throws: UsageMachine.DecodingError.self) {
                try UsageMachine(decoding: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: UsageMachine.DecodingError.damaged(offset: bytes.count)) {
            try UsageMachine(decoding: bytes + [0])
        }
        #expect(bytes.count < 40)
    }

    @Test func anObservationWithoutItsAppIsRefused() throws {
        for kind in [ObservationKind.opened, .closed, .notification] {
            #expect(throws: ObservationError.self) { try UsageChange(Observation(at: 1, kind: kind)) }
        }
        #expect(try UsageChange(Observation(kind: .focus)).kind == .focus(.nothing))
        #expect(try UsageChange(Observation(kind: .focus, app: "unknown")).kind == .focus(.unknown))
    }
}
