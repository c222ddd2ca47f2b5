import Units
import Foundation
import Testing

@testable import Rules

/// Exports of ActivityWatch's server.
struct ImportActivityWatchTests {
    static func bucket(_ id: String, _ type: String, host: String = "desk", _ events: [String]) -> String {
        let list = events.joined(separator: ",\n")
        return """
            "\(id)":{"id":"\(id)","created":"2024-05-01T08:00:00+00:00","type":"\(type)","client":"c",
            "hostname":"\(host)","data":{},"events":[\(list)]}
            """
    }

    static func event(_ time: String, _ seconds: String, _ data: String) -> String {
        #"{"id":7,"timestamp":"2024-05-01T\#(time)","duration":\#(seconds),"data":{\#(data)}}"#
    }

    static func file(_ buckets: String...) -> String {
        #"{"buckets":{"# + buckets.joined(separator: ",\n") + "}}"
    }

    static func parse(_ text: String) throws(ImportError) -> ImportedFile {
        try ImportFormat.activityWatch.parse(Array(text.utf8))
    }

    /// `subject:start+duration`, milliseconds since 10:00 UTC.
    static func uses(_ device: ImportedDevice) -> [String] {
        let start: Instant = 1_714_557_600_000
        let use = UsageTables.use(of: "x", device.changes, isLive: false)
        return use.uses.flatMap { subject, time in
            time.intervals.map { "\(subject.id):\($0.start - start)+\($0.duration)" }
        }.sorted()
    }

