import Contract
import Testing
import Units

/// What report.query makes of the copied usage log; in this process, without a bus.
@Suite struct ReportQueryTests {
    /// 2023-06-01T00:00:00Z, a Thursday.
    static let thursday: Instant = 1_685_577_600_000
    static let hour: Milliseconds = 3_600_000

    static func query(
        _ from: String? = "2023-06-01", _ to: String? = nil, zone: String = "UTC", device: String? = nil,
        _ segment: ReportSegment? = nil, by: ReportGrouping? = nil, metric: ReportMetric? = nil
    ) -> ReportQuery.Params {
        ReportQuery.Params(
            from: from, to: to ?? from, zone: zone, device: device, segment: segment, by: by, metric: metric)
    }

    @Test func anEventReplacesWhatBeginsInItsRangeAndNothingElse() throws {
        let copy = try Copy()
        let t = Self.thursday
        try copy.use(
            "a", [(t, t + 10), (t + 20, t + 30), (t + 40, t + 50)], pickups: [t, t + 20],
            notifications: [t + 20])
        try copy.use("a", [(t + 25, t + 26)], range: (t + 20, t + 40), notifications: [t + 39, t + 39])
        #expect(try copy.rows(Self.query()) == ["2023-06-01 a 21"])
        #expect(try copy.rows(Self.query(metric: .pickups)) == ["2023-06-01 a 1"])
        #expect(try copy.rows(Self.query(metric: .notifications)) == ["2023-06-01 a 2"])
        // Another device, another kind and another member are other stretches.
        try copy.use("a", [], on: "phone")
        try copy.use("a", [], kind: .domain)
        try copy.use("a", [(t, t + 1)], member: "member-eve")
        #expect(try copy.rows(Self.query()) == ["2023-06-01 a 21"])
        try copy.use("a", [])
        #expect(try copy.rows(Self.query()) == [])
    }

    @Test func aUseThatBeganBeforeTheRangeCountsInsideIt() throws {
        let copy = try Copy()
        let t = Self.thursday
        try copy.use("a", [(t - 100 * Self.hour, t - 99 * Self.hour), (t - Self.hour, t + 25 * Self.hour)])
        #expect(try copy.rows(Self.query()) == ["2023-06-01 a 86400000"])
        #expect(try copy.rows(Self.query("2023-05-31")) == ["2023-05-31 a 3600000"])
        #expect(try copy.rows(Self.query("2023-06-02")) == ["2023-06-02 a 3600000"])
        #expect(try copy.rows(Self.query("2023-06-03")) == [])
    }

