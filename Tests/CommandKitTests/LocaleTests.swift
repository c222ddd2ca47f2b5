import Foundation
import ScreenTimeTesting
import Testing

@testable import CommandKit

/// Dates, times and durations for a person.
@Suite struct LocaleTests {
    @Test(
        arguments: [
            ("%T", "", "%H:%M:%S", "%H:%M"), ("%r", "%I:%M:%S %p", "%I:%M:%S %p", "%I:%M %p"),
            ("%r", "", "%I:%M:%S %p", "%I:%M %p"), ("%H.%M.%S", "", "%H.%M.%S", "%H.%M"),
            ("%H時%M分%S秒", "", "%H時%M分%S秒", "%H時%M分"),
            ("%p %I시 %M분 %S초", "", "%p %I시 %M분 %S초", "%p %I시 %M분"),
            ("%-l:%M:%S %P", "", "%-l:%M:%S %P", "%-l:%M %P"),
            ("%R", "", "%H:%M:%S", "%H:%M"),
            ("kl. %H.%M %z", "", "kl. %H.%M.%S", "kl. %H.%M"),
            ("%Z %I:%M:%S %p", "", "%I:%M:%S %p", "%I:%M %p"),
            ("%r", "%p %I:%M:%S %Z", "%p %I:%M:%S", "%p %I:%M"),
            ("%H时%M分%S秒 %Z", "", "%H时%M分%S秒", "%H时%M分"),
            ("%H %Z %M:%S", "", "%H %M:%S", "%H %M"),
            ("%OH:%OM:%OS", "", "%OH:%OM:%OS", "%OH:%OM"), ("%", "", "%", "%"),
        ] as [(String, String, String, String)])
    func formatsAreSpelledOut(format: String, halves: String, full: String, short: String) {
        #expect(TimeFormat.spelledOut(format, halves: halves) == full)
        #expect(TimeFormat.withoutSeconds(full) == short)
    }

    @Test func aFractionStandsBehindTheSeconds() {
        #expect(TimeFormat.withFraction("%I:%M:%S %p", ",120") == "%I:%M:%S,120 %p")
    }

    @Test(arguments: ["C", "POSIX", "C.UTF-8", "xx_YY.UTF-8"]) func isISOWithoutALocale(name: String) {
        let locale = PersonLocale(named: name)
        #expect(locale.isISO && locale.decimalPoint == ".")
        #expect(LocalTime.timeOfDay(minutes: 245, in: locale) == "04:05")
        #expect(LocalTime.timeOfDay(minutes: 1_440, in: locale) == "24:00")
        #expect(LocalTime.timeOfDay("22:00-24:00", in: locale) == "22:00-24:00")
        #expect(LocalTime.stamp("2026-03-02", in: locale) == "2026-03-02")
        #expect(LocalTime.duration(12_345, in: locale) == "12.3 s")
    }

    @Test func daysAndTimesOfDayHaveTheFormOfTheLocale() {
        let halves = PersonLocale(dateFormat: "%m/%d/%Y", timeFormat: "%I:%M:%S %p", decimalPoint: ".")
        #expect(LocalTime.timeOfDay(minutes: 990, in: halves) == "04:30 PM")
        #expect(LocalTime.timeOfDay("22:00-24:00", in: halves) == "10:00 PM-12:00 AM")
        #expect(LocalTime.timeOfDay("soon", in: halves) == "soon")
        #expect(LocalTime.stamp("2026-03-02T17:00:00+01:00", in: halves) == "03/02/2026 05:00 PM +01:00")
        let comma = PersonLocale(dateFormat: "%a %d.%m.%Y", timeFormat: "%H:%M:%S", decimalPoint: ",")
        #expect(LocalTime.stamp("2026-03-02", in: comma) == "Mon 02.03.2026")
        #expect(LocalTime.stamp("total", in: comma) == "total")
        #expect(LocalTime.timeOfDay("22:00-24:00", in: comma) == "22:00-24:00")
        #expect(LocalTime.duration(12_345, in: comma) == "12,3 s")
        #expect(LocalTime.clock(1_234, in: comma).hasSuffix(":01,234"))
    }

