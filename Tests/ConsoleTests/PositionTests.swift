import Contract
import Loop
import Testing

@testable import ConsoleCore

/// Small rules of the console.
@Suite @LoopActor struct PositionTests {
    @Test func aPositionIsReadAsItIsWritten() throws {
        var positions = EventPositions()
        #expect(positions.text == "-~-~-~-~-~-")
        positions[.auth] = .init(sequence: 7, run: "abc")
        positions[.monitor] = .init(sequence: 0, run: "")
        #expect(positions.text == "7.abc~-~-~-~-~0.")
        #expect(EventPositions(positions.text) == positions)
        let wrong = [
            "", "-", "1.a~2.b~3.c~4.d~5.e", "1.a~2.b~3.c~4.d~5.e~6.f~7.g", "a.a~-~-~-~-~-", "-1.a~-~-~-~-~-",
            "1~-~-~-~-~-",
            "1.a.b~-~-~-~-~-", "1.\(String(repeating: "a", count: 600))~-~-~-~-~-",
            "99999999999999999999.a~-~-~-~-~-",
        ]
        for text in wrong { #expect(EventPositions(text) == nil, "\(text)") }
    }

    @Test(arguments: [
        ("/index.html", 1), ("/app/main.js", 2), ("/app/pages/today.js", 3), ("/style/a-b_c.css", 2),
        ("/favicon.svg", 1),
        ("/manifest.webmanifest", 1),
    ])
    func filesOfPagesAreFound(path: String, count: Int) {
        #expect(PageFiles.parts(path)?.count == count)
    }

    @Test(arguments: [
        "", "/", "app/main.js", "/app", "/app/", "//app/main.js", "/app//main.js", "/app/../main.js",
        "/app/./main.js",
        "/app/.main.js", "/app/ma in.js", "/app/ma\\in.js", "/app/한.js", "/app/e\u{301}.js", "/main.js",
        "/Web/main.js",
        "/app/a/b/c/d/e/f.js", "/app/\u{0}.js",
    ])
    func otherPathsAreNone(path: String) { #expect(PageFiles.parts(path) == nil) }

    @Test func aMethodIsAskedOfItsOwner() throws {
        #expect(try Addressee.of(ReportQuery.self, named: nil) == "report-service")
        #expect(try Addressee.of(ReportQuery.self, named: "report-service") == "report-service")
        #expect(try Addressee.of(HealthCheck.self, named: "desktop-agent") == "desktop-agent")
        #expect(try Addressee.of(EnforcementCheck.self, named: nil) == "desktop-agent")
        for (method, name) in [
            (ReportQuery.self, "notifier"), (HealthCheck.self, nil), (HealthCheck.self, "nobody"),
            (ClockStatus.self, "desktop-agent"),
        ] as [(any Call.Type, String?)] {
            #expect(throws: ServiceError.self) { try Addressee.of(method, named: name) }
        }
    }

    @Test(arguments: [
        (["LANG": "ko_KR.UTF-8"], "ko-KR"), (["LANG": "en_US.UTF-8", "LANGUAGE": "ko:en"], "ko"),
        (["LANG": "C.UTF-8"], nil),
        (["LC_ALL": "POSIX", "LANG": "ko_KR"], nil), ([:], nil), (["LANG": "de_DE@euro"], "de-DE"),
        (["LANG": "<script>"], nil),
        (["LANG": "", "LC_MESSAGES": "fr_FR"], "fr-FR"), (["LC_ALL": "C", "LANGUAGE": "ko"], nil),
    ])
    func theLanguageIsThatOfTheSession(environment: [String: String], tag: String?) {
        #expect(Persons.locale(environment) == tag)
    }

    @Test(arguments: [
        (["LANG": "ko_KR.UTF-8"], "KR"), (["LANG": "en_US.UTF-8", "LC_TIME": "en_GB.UTF-8"], "GB"),
        (["LC_TIME": "en_GB", "LC_ALL": "de_AT@euro"], "AT"), (["LANG": "en_US", "LC_TIME": "C.UTF-8"], nil),
        (["LANG": "en_US", "LC_TIME": ""], "US"), (["LANG": "eo"], nil), ([:], nil),
        (["LANG": "en_<b>"], nil), (["LANG": "sr_RS@latin", "LANGUAGE": "ko"], "RS"),
    ])
    func theRegionIsThatOfTimes(environment: [String: String], region: String?) {
        #expect(Persons.region(environment) == region)
    }

    @Test func aPictureIsToldByItsContent() {
        let svg = "<?xml version=\"1.0\"?>\n<!-- a drawing -->\n<svg xmlns='http://www.w3.org/2000/svg'/>"
        #expect(IconFinder.checked(Array(svg.utf8))?.isDrawing == true)
        #expect(IconFinder.checked([0xEF, 0xBB, 0xBF] + Array(svg.utf8))?.isDrawing == true)
        #expect(IconFinder.checked([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])?.isDrawing == false)
        for text in ["", "root:x:0:0", "<html><body/></html>", "x<svg/>", "PNG"] {
            #expect(IconFinder.checked(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
