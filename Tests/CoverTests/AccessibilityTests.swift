import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Time
import Units

@testable import CoverCore

private let isReaderHere =
    isX11Here && FileManager.default.fileExists(atPath: CoverStage.accessibilityLauncher)

/// What a screen reader finds, over the real bus of AT-SPI.
@Suite(.serialized, .enabled(if: isReaderHere, "at-spi2-core or the X11 programs are not installed"))
@LoopActor struct AccessibilityTests {
    /// Prints role and name of everything that is shown.
    private static let reader = """
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
        def walk(node):
            name = node.get_name() or ""
            print(node.get_role_name() + "|" + name)
            if node.get_state_set().contains(Atspi.StateType.FOCUSED): print("focus|" + name)
            for index in range(node.get_child_count()):
                child = node.get_child_at_index(index)
                if child: walk(child)
        Atspi.init()
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(index)
            if app and "hield" in (app.get_name() or ""): walk(app)
        """

    private func names(_ stage: CoverStage) async throws -> [String] {
        let (status, output) = try await stage.world.run(
            "reader", ["/usr/bin/python3", "-c", Self.reader])
        guard status == 0 else { throw Overdue(stage.world.errors(of: "reader")) }
        return output
    }

    /// - Parameter expected: names, or `role|name`. GTK leaves out what is hidden.
    /// Asks until everything is there: GTK reports to the bus when it is idle.
    private func until(_ stage: CoverStage, _ expected: [String]) async throws {
        let end = MonotonicClock.now + 180_000
        var found: [String] = []
        repeat {
            found = try await names(stage)
            if expected.allSatisfy({ isThere($0, found) }) { return }
        } while MonotonicClock.now < end
        Issue.record("missing: \(expected.filter { !isThere($0, found) }) in \(found)")
    }

    private func isThere(_ wanted: String, _ found: [String]) -> Bool {
        found.contains { $0 == wanted || $0.hasSuffix("|" + wanted) }
    }

    @Test(arguments: ["en_US.UTF-8", "ko_KR.UTF-8"]) func everythingHasAName(
        _ language: String
    ) async throws {
        let environment = ["LANG": language, "LC_ALL": language]
        try await CoverStage.with(environment: environment, isAccessible: true) { stage in
            let words = Words.chosen(by: environment)
            let window = try await stage.openPlain(width: 640, height: 480)
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            let cover = try await stage.cover(window, category: "games").id
            try await stage.until("the requests") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await until(
                stage,
                [
                    "dialog|" + words.announcement("Marble Game"), "push button|" + words.primary,
                    "push button|" + words.ask.ask,
                ])
            try await stage.until("the focus") { stage.active == cover }
            try await stage.awaitButtons()
            try await stage.xdotool("key", "Tab", "Return")
            let lengths = AskWords.lengths.map { "push button|" + words.ask.length($0) }
            let subjects = AskSubject.all(
                of: CoveredWindow(window: 1, app: "alpha", subject: "alpha", category: "games"))
            try await until(
                stage,
                lengths + ["push button|" + words.ask.minute, "push button|" + words.ask.back]
                    + subjects.map { "radio button|" + words.ask.subject($0) }
                    + [words.ask.reason])
        }
    }

    /// The buttons are others than before: the next key presses none of them.
    @Test func whoAskedHearsWhatBecameOfIt() async throws {
        try await CoverStage.with(environment: ["LANG": "en_US.UTF-8"], isAccessible: true) { stage in
            let words = Words.english
            let window = try await stage.openPlain(width: 640, height: 480)
            stage.activate(window)
            let cover = try await stage.cover(window).id
            try await stage.until("the requests") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await stage.until("the focus") { stage.active == cover }
            try await stage.awaitButtons()
            try await until(stage, ["focus|" + words.primary])
            try await stage.turn("Tab", "Return")
            try await until(stage, ["focus|" + words.ask.reason])
            try await stage.turn("Escape")
            try await until(stage, ["focus|" + words.ask.ask])
            try await stage.turn("Return")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            let end = MonotonicClock.now + 180_000
            var said: String?
            repeat {
                said = try await names(stage).first { $0.hasPrefix("focus|Asked at ") }
            } while said == nil && MonotonicClock.now < end
            #expect(said?.contains("for 15 minutes") == true)
        }
    }

    @Test func aWarningIsAnnounced() async throws {
        try await CoverStage.with(isAccessible: true) { stage in
            _ = try await stage.call(
                WarningShow.self,
                WarningShow.Params(key: "k", title: "Games end", secondsLeft: 300, counting: false))
            try await until(stage, ["Games end 5 minutes left", "push button|Dismiss"])
        }
    }
}