    /// What a service answers, too: a time of day, and an instant in the status of auth-service.
    @Test(.enabled(if: areThere, "needs localedef and /usr/share/i18n/locales: Debian's package locales"))
    func listsHaveTheFormsOfTheLocale() async throws {
        try await World.with(["auth-service"], clock: "2026-03-02T19:14:05Z") { world in
            let place = "\(world.directory)/en_US.UTF-8"
            let made = try await world.run(
                "localedef", ["/usr/bin/localedef", "-i", "en_US", "-f", "UTF-8", place])
            #expect(made.status == 0, "\(world.errors(of: "localedef"))")
            let screentime = World.products + "/screentime"
            let environment = ["LOCPATH": world.directory, "LC_ALL": "en_US.UTF-8"]
            _ = try await world.run("add", [screentime, "member", "add", "Anna"])
            let set = try await world.run(
                "set", [screentime, "member", "set", "Anna", "--day-start", "16:30"],
                environment: environment)
            #expect(set.lines == ["Anna: zone system, the day starts at 04:30 PM."])
            let status = try await world.run("status", [screentime, "status"], environment: environment)
            let row = status.lines.first { $0.hasPrefix("auth-service") }
            #expect(row?.contains("  03/02/2026 07:14:05 PM  ") == true, "\(status.lines)")
        }
    }

    @Test func durationsAreForPeople() {
        for (milliseconds, text) in [
            (850, "850 ms"), (12_300, "12.3 s"), (245_000, "4 min 05 s"), (7_620_000, "2 h 07 min"),
        ] as [(Int64, String)] {
            #expect(LocalTime.duration(.init(milliseconds), in: PersonLocale(named: "C")) == text)
        }
        for (seconds, text) in [(45, "45 s"), (300, "5 min"), (3_600, "1 h"), (3_900, "1 h 5 min")] {
            #expect(LocalTime.amount(seconds: Int64(seconds)) == text)
        }
    }

    /// A date of a file that somebody changed.
    @Test(arguments: [1e300, -1e300, .infinity, .nan])
    func aTimeThatNoClockShowsIsTheNearest(seconds: Double) {
        let year = seconds < 0 ? "-292275055-" : "292278994-"
        #expect(LocalTime.text(secondsSince1970: seconds).contains(year))
        #expect(LocalTime.text(secondsSince1970: 1.5) == LocalTime.text(1_500))
    }

    // MARK: locales that are installed

    private static let sources = "/usr/share/i18n/locales/de_DE"
    private static let areThere =
        FileManager.default.fileExists(atPath: sources)
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/localedef")

    private static let activity = """
        {"activities":[{"name":"day","schedule":{"intervalStart":{"hour":0},"intervalEnd":{"hour":23},
          "repeats":true},"events":[{"name":"use","applications":["org.a"],"threshold":{"minute":1}}]}]}
        """
    private static let use = """
        {"at_ms":1772478845120,"kind":"active","ordinal":0,"device":"d","device_model":"linux"}
        {"at_ms":1772478845120,"kind":"focus","app":"org.a","ordinal":1,"device":"d","device_model":"linux"}
        {"at_ms":1772479025120,"kind":"idle","ordinal":0,"device":"d","device_model":"linux"}
        """

    /// 19:15:05.120 in UTC, a minute after the use began.
    @Test(
        .enabled(if: areThere, "needs localedef and /usr/share/i18n/locales: Debian's package locales"),
        arguments: [
            ("de_DE", "02.03.2026 19:15:05,120 +00:00"), ("en_US", "03/02/2026 07:15:05.120 PM +00:00"),
            ("ja_JP", "2026年03月02日 19時15分05.120秒 +00:00"), ("C", "2026-03-02 19:15:05.120+00:00"),
        ])
    func aPersonReadsTheirOwnForms(name: String, time: String) async throws {
        try await World.with([]) { world in
            let (use, policy) = ("\(world.directory)/use.jsonl", "\(world.directory)/policy.json")
            try Self.use.write(toFile: use, atomically: true, encoding: .utf8)
            try Self.activity.write(toFile: policy, atomically: true, encoding: .utf8)
            let place = "\(world.directory)/\(name).UTF-8"
            if name != "C" {
                let made = try await world.run(
                    "localedef", ["/usr/bin/localedef", "-i", name, "-f", "UTF-8", place])
                #expect(made.status == 0, "\(world.errors(of: "localedef"))")
            }
            let words = [
                World.products + "/screentime", "replay", use, "--policy", policy, "--zone", "UTC",
            ]
            let environment = [
                "LOCPATH": world.directory, "LC_ALL": "", "LANG": "\(name).UTF-8",
            ]
            let table = try await world.run("table", words, environment: environment)
            #expect(table.status == 0, "\(world.errors(of: "table"))")
            let line = table.lines.first { $0.contains("eventDidReachThreshold") }
            #expect(line?.hasPrefix(time + "  ") == true, "\(table.lines)")
            let json = try await world.run("json", words + ["--json"], environment: environment)
            #expect(json.lines.contains { $0.contains(#""at_ms":1772478905120"#) }, "the same everywhere")
        }
    }
}
