import Contract
import JSON
import ReportCore
import Rules
import Schedules
import Testing
import Units

/// The filter and the nested answer, with figures that can be checked by hand.
@Suite struct ReportActivityTests {
    static let t = ReportQueryTests.thursday
    static let hour = ReportQueryTests.hour

    /// A browser with two hosts, and an editor, on the laptop; the phone beside it.
    static func household() throws -> Copy {
        let copy = try Copy()
        try copy.apply(
            UsageRecorded(
                member: "uid-0", device: "laptop", deviceModel: "linux", subject: "firefox",
                category: "utilities", name: "Firefox", browser: true, from: 0, to: .max,
                intervals: [Interval(start: t, end: t + 100)], pickups: [t], notifications: []))
        try copy.use("www.news.org", [(t + 10, t + 40)], kind: .domain, category: "reading")
        try copy.use("forum.news.org", [(t + 40, t + 60)], kind: .domain, category: "social")
        try copy.use("editor", [(t + 100, t + 130)], category: "productivity", notifications: [t + 5, t + 6])
        try copy.use("", [], pickups: [t + 200])
        try copy.use("chat", [(t + 50, t + 90)], on: "phone", model: "android", category: "social")
        try copy.use("chat", [(t, t + 7)], on: "tv", member: "member-eve", category: "social")
        return copy
    }

    static func query(_ change: (inout ReportQuery.Params) -> Void) -> ReportQuery.Params {
        var params = ReportQueryTests.query()
        change(&params)
        return params
    }

