import Contract
import DBus
import Loop
import Rules
import Testing
import Units

@testable import DesktopCore

/// Which limit the tray icon speaks of, and in which words.
@Suite struct TrayTests {
    static let chess = TimeLeft.Use(app: "chess", name: "Marble Game", category: "games")

    static func limit(
        _ event: EventDefinition = EventDefinition(applications: ["chess"]), minutes: Int64,
        used: Milliseconds = 0, warning: Milliseconds? = nil, member: String = "me", activity: String = "a"
    ) -> DayLimit {
        var about = ActivityCallback()
        about.client = BuiltInClient.limits
        (about.member, about.activity, about.event) = (member, activity, "limit")
        (about.threshold, about.total, about.definition) = (.minutes(minutes), used, event)
        // It has a definition and a threshold.
        return DayLimit(about, warningTime: warning)!
    }

    static func time(_ limits: [DayLimit], _ use: TimeLeft.Use? = nil) -> TimeLeft {
        var time = TimeLeft()
        time.use(use, at: 0)
        time.set(limits, member: "me", at: 0)
        return time
    }

    static func face(
        _ time: TimeLeft, requests: Int = 0, words: TrayWords = .english, at now: Milliseconds = 0,
        names: [String: String] = ["chess": "Marble Game"]
    ) -> TrayFace {
        TrayFace(time, requests: requests, words: words, at: now) { names[$0] }
    }

    private static let games = EventDefinition(categories: ["games"])

    // MARK: the choice