    @Test func windowsCountWhileSomebodyIsThere() throws {
        let file = try Self.parse(
            Self.file(
                Self.bucket(
                    "aw-watcher-window_desk", "currentwindow",
                    [
                        Self.event("10:00:20.500000+00:00", "9.5", #""app":"mail","title":"a, \"b\"""#),
                        Self.event("10:00:00+00:00", "20.0004", #""app":"code","title":null"#),
                        Self.event("12:00:10.25+02:00", "5", #""app":"code""#),
                        Self.event("10:00:00+00:00", "20.0004", #""app":"code""#),
                        Self.event("10:00:05Z", "0.0", #""app":"code""#),
                    ]),
                Self.bucket(
                    "aw-watcher-afk_desk", "afkstatus",
                    [
                        Self.event("10:00:02+00:00", "5", #""status":"not-afk""#),
                        Self.event("10:00:06+00:00", "19", #""status":"not-afk""#),
                        Self.event("10:00:25+00:00", "600", #""status":"afk""#),
                    ]),
                Self.bucket("aw-stopwatch", "general.stopwatch", [Self.event("10:00:00Z", "5", #""app":7"#)]))
        )
        #expect(file.devices.map(\.name) == ["desk"])
        #expect(Self.uses(file.devices[0]) == ["code:2000+18000", "mail:20500+4500"])
        #expect(file.counts.skipped == ["of type general.stopwatch": 1, "shorter than a millisecond": 1])
    }

    @Test func pagesCountWhileTheirBrowserIsInFront() throws {
        let file = try Self.parse(
            Self.file(
                Self.bucket(
                    "aw-watcher-window_desk", "currentwindow",
                    [
                        Self.event("10:00:00Z", "10", #""app":"Firefox""#),
                        Self.event("10:00:10Z", "10", #""app":"code""#),
                        Self.event("10:00:20Z", "10", #""app":"Firefox""#),
                    ]),
                Self.bucket(
                    "aw-watcher-web-firefox", "web.tab.current", host: "unknown",
                    [
                        Self.event("10:00:05Z", "20", #""url":"https://me@News.Example.org:8443/a?b#c""#),
                        Self.event("10:00:25Z", "3", #""url":"http://[::1]:80/""#),
                        Self.event("10:00:28Z", "1", #""url":"about:blank""#),
                    ])))
        #expect(file.devices.map(\.name) == ["desk"])
        #expect(
            Self.uses(file.devices[0]) == [
                "::1:25000+3000", "Firefox:0+10000", "Firefox:20000+10000", "code:10000+10000",
                "news.example.org:20000+5000", "news.example.org:5000+5000",
            ])
        #expect(file.counts.skipped == ["pages without a host": 1])
    }

    @Test func withoutItsWindowsAPageCountsWhileSomebodyIsThere() throws {
        let file = try Self.parse(
            Self.file(
                Self.bucket(
                    "aw-watcher-web-chrome_a", "web.tab.current", host: "a",
                    [Self.event("10:00:00Z", "20", #""url":"https://x.org/""#)]),
                Self.bucket(
                    "aw-watcher-afk_a", "afkstatus", host: "a",
                    [Self.event("10:00:01Z", "3.0015", #""status":"not-afk""#)]),
                Self.bucket(
                    "aw-watcher-window_b", "currentwindow", host: "b",
                    [Self.event("10:00:00Z", "1", #""app":"code""#)])))
        #expect(file.devices.map(\.name) == ["a", "b"])
        #expect(Self.uses(file.devices[0]) == ["x.org:1000+3002"])
        #expect(Self.uses(file.devices[1]) == ["code:0+1000"])
    }

    /// A later export has the last event longer: together they are as the later one alone.
    @Test func anEventThatGrewCountsOnce() throws {
        let window = "aw-watcher-window_desk"
        let exports = try ["5", "9.5"].map { seconds in
            try Self.parse(
                Self.file(
                    Self.bucket(window, "currentwindow", [Self.event("10:00:00Z", seconds, #""app":"a""#)])))
        }
        let both = exports.flatMap { $0.devices[0].changes }.sorted()
        #expect(Self.uses(ImportedDevice(name: nil, changes: both)) == ["a:0+9500"])
    }

    @Test(arguments: [
        ("[]", ImportError.Problem.notAnExport, 1, nil),
        (#"{"buckets":{"w":{"events":[]}}}"#, .notAnExport, 1, "buckets.w.type"),
        (
            file(bucket("w", "currentwindow", [event("10:00:00Z", "-1", #""app":"a""#)])), .outOfRange, 2,
            "w: duration"
        ),
        (
            file(
                bucket(
                    "w", "currentwindow",
                    [event("10:00:00Z", "1", #""app":"a""#), event("25:00:00Z", "1", #""app":"a""#)])),
            .notAnInstant, 3, "w: timestamp"
        ),
        (
            file(bucket("w", "currentwindow", [event("10:00:00Z", "1", #""title":"a""#)])), .emptyName, 2,
            "w: data.app"
        ),
        (
            file(bucket("a", "afkstatus", [event("10:00:00Z", "1", #""status":"maybe""#)])), .notAnExport, 2,
            "a: data.status"
        ),
        (file(bucket("b", "web.tab.current", [event("10:00:00Z", "1", "")])), .emptyName, 2, "b: data.url"),
        (
            file(bucket("w", "currentwindow", [event("10:00:00Z", "1", #""app":"a""#)])).dropLast(1) + "",
            .notAnExport, 2, nil
        ),
    ])
    func aWrongExportIsRefused(text: String, problem: ImportError.Problem, line: Int, column: String?) {
        let error = #expect(throws: ImportError.self) { try Self.parse(text) }
        #expect(error?.problem == problem, "\(error?.description ?? "")")
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
    }

    @Test(arguments: (0..<200).map { UInt64($0) })
    func instantsAreAsFoundationReadsThem(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let instant = Instant.random(in: 0...4_102_444_800_000, using: &chance)
        let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000 + 0.0002)
        let offset_s = Int.random(in: -56...56, using: &chance) * 900
        let zone = try #require(TimeZone(secondsFromGMT: offset_s))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: zone)
        let text = style.format(date)
        #expect(InstantText.instant(text) == instant, "\(text)")
        #expect(InstantText.instant(text.replacing("T", with: " ")) == instant, "\(text)")
    }

    @Test func whatIsNoInstantIsNone() {
        for text in [
            "", "2024-05-01", "2024-02-30T10:00:00Z", "2023-02-29T00:00:00Z", "2024-05-01T24:00:00Z",
            "2024-05-01T10:00:00.Z", "2024-05-01T10:00:00+0", "2024-05-01T10:00:00ZZ", "1969-12-31T23:59:59Z",
            "99999-05-01T10:00:00Z", "2024-13-01T10:00:00Z",
        ] { #expect(InstantText.microseconds(text) == nil, "\(text)") }
        #expect(InstantText.microseconds("2024-02-29T00:00:00.1234567") == 1_709_164_800_123_456)
    }
}