    @Test func theNestedAnswerHasWhatDeviceActivityDataHas() throws {
        let copy = try Self.household()
        let t = Self.t
        let members = [
            ReportMember(id: "member-eve", name: "Eve", role: .child),
            ReportMember(id: "uid-0", name: "Ann", role: .guardian),
        ]
        let params = Self.query { $0.shape = .activity }
        let result = try copy.result(params, members: members, now: t + 1_000)
        let activity = try #require(result.activity)
        #expect(
            activity.map { "\($0.user.name ?? "") \($0.device.name) \($0.device.model)" } == [
                "Eve tv mac", "Ann laptop mac", "Ann phone android",
            ])
        #expect(activity[0].user == ReportActivityUser(member: "member-eve", name: "Eve", role: .child))
        let laptop = activity[1]
        #expect(laptop.lastUpdated == t + 200)
        #expect(laptop.dateInterval == Interval(start: t, end: t + 24 * Self.hour))
        let day = try #require(laptop.activitySegments.first)
        #expect(laptop.activitySegments.count == 1)
        #expect(day.totalActivity == 130)
        #expect(day.longestActivity == Interval(start: t, end: t + 130))
        #expect(day.firstPickup == t)
        #expect(day.totalPickupsWithoutApplicationActivity == 1)
        #expect(
            day.categories.map { "\($0.category) \($0.totalActivity)" } == [
                "productivity 30", "reading 30", "social 20", "utilities 50",
            ])
        #expect(
            day.categories[3].applications == [
                ReportApplicationActivity(
                    app: "firefox", name: "Firefox", totalActivity: 100, numberOfPickups: 1)
            ])
        #expect(day.categories[0].applications.first?.numberOfNotifications == 2)
        // One site in two categories: its hosts by themselves.
        #expect(
            day.categories[1].webDomains == [
                ReportDomainActivity(domain: "www.news.org", totalActivity: 30)
            ])
        #expect(result.rows.isEmpty && result.table == nil)
    }

    @Test func hoursUpToNowAreThereAlsoWithoutActivity() throws {
        let copy = try Self.household()
        let params = Self.query {
            $0.shape = .activity
            $0.segment = .hourly
        }
        let now = Self.t + 3 * Self.hour
        let activity = try #require(try copy.result(params, now: now).activity)
        #expect(activity.map(\.activitySegments.count) == [4, 4])
        #expect(activity[0].activitySegments[1].totalActivity == 0)
        #expect(activity[0].activitySegments[1].longestActivity == nil)
    }

    @Test(arguments: [
        (ReportQuery.Params(devices: ["phone"]), ["chat 40"]),
        (ReportQuery.Params(models: ["mac"], by: .device), ["laptop 130"]),
        (ReportQuery.Params(models: ["linux"], by: .total), ["all 130"]),
        (ReportQuery.Params(models: ["android"], by: .total), ["all 40"]),
        (ReportQuery.Params(applications: ["editor", "chat"], by: .total), ["all 70"]),
        (ReportQuery.Params(categories: ["social"], by: .total), ["all 50"]),
        (ReportQuery.Params(categories: ["social"], by: .domain), ["news.org 20"]),
        // Only its category names the browser: without the hosts' time.
        (ReportQuery.Params(categories: ["utilities"], by: .total), ["all 50"]),
        (ReportQuery.Params(applications: ["firefox"], by: .total), ["all 100"]),
        (ReportQuery.Params(webDomains: ["news.org"], by: .total), ["all 50"]),
        (ReportQuery.Params(webDomains: ["WWW.news.org"], by: .domain), ["news.org 30"]),
        (ReportQuery.Params(webDomains: ["ews.org"], by: .domain), []),
        (ReportQuery.Params(members: ["uid-0", "member-eve"], by: .total), ["all 137"]),
        (
            ReportQuery.Params(members: ["uid-0", "member-eve"], by: .member),
            ["member-eve 7", "uid-0 130"]
        ),
        (ReportQuery.Params(members: ["uid-0", "member-eve"], applications: ["chat"]), ["chat 47"]),
    ])
    func filtersChoose(question: ReportQuery.Params, expected: [String]) throws {
        var params = question
        (params.from, params.to, params.zone) = ("2023-06-01", "2023-06-01", "UTC")
        #expect(try Self.household().rows(params).map { String($0.dropFirst(11)) } == expected)
    }

    @Test func anEmptyAnswerSaysWhichNameNobodyKnows() throws {
        let copy = try Self.household()
        func notes(_ change: (inout ReportQuery.Params) -> Void) throws -> [String] {
            try copy.result(Self.query(change)).notes
        }
        #expect(try notes { $0.applications = ["doom"] } == ["Nothing is known of an app 'doom'."])
        #expect(
            try notes {
                $0.webDomains = ["x.test"]
                $0.by = .domain
            } == ["Nothing is known of a domain 'x.test'."])
        #expect(
            try notes { $0.models = ["iPad"] } == [
                "Nothing is known of a device that is a 'iPad'; there are: android, mac."
            ])
        #expect(
            try notes {
                $0.applications = ["chat"]
                $0.devices = ["laptop"]
                $0.shape = .activity
            } == [
                "Nothing that was asked for was recorded from 2023-06-01 to 2023-06-01."
            ])
        let many = (0...1_000).map(String.init)
        let error = #expect(throws: ServiceError.self) { try notes { $0.applications = many } }
        #expect(error?.name == .limitExceeded && error?.message.contains("filterNamesMax") == true)
    }

    @Test func anIntervalIsWidenedAsItsSegmentsSay() throws {
        let copy = try Copy()
        let (t, hour) = (Self.t, Self.hour)
        try copy.use("a", (-200..<200).map { (t + $0 * hour, t + $0 * hour + 1) })
        func segments(_ segment: ReportSegment, _ start: Instant, _ end: Instant) throws -> [String] {
            let params = ReportQuery.Params(
                during: Interval(start: start, end: end), zone: "UTC", segment: segment)
            let result = try copy.result(params)
            #expect(result.notes.isEmpty)
            return result.rows.map { "\($0.segmentStart) \($0.value)" }
        }
        #expect(
            try segments(.hourly, t + 5, t + hour + 5) == [
                "2023-06-01T00:00:00+00:00 1", "2023-06-01T01:00:00+00:00 1",
            ])
        #expect(try segments(.daily, t + 5, t + 5) == ["2023-06-01 24"])
        #expect(try segments(.weekly, t + 5, t + 96 * hour) == ["2023-05-29 168"])
        let both = #expect(throws: ServiceError.self) {
            try copy.result(ReportQuery.Params(from: "2023-06-01", during: Interval(start: t, end: t)))
        }
        #expect(both?.name == .invalidArgument)
        for wrong in [(5, 4), (-1, 5), (0, .max)] as [(Instant, Instant)] {
            let error = #expect(throws: ServiceError.self) { try segments(.daily, wrong.0, wrong.1) }
            #expect(error?.name == .invalidArgument)
        }
    }

    @Test func aMembersOwnDayIsTheDefault() throws {
        let copy = try Copy()
        let (t, hour) = (Self.t, Self.hour)
        try copy.use("a", [(t + 3 * hour, t + 5 * hour)])
        let zone = try Zone("Asia/Kathmandu")
        let early = ReportMember(id: "uid-0", zone: zone, dayStart_minutes: 9 * 60 + 30)
        // 08:45 to 10:45 in Kathmandu, whose day begins at 09:30 for this member.
        func rows(_ params: ReportQuery.Params, _ members: [ReportMember]) throws -> [String] {
            try copy.result(params, members: members).rows.map { "\($0.segmentStart) \($0.value)" }
        }
        var params = ReportQuery.Params(from: "2023-05-31", to: "2023-06-01", fallbackZone: "UTC")
        #expect(try rows(params, [early]) == ["2023-05-31 2700000", "2023-06-01 4500000"])
        params.dayStartMinutes = 0
        #expect(try rows(params, [early]) == ["2023-06-01 7200000"])
        params.zone = "America/New_York"
        #expect(try rows(params, [early]) == ["2023-05-31 3600000", "2023-06-01 3600000"])
        let other = ReportMember(id: "member-eve")
        let mixed = try copy.result(
            ReportQuery.Params(from: "2023-06-01", fallbackZone: "UTC"), members: [early, other])
        #expect(mixed.zone == "UTC" && mixed.notes.first?.contains("differ") == true)
    }

    @Test func aLongNestedAnswerComesInPages() throws {
        let copy = try Copy()
        let (t, hour) = (Self.t, Self.hour)
        let long = String(repeating: "x", count: 400)
        try copy.apply(
            (0..<100).map { app in
                UsageRecorded(
                    member: "uid-0", device: "laptop", subject: "\(long)\(app)", from: t,
                    to: t + 48 * hour,
                    intervals: (0..<48).map { number in
                        let start = t + Int64(number) * hour + Milliseconds(app)
                        return Interval(start: start, end: start + 1)
                    })
            })
        var params = Self.query {
            $0.to = "2023-06-02"
            $0.segment = .hourly
            $0.shape = .activity
        }
        let now = t + 100 * hour
        let error = #expect(throws: ServiceError.self) { try copy.result(params, now: now) }
        #expect(error?.name == .limitExceeded)
        params.page = 0
        var starts: [Instant] = []
        while params.page != nil {
            let result = try copy.result(params, now: now)
            #expect(result.encoded().count < Limits.messageBytesMax)
            let segments = try #require(result.activity?.first?.activitySegments)
            #expect(segments.allSatisfy { $0.totalActivity == 100 })
            starts += segments.map(\.dateInterval.start)
            params.page = result.nextPage
        }
        #expect(starts == (0..<48).map { t + $0 * hour })
    }
}
