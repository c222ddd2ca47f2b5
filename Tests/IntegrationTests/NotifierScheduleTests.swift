import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing
import Units

/// Notifications that are due later, on the virtual clock and across restarts. Without a daemon, due ones
/// stay pending, which is enough to observe them.
@Suite("scheduled notifications") struct NotifierScheduleTests {
    private static let start = "2026-03-28T10:00:00Z"

    @LoopActor private static func post(
        _ world: World, _ identifier: String, _ trigger: NotificationTrigger, member: String? = nil
    ) async throws -> NotificationRecord {
        let params = NotificationPost.Params(
            identifier: identifier, title: identifier, trigger: trigger, member: member)
        return try await world.call(NotificationPost.self, params).notification
    }

    /// `identifier state due` of everything, as it is listed.
    @LoopActor private static func list(_ world: World) async throws -> [String] {
        try await world.call(NotificationList.self, NotificationList.Params()).notifications.map {
            "\($0.identifier) \($0.state.rawValue) \($0.due.map(UTCTime.text) ?? "-")"
        }
    }

    @Test func eachComesAtItsInstant() async throws {
        try await World.with(["notifier"], clock: Self.start) { world in
            let after = try await Self.post(world, "after", NotificationTrigger(after: 90_000))
            #expect(after.state == .scheduled)
            let daily = NotificationTrigger(components: DateComponents(hour: 2, minute: 30), repeats: true)
            _ = try await Self.post(world, "daily", daily)
            let hourly = NotificationTrigger(after: 3_600_000, repeats: true)
            _ = try await Self.post(world, "hourly", hourly)
            #expect(
                try await Self.list(world) == [
                    "after scheduled 2026-03-28T10:01:30.000Z", "hourly scheduled 2026-03-28T11:00:00.000Z",
                    "daily scheduled 2026-03-29T02:30:00.000Z",
                ])
            try await world.clock.advance(.seconds(89))
            #expect(try await Self.list(world).first == "after scheduled 2026-03-28T10:01:30.000Z")
            try await world.clock.advance(.hours(20))
            #expect(
                try await Self.list(world) == [
                    "hourly scheduled 2026-03-29T07:00:00.000Z", "daily scheduled 2026-03-30T02:30:00.000Z",
                    "after pending 2026-03-28T10:01:30.000Z", "daily pending 2026-03-29T02:30:00.000Z",
                    "hourly pending 2026-03-29T06:00:00.000Z",
                ])
            _ = try await world.call(
                NotificationClear.self, NotificationClear.Params(identifiers: ["hourly"], pending: true))
            _ = try await world.call(
                NotificationWithdraw.self, NotificationWithdraw.Params(identifier: "daily"))
            #expect(
                try await Self.list(world) == [
                    "after pending 2026-03-28T10:01:30.000Z", "daily closed 2026-03-29T02:30:00.000Z",
                    "hourly closed 2026-03-29T06:00:00.000Z",
                ])
            #expect(try await world.clock.nextDue(of: "notifier") == nil)
        }
    }

    @Test func whatWasDueWhileOffComesOnceAndSaysSo() async throws {
        try await World.with(["notifier"], clock: Self.start) { world in
            let hourly = NotificationTrigger(after: 3_600_000, repeats: true)
            _ = try await Self.post(world, "hourly", hourly)
            let notifier = try world.process("notifier")
            notifier.signal(SIGTERM)
            #expect(try await notifier.exit() == 0)
            try await world.clock.advance(.minutes(200))
            try await world.start("notifier")
            let all = try await world.call(NotificationList.self, NotificationList.Params()).notifications
            #expect(all.map(\.state) == [.scheduled, .pending])
            let late = try #require(all.last)
            #expect(late.late == .minutes(140))
            #expect(all.first?.due == Milliseconds.hours(3) + (late.due ?? 0))
        }
    }

    /// A notification for half past twelve comes at that time of the zone where the machine is then, also if
    /// it moved while the notifier was away.
    @Test(arguments: [false, true])
    func aMachineThatMovesTakesItsNotificationsAlong(isAway: Bool) async throws {
        try await World.with([], clock: Self.start) { world in
            let zone = MovableZone(world, "UTC")
            try await world.start("notifier")
            let noon = NotificationTrigger(components: DateComponents(hour: 12, minute: 30), repeats: true)
            _ = try await Self.post(world, "noon", noon)
            let once = NotificationTrigger(
                components: DateComponents(year: 2026, month: 3, day: 28, hour: 13, minute: 0))
            _ = try await Self.post(world, "once", once)
            #expect(
                try await Self.list(world) == [
                    "noon scheduled 2026-03-28T12:30:00.000Z", "once scheduled 2026-03-28T13:00:00.000Z",
                ])
            if isAway {
                try world.process("notifier").signal(SIGTERM)
                #expect(try await world.process("notifier").exit() == 0)
            }
            zone.move(to: "Asia/Kathmandu")
            if isAway { try await world.start("notifier") }
            // It is 15:45 there: what was for one o'clock is late.
            try await world.eventually("the new zone is known") {
                try await Self.list(world) == [
                    "noon scheduled 2026-03-29T06:45:00.000Z", "once pending 2026-03-28T10:00:00.000Z",
                ]
            }
        }
    }

    /// The machine's data lost a zone, as when old names moved to a package that is not installed.
    @Test func aTriggerWhoseZoneIsGoneGoesOnAndHoldsUpNobody() async throws {
        try await World.with(["notifier"], clock: Self.start) { world in
            let berlin = NotificationTrigger(
                components: DateComponents(hour: 12, minute: 30), zone: "Europe/Berlin", repeats: true)
            _ = try await Self.post(world, "berlin", berlin)
            _ = try await Self.post(world, "after", NotificationTrigger(after: 7_200_000))
            let notifier = try world.process("notifier")
            notifier.signal(SIGTERM)
            #expect(try await notifier.exit() == 0)
            try await world.start("notifier", environment: ["TZDIR": world.directory])
            try await world.clock.advance(.minutes(135))
            #expect(
                try await Self.list(world) == [
                    "berlin scheduled 2026-03-28T12:30:00.000Z", "berlin pending 2026-03-28T11:30:00.000Z",
                    "after pending 2026-03-28T12:00:00.000Z",
                ])
        }
    }

    @Test func aMemberWhoMovesTakesItAlong() async throws {
        try await World.with(["auth-service", "notifier"], clock: Self.start) { world in
            let eight = NotificationTrigger(components: DateComponents(hour: 20), repeats: true)
            let own = try await world.call(MemberList.self, Nothing()).members[0]
            _ = try await Self.post(world, "evening", eight, member: own.id)
            let fixed = NotificationTrigger(components: DateComponents(hour: 20), zone: "Asia/Tokyo")
            _ = try await Self.post(world, "tokyo", fixed)
            _ = try await world.call(
                MemberSet.self, MemberSet.Params(name: own.name, zone: "Asia/Kathmandu"))
            try await world.clock.settle()
            #expect(
                try await Self.list(world) == [
                    "tokyo scheduled 2026-03-28T11:00:00.000Z", "evening scheduled 2026-03-28T14:15:00.000Z",
                ])
        }
    }

    @Test func postingAgainReplacesWhatIsScheduled() async throws {
        try await World.with(["notifier"], clock: Self.start) { world in
            _ = try await Self.post(world, "a", NotificationTrigger(after: 60_000))
            _ = try await Self.post(world, "a", NotificationTrigger(after: 120_000))
            #expect(try await Self.list(world) == ["a scheduled 2026-03-28T10:02:00.000Z"])
            _ = try await world.call(
                NotificationPost.self, NotificationPost.Params(identifier: "a", title: "now"))
            try await world.clock.advance(.hours(1))
            #expect(try await Self.list(world) == ["a pending -"])
        }
    }

    @Test func triggersThatCannotBeAreRefused() async throws {
        try await World.with(["notifier"], clock: Self.start) { world in
            for trigger in [
                NotificationTrigger(), NotificationTrigger(after: 0),
                NotificationTrigger(after: 59_999, repeats: true),
                NotificationTrigger(after: 60_000, components: DateComponents(hour: 1)),
                NotificationTrigger(components: DateComponents(hour: 25)),
                NotificationTrigger(components: DateComponents(year: 2025)),
                NotificationTrigger(components: DateComponents(hour: 1), zone: "Mars/Olympus"),
            ] {
                let error = await refusal { try await Self.post(world, "a", trigger) }
                #expect(error == .invalidParams, "\(trigger)")
            }
            let kept = try await Self.list(world)
            #expect(kept.isEmpty)
        }
    }

    @Test func categoriesBadgesAndAnswersWithoutADaemon() async throws {
        try await World.with(["notifier"]) { world in
            let events = try world.record(.notifier)
            var category = NotificationCategory()
            category.identifier = "limit"
            category.actions = [NotificationAction(key: "more", label: "More time", inputButton: "Send")]
            _ = try await world.call(
                NotificationSetCategories.self, NotificationSetCategories.Params(categories: [category]))
            var details = NotificationDetails()
            (details.category, details.badge, details.userInfo) = ("limit", 3, "opaque")
            (details.level, details.tellsOpening) = (.timeSensitive, true)
            let posted = try await world.call(
                NotificationPost.self,
                NotificationPost.Params(
                    identifier: "a", title: "", body: "Words", subtitle: "Of mine", details: details)
            ).notification
            #expect(posted.actions == category.actions && posted.urgency == .critical)
            let listed = try await world.call(NotificationList.self, NotificationList.Params())
            #expect(listed.badges == [NotificationBadge(client: "", count: 3)])
            func answer(_ action: String) async throws {
                _ = try await world.call(
                    NotificationAnswer.self,
                    NotificationAnswer.Params(client: nil, identifier: "a", action: action, text: "please"))
            }
            #expect(await refusal { try await answer("less") } == .invalidParams)
            try await answer("more")
            let answered = try await events.first(NotificationAnswered.self)
            #expect(answered.action == "more" && answered.text == "please")
            #expect(await refusal { try await answer("more") } == .notFound, "once")
        }
    }
}