    @Test func theLimitThatEndsFirstOfWhatIsInUse() {
        let limits = [
            Self.limit(minutes: 40), Self.limit(Self.games, minutes: 25),
            Self.limit(EventDefinition(), minutes: 90),
            Self.limit(EventDefinition(applications: ["mail"]), minutes: 3),
        ]
        #expect(
            Self.time(limits, Self.chess).said(at: 0)
                == .running(Self.chess, left: .minutes(25), isNear: false))
        let mail = TimeLeft.Use(app: "mail", name: "Mail", category: nil)
        #expect(Self.time(limits, mail).said(at: 0) == .running(mail, left: .minutes(3), isNear: true))
        #expect(
            Self.time(limits).said(at: 0) == .waiting(.app("mail"), left: .minutes(3)),
            "nothing is in use: the nearest one")
        let other = TimeLeft.Use(app: "maps", name: "Maps", category: "travel")
        #expect(
            Self.time(Array(limits.dropLast(2)), other).said(at: 0)
                == .waiting(.category("games"), left: .minutes(25)), "nothing counts that is in use")
    }

    @Test func whatIsOverIsNotSpokenOfWhileSomethingIsOpen() {
        let over = Self.limit(minutes: 10, used: .minutes(12))
        let open = Self.limit(EventDefinition(), minutes: 60)
        #expect(
            Self.time([over, open], Self.chess).said(at: 0)
                == .running(Self.chess, left: .minutes(60), isNear: false))
        #expect(Self.time([over], Self.chess).said(at: 0) == .over(.app("chess")))
        #expect(Self.time([]).said(at: 0) == .unlimited)
        #expect(TimeLeft().said(at: 0) == .unknown)
    }

    @Test func timeRunsWhileItCountsOnly() {
        var time = Self.time([Self.limit(minutes: 25, used: 10_000)], Self.chess)
        #expect(time.untilNextMinute(at: 0) == 50_000, "24 min 50 s is 25")
        #expect(Self.face(time, at: 49_999).label == "25 min")
        #expect(Self.face(time, at: 50_000).label == "24 min")
        time.use(nil, at: 50_000)
        #expect(time.untilNextMinute(at: 90_000) == nil, "nobody is there, so nothing changes")
        #expect(Self.face(time, at: .hour).label == "24 min")
        time.use(Self.chess, at: .hour)
        #expect(time.untilNextMinute(at: .hour) == .minute)
        #expect(Self.face(time, at: .hour + .minutes(24)).title == "Time is up: Marble Game")
        #expect(time.untilNextMinute(at: .hour + .minutes(24)) == nil)
    }

    @Test func aPersonsOwnWarningSaysWhenTheEndIsNear() {
        func status(_ minutes: Int64, _ warning: Milliseconds?) -> TrayFace.Status {
            Self.face(Self.time([Self.limit(minutes: minutes, warning: warning)], Self.chess)).status
        }
        #expect(status(6, nil) == .active && status(5, nil) == .attention)
        #expect(status(10, .minutes(15)) == .attention && status(5, .minutes(1)) == .active)
        #expect(Self.face(Self.time([Self.limit(minutes: 1)])).status == .active, "it does not run")
        #expect(Self.face(Self.time([])).status == .active, "there is something to open")
        #expect(Self.face(TimeLeft()).status == .passive, "no service answers")
    }

    @Test func ofTwoForTheSameTheSmallerOneActs() {
        let all = [
            Self.limit(minutes: 30, activity: "b"), Self.limit(minutes: 20, activity: "a"),
            Self.limit(minutes: 5, member: "somebody else"),
        ]
        let time = Self.time(all)
        #expect(time.limits?.map(\.about.threshold) == [.minutes(20)])
        #expect(time.said(at: 0) == .waiting(.app("chess"), left: .minutes(20)))
    }

    // MARK: the words

    @Test func whatIsSaid() {
        let books = "xn--bcher-kva.de"
        let limits = [
            Self.limit(EventDefinition(), minutes: 10), Self.limit(minutes: 65),
            Self.limit(EventDefinition(applications: ["a", "b"], webDomains: [books]), minutes: 120),
            Self.limit(EventDefinition(webDomains: [books]), minutes: 5, used: .minutes(5)),
        ]
        let face = Self.face(Self.time(limits, Self.chess))
        #expect(face.title == "10 min left: Marble Game" && face.label == "10 min")
        #expect(
            face.rows == [
                "bücher.de: time is up", "Marble Game: 1 h 5 min left", "a and 2 others: 2 h left",
                "Everything: 10 min left",
            ], "the total is the last one")
        let korean = Self.face(Self.time(limits), words: .korean)
        #expect(korean.title == "10분 남음: 전체" && korean.label == "10분")
        #expect(
            korean.rows == [
                "bücher.de: 시간을 다 썼습니다", "Marble Game: 1시간 5분 남음", "a 외 2개: 2시간 남음",
                "전체: 10분 남음",
            ])
        #expect(Self.face(Self.time([])).title == "No limits today")
        #expect(Self.face(Self.time([])).label.isEmpty && Self.face(TimeLeft()).label.isEmpty)
        #expect(Self.face(Self.time([]), words: .korean).title == "오늘은 제한 없음")
        #expect(Self.face(TimeLeft()).title == "The time left is not known")
        let program = Self.limit(EventDefinition(applications: ["exe:/opt/My Game/run"]), minutes: 1)
        #expect(Self.face(Self.time([program])).title == "1 min left: run")
    }

    @Test func theLanguageIsThePersons() {
        func language(_ environment: [String: String]) -> String {
            TrayWords.chosen(by: environment).language
        }
        #expect(language(["LANG": "ko_KR.UTF-8"]) == "ko" && language([:]) == "en")
        #expect(language(["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:ko"]) == "ko")
        #expect(language(["LANG": "ko_KR.UTF-8", "LC_ALL": "C"]) == "en")
    }

    @Test func bothLanguagesNameEveryCategory() {
        #expect(Set(TrayWords.english.categories.keys) == Set(TrayWords.korean.categories.keys))
        for category in Categories.names {
            #expect(TrayWords.english.categories[category] != nil, "\(category)")
        }
    }

    @Test func theListHasAnEnd() {
        func rows(_ count: Int64) -> [String] {
            let limits = (1...count).map {
                Self.limit(EventDefinition(applications: ["app\($0)"]), minutes: $0)
            }
            return Self.face(Self.time(limits)).rows
        }
        #expect(rows(8).count == 8 && rows(8).last == "app8: 8 min left")
        #expect(rows(9).count == 8 && rows(9).last == "2 more limits")
    }

    @Test func namesAreShownLiterally() {
        let hostile = [
            "\u{202E}evil\u{202C}": "evil", "two\nlines": "two lines", "\u{200B}\u{2066}": nil,
            "a\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}": "a\u{0301}\u{0301}\u{0301}\u{0301}",
            "<b>&amp;_x": "<b>&amp;_x", "안녕 👨‍👩‍👧": "안녕 👨‍👩‍👧",
        ]
        for (name, plain) in hostile { #expect(TrayText.plain(name) == plain, "\(name.debugDescription)") }
        let long = String(repeating: "가", count: 3_334)
        #expect((TrayText.plain(long)?.utf8.count ?? 0) <= TrayText.nameBytesMax)
        #expect(TrayText.plain(long)?.hasSuffix("…") == true)
        #expect(TrayText.label("my_game__x") == "my__game____x")
        #expect(TrayText.tooltip("<b>R&D</b>") == "‹b›R＆D‹/b›")
        let use = TimeLeft.Use(app: "chess", name: "\u{200B}", category: nil)
        #expect(Self.face(Self.time([Self.limit(minutes: 9)], use)).title == "9 min left: Unknown app")
    }
}