    @Test func noSecondCountsTwice() throws {
        let copy = try Copy()
        let t = Self.thursday
        try copy.use("a", [(t, t + 100)], on: "laptop", category: "games")
        try copy.use("a", [(t + 50, t + 150)], on: "phone", category: "games")
        try copy.use("b", [(t + 90, t + 200)], on: "phone", category: "games")
        #expect(try copy.rows(Self.query(by: .app)) == ["2023-06-01 a 150", "2023-06-01 b 110"])
        #expect(try copy.rows(Self.query(by: .total)) == ["2023-06-01 all 200"])
        #expect(try copy.rows(Self.query(by: .device)) == ["2023-06-01 laptop 100", "2023-06-01 phone 150"])
        #expect(try copy.rows(Self.query(by: .category)) == ["2023-06-01 games 260"])
        #expect(
            try copy.rows(Self.query(device: "phone", by: .app)) == ["2023-06-01 a 100", "2023-06-01 b 110"])
        try copy.use("b", [(t + 90, t + 200)], on: "phone")
        #expect(try copy.rows(Self.query(by: .category)) == ["2023-06-01 games 150", "2023-06-01 other 110"])
    }

    @Test func hostsAreJoinedToWhatCanBeRegistered() throws {
        let copy = try Copy()
        let t = Self.thursday
        let hosts = [
            "www.example.co.uk": "example.co.uk", "a.b.example.co.uk": "example.co.uk",
            "github.io": "github.io",
            "me.github.io": "me.github.io", "localhost": "localhost", "127.0.0.1": "127.0.0.1",
            "[2001:db8::1]": "[2001:db8::1]", "xn--bcher-kva.example.org": "example.org",
        ]
        for host in hosts.keys { try copy.use(host, [(t, t + 1_000)], kind: .domain, notifications: [t]) }
        let expected = Set(hosts.values).sorted()
        #expect(try copy.rows(Self.query(by: .domain)) == expected.map { "2023-06-01 \($0) 1000" })
        #expect(
            try copy.rows(Self.query(by: .domain, metric: .notifications))
                == expected.map { key in "2023-06-01 \(key) \(hosts.values.count { $0 == key })" })
        #expect(try copy.rows(Self.query(by: .app)) == [])
        #expect(try copy.rows(Self.query(by: .total)) == ["2023-06-01 all 1000"])
    }

    @Test func whatIsInUseCountsUpToNow() throws {
        let copy = try Copy()
        let t = Self.thursday
        try copy.use("a", [(t - 2_000, t - 1_000)], range: (t - 2_000, t), open: t + 100)
        func today(_ now: Instant, _ day: String? = nil) throws -> (rows: [String], running: Bool) {
            let result = try copy.result(Self.query(day), now: now)
            return (result.rows.map { "\($0.segmentStart) \($0.value)" }, result.running)
        }
        #expect(try today(t + 100) == ([], false))
        #expect(try today(t + 350) == (["2023-06-01 250"], true))
        #expect(try today(t + 400, "2023-06-01") == (["2023-06-01 300"], true))
        // Yesterday ended before it began; a day that is over counts to its end, and no longer runs.
        #expect(try today(t + 400, "2023-05-31") == (["2023-05-31 1000"], false))
        #expect(try today(t + 25 * Self.hour, "2023-06-01") == (["2023-06-01 86399900"], false))
        try copy.use("a", [(t + 100, t + 500)], range: (t + 100, t + 101))
        #expect(try today(t + 700) == (["2023-06-01 400"], false))
    }

    @Test func segmentsFollowTheZonesClock() throws {
        let copy = try Copy()
        // 2023-11-05 in New York has 25 hours: 01:00 to 02:00 comes twice.
        let midnight: Instant = 1_699_156_800_000
        try copy.use("a", [(midnight, midnight + 25 * Self.hour + 1)], notifications: [midnight + Self.hour])
        let zone = "America/New_York"
        #expect(
            try copy.rows(Self.query("2023-11-05", "2023-11-06", zone: zone))
                == ["2023-11-05 a 90000000", "2023-11-06 a 1"])
        let hours = try copy.rows(Self.query("2023-11-05", zone: zone, .hourly))
        #expect(hours.count == 25)
        #expect(
            hours[1...2] == ["2023-11-05T01:00:00-04:00 a 3600000", "2023-11-05T01:00:00-05:00 a 3600000"])
        #expect(
            try copy.rows(Self.query("2023-11-05", zone: zone, .hourly, metric: .notifications))
                == ["2023-11-05T01:00:00-04:00 a 1"])
    }

    @Test func weeksBeginOnMondayAndCountOnlyTheAskedDays() throws {
        let copy = try Copy()
        let t = Self.thursday
        let day = 24 * Self.hour
        try copy.use("a", (-7..<14).map { (t + $0 * day, t + $0 * day + 1) })
        let result = try copy.result(Self.query("2023-06-01", "2023-06-05", .weekly))
        #expect(result.rows.map { "\($0.segmentStart) \($0.value)" } == ["2023-05-29 4", "2023-06-05 1"])
        #expect(result.notes.count == 1)
        #expect(try copy.result(Self.query("2023-05-29", "2023-06-04", .weekly)).notes == [])
    }

    @Test func missingDaysAreTodayOnTheZonesCalendar() throws {
        let copy = try Copy()
        let t = Self.thursday
        let day = 24 * Self.hour
        try copy.use("a", (-3..<3).map { (t + $0 * day, t + $0 * day + 1) })
        func days(_ from: String?, _ to: String?, _ zone: String = "UTC") throws -> [String] {
            try copy.result(ReportQuery.Params(from: from, to: to, zone: zone), now: t).rows.map(
                \.segmentStart)
        }
        #expect(try days(nil, nil) == ["2023-06-01"])
        #expect(try days(nil, nil, "America/New_York") == ["2023-05-31"])
        #expect(try days("2023-05-31", nil) == ["2023-05-31", "2023-06-01"])
        #expect(try days(nil, "2023-06-02") == ["2023-06-01", "2023-06-02"])
        #expect(try days(nil, "2023-05-30") == ["2023-05-30"])
        #expect(try days("2023-06-03", nil) == ["2023-06-03"])
    }

    @Test func wrongQuestionsAreRefusedByName() throws {
        let copy = try Copy()
        let wrong: [(ReportQuery.Params, ErrorName, String)] = [
            (Self.query(zone: "Mars/Olympus"), .invalidArgument, "Mars/Olympus"),
            (Self.query(zone: ""), .invalidArgument, "time zone ''"),
            (Self.query("2023-02-30"), .invalidArgument, "2023-02-30"),
            (Self.query("2023-06-01", "1.6.2023"), .invalidArgument, "to is '1.6.2023'"),
            (Self.query("2023-06-02", "2023-06-01"), .invalidArgument, "after"),
            (Self.query("2013-01-01", "2023-06-01"), .limitExceeded, "daysMax"),
            (Self.query("2013-01-01", "2023-06-01", .hourly), .limitExceeded, "daysMax"),
        ]
        for (params, name, words) in wrong {
            let error = #expect(throws: ServiceError.self) { try copy.result(params) }
            #expect(error?.name == name)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        let t = Self.thursday
        let long = String(repeating: "x", count: 400)
        try copy.apply(
            (0..<2_000).map { number in
                UsageRecorded(
                    member: "uid-0", device: "laptop", subject: "\(long)\(number)", from: t, to: t + 1,
                    intervals: [Interval(start: t, end: t + 1)])
            })
        let error = #expect(throws: ServiceError.self) { try copy.result(Self.query()) }
        #expect(error?.name == .limitExceeded && error?.message.contains("answerBytesMax") == true)
    }

    /// In pages, as every long report.
    @Test func tenYearsAreReportedByHour() throws {
        let copy = try Copy()
        let day: Milliseconds = 86_400_000
        let moments = (0..<3_653).map { Self.thursday - day * $0 + Self.hour * ($0 % 24) }
        try copy.use("a", moments.sorted().map { ($0, $0 + 1_000) })
        var params = Self.query("2013-06-01", "2023-06-01", .hourly)
        params.page = 0
        var rows: [String] = []
        while params.page != nil {
            let result = try copy.result(params, now: Self.thursday + day)
            rows += result.rows.map(\.segmentStart)
            params.page = result.nextPage
        }
        #expect(rows.count == moments.count && Set(rows).count == rows.count)
        #expect(rows.first?.hasPrefix("2013-06-01") == true && rows.last?.hasPrefix("2023-06-01") == true)
    }

    @Test func notesSayWhatRowsCannot() throws {
        let copy = try Copy()
        let t = Self.thursday
        #expect(
            try copy.result(Self.query()).notes == ["Nothing was recorded from 2023-06-01 to 2023-06-01."])
        try copy.use("unknown", [(t, t + 1)])
        // Apps were used.
        #expect(
            try copy.result(Self.query(by: .domain)).notes
                == ["Nothing was recorded of sites from 2023-06-01 to 2023-06-01."])
        try copy.use("org.example.editor", [(t, t + 1)], name: "Editor")
        try copy.use("", [], pickups: [t, t, t + 1])
        let apps = try copy.result(Self.query())
        #expect(apps.notes == ["'unknown' stands for apps that nobody could name."])
        #expect(apps.names?.map { "\($0.key) \($0.name)" } == ["org.example.editor Editor"])
        let pickups = try copy.result(Self.query(metric: .pickups))
        #expect(
            pickups.rows.isEmpty && pickups.notes.first?.hasPrefix("Pickups that led to no app: 3.") == true)
        #expect(try copy.rows(Self.query(by: .total, metric: .pickups)) == ["2023-06-01 all 3"])
        #expect(try copy.rows(Self.query(by: .device, metric: .pickups)) == ["2023-06-01 laptop 3"])
        #expect(
            try copy.result(Self.query(device: "phone")).notes
                == ["Nothing is known of a device 'phone'; there are: laptop."])
        // A device without remaining data is unknown, as in a rebuilt copy.
        try copy.use("a", [(t, t + 1)], on: "tablet")
        try copy.use("a", [], on: "tablet")
        #expect(
            try copy.result(Self.query(device: "tablet")).notes
                == ["Nothing is known of a device 'tablet'; there are: laptop."])
        // Samoa went to bed on the 29th and woke up on the 31st.
        #expect(
            try copy.result(Self.query("2011-12-30", zone: "Pacific/Apia")).notes
                == ["The calendar of Pacific/Apia skips these days."])
    }

    @Test func anEventThatContradictsItselfIsRefusedWhole() throws {
        let copy = try Copy()
        let t = Self.thursday
        try copy.use("a", [(t, t + 5)])
        let wrong: [[(Instant, Instant)]] = [
            [(t + 10, t + 10)], [(t, t + 5), (t + 4, t + 6)], [(t + 100, t + 101)],
        ]
        for intervals in wrong {
            #expect(throws: ServiceError.self) { try copy.use("a", intervals, range: (t, t + 50)) }
        }
        #expect(throws: ServiceError.self) { try copy.use("a", [], range: (t, t + 50), pickups: [t + 50]) }
        #expect(throws: ServiceError.self) { try copy.use("a", [], range: (t + 50, t)) }
        #expect(throws: ServiceError.self) { try copy.use("a", [], kind: .category) }
        #expect(try copy.rows(Self.query()) == ["2023-06-01 a 5"])
    }

    @Test func aChangeTellsFromWhenReportsDiffer() throws {
        let copy = try Copy()
        let t = Self.thursday
        #expect(try copy.use("a", [(t, t + 5)], range: (t, t + 5)) == t)
        #expect(try copy.use("a", [], range: (t + 50, t + 50), open: t + 50) == t + 50)
        // What was open from t + 50 on is not: reports differ from there.
        #expect(try copy.use("a", [], range: (t + 60, t + 60)) == t + 50)
        // A name or category counts at all times.
        #expect(try copy.use("a", [], category: "games", range: (t + 70, t + 70)) == 0)
    }
}
