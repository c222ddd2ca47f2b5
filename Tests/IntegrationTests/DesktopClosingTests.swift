import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import Time

/// desktop-agent as a real process: how a shielded app is closed, without anything lost that could be saved.
@Suite("desktop agent: closing", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopClosingTests {
    /// A dialog is a question, which the person may answer. Anything else is a window as before. Toolkits
    /// give dialogs classes of their own (Tk: Toplevel), which no desktop entry has.
    @Test(arguments: ["AlphaApp", "Toplevel"])
    func onlyADialogIsAQuestionOfAnAppThatIsClosed(_ kind: String) async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"],
                asked: ["\(kind):200x100+100+100:dialog", "AlphaApp:400x300+500+300"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.eventually("the cover has the focus") {
                try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines != ["\(windows[0])"]
            }
            try await world.pressCover()
            let opened = try await process.wait(for: "a dialog and a window") { process in
                process.lines.count == 3 ? process.lines.compactMap { Int64($0) } : nil
            }
            try await world.eventually("the window is covered, and the dialog is not") {
                Set(try await world.covers().map(\.window)) == [opened[0], opened[2]]
            }
            #expect(world.state(process) != "T")
            let sentence = "alpha is shielded and runs: it is being closed, and asks something"
            try await world.agentIsDegraded(by: [sentence])
        }
    }

    /// Any program may say that its window belongs to another one.
    @Test func aQuestionOfAnAppThatIsShieldedSinceIsCovered() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"], asked: ["AlphaApp:200x100+100+100:dialog"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.pressCover()
            _ = try await process.wait(for: "a dialog") { $0.lines.count == 2 ? true : nil }
            try await world.eventually("it is a question") {
                try await world.covers().first?.closing == .asking
            }
            let (other, guest) = try await world.openWindows(
                ["BetaApp:300x200+600+50:for\(windows[0])"], name: "guest")
            try await world.eventually("it is one, too") {
                try await world.covers().first?.question == other[0]
            }
            try await world.shield(["alpha", "beta"])
            try await world.eventually("it is covered, and stands still") {
                guard try await world.covers().map(\.window).contains(other[0]) else { return false }
                return world.state(guest) == "T"
            }
        }
    }

    /// As above, and nobody knows yet whether it is shielded.
    @Test func aQuestionOfAnAppThatWasNotJudgedIsCoveredIfItIsShielded() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"], asked: ["AlphaApp:200x100+100+100:dialog"])
            try await world.agentFollowsShields()
            let all = Setting(key: "shield.applicationCategories", value: ["policy": "all"])
            _ = try await world.call(
                SettingsWrite.self, SettingsWrite.Params(store: "test", settings: [all]))
            _ = try await DesktopShieldTests.frozen(world)
            try await world.pressCover()
            let question = try await process.wait(for: "a dialog") { process in
                process.lines.count == 2 ? Int64(process.lines[1]) : nil
            }
            try await world.eventually("it is a question") {
                try await world.covers().first?.question == question
            }
            // A program that nobody has seen before.
            let program = world.directory + "/unknown"
            let python = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path
            try FileManager.default.copyItem(atPath: python, toPath: program)
            let (other, guest) = try await world.openWindows(
                ["Unknown:300x200+600+50:for\(windows[0])"],
                through: ["sh", "-c", "shift; exec '\(program)' \"$@\"", "sh"], name: "guest")
            try await world.eventually("it is covered, and stands still") {
                let covered = try await world.covers().map(\.window)
                return covered.contains(other[0]) && world.state(guest) == "T"
            }
            #expect(try await !world.covers().map(\.window).contains(question))
        }
    }

    /// Some programs say it when their window is there already.
    @Test func aWindowThatBecomesADialogIsAQuestion() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (_, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"], asked: ["AlphaApp:200x100+500+300"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.pressCover()
            let opened = try await process.wait(for: "a window") { process in
                process.lines.count == 2 ? process.lines.compactMap { Int64($0) } : nil
            }
            try await world.eventually("it is covered") {
                Set(try await world.covers().map(\.window)) == Set(opened)
            }
            let type = "_NET_WM_WINDOW_TYPE"
            _ = try await world.run(
                "xprop", ["xprop", "-id", "\(opened[1])", "-f", type, "32a", "-set", type, type + "_DIALOG"])
            try await world.eventually("it is not") {
                try await world.covers().map(\.window) == [opened[0]]
            }
        }
    }

    /// As a document that was about to be saved. Asking the dialog would answer it, and the window behind it
    /// does not close. An agent that was started since knows nothing of the closing.
    @Test func anOpenDialogIsAQuestionWhoeverIsAsked() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50", "AlphaApp:250x220+100+100:dialog"],
                asked: ["AlphaApp:300x200+600+300"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            for round in 1...2 {
                _ = try await DesktopShieldTests.frozen(world)
                try await world.eventually("both are covered") {
                    Set(try await world.covers().map(\.window)).isSuperset(of: windows)
                }
                try await world.pressCover()
                _ = try await process.wait(for: "one more window") { $0.lines.count > round + 1 ? true : nil }
                try await world.eventually("the dialog is not covered") {
                    try await !world.covers().map(\.window).contains(windows[1])
                }
                #expect(world.state(process) != "T")
                guard round == 1 else { continue }
                #expect(process.lines.count == 3, "one window was asked")
                try await world.process("desktop-agent").destroy()
                try await world.start("desktop-agent")
            }
        }
    }

    /// It may ask something in its window. Only who has read that, and closes it again, ends it.
    @Test func anAppThatDoesNotCloseStandsStillAgain() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"], asked: ["AlphaApp:300x200+600+300"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.pressCover()
            _ = try await process.wait(for: "it was asked") { $0.lines.count == 2 ? true : nil }
            try await world.eventually("its covers say that it stayed") {
                let covers = try await world.covers()
                return covers.count == 2 && covers.allSatisfy { $0.closing == .stayed }
            }
            try await world.eventually("it stands still again") { world.state(process) == "T" }
            let span = try await world.agentSpan("close") { $0.name == "close" }
            #expect(span.outcome == "stayed" && windows.count == 1)
            try await world.pressCover()
            #expect(try await process.exit() == 128 + SIGTERM)
            _ = try await world.agentSpan("its end") { $0.name == "close" && $0.outcome == "terminated" }
        }
    }

    /// Nobody has asked the new one to close. It gets the ids of the old one's windows, and who covers them
    /// may learn of both at once.
    @Test func whatAnAppSaidIsForgottenWithItsProcesses() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (first, process) = try await world.openWindows(["AlphaApp:400x300+50+50"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.pressCover()
            try await world.eventually("its cover says that it stayed") {
                try await world.covers().map(\.closing) == [.stayed]
            }
            let others = [try #require(world.coverPid), try world.process("desktop-agent").pid]
            for other in others { kill(other, SIGSTOP) }
            try await process.destroy()
            let (windows, again) = try await world.openWindows(["AlphaApp:400x300+50+50"], name: "again")
            #expect(windows == first)
            for other in others { kill(other, SIGCONT) }
            try await world.eventually("its cover says nothing of it") {
                try await world.covers().map { [$0.window: $0.closing] } == [[windows[0]: nil]]
            }
            try await world.pressCover()
            try await world.eventually("it is asked, and stays") {
                try await world.covers().map(\.closing) == [.stayed]
            }
            #expect(world.state(again) != "Z")
        }
    }

    /// Window managers raise what is clicked, and the cover is larger than the dialog.
    @Test func whoeverClicksOnTheCoverIsLedToTheQuestion() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"], asked: ["AlphaApp:160x100+200+150:dialog"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.pressCover()
            let dialog = try await process.wait(for: "a dialog") { $0.lines.count == 2 ? $0.lines[1] : nil }
            try await world.eventually("the cover tells") {
                try await world.covers().first.map { ($0.closing, $0.question) }.map {
                    $0 == (.asking, Int64(dialog))
                } ?? false
            }
            try await world.awaitCoverButtons()
            let (x, y) = try await world.centre(of: dialog)
            let top = try await world.windowAt(x, y)
            let (left, bottom) = try await world.corner(of: "\(windows[0])")
            let cover = try await world.windowAt(left, bottom)
            let outside = try await world.windowAt(999, 699)
            #expect(cover != top && cover != outside, "on the cover, beside the dialog")
            try await world.xdotool("mousemove", "\(left)", "\(bottom)", "click", "1")
            try await world.eventually("the dialog is above, and has the focus") {
                let active = try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines
                guard active == [dialog] else { return false }
                return try await world.windowAt(x, y) == top
            }
        }
    }
}

extension World {
    private func place(of window: String) async throws -> [String: Int] {
        let lines = try await run("xdotool", ["xdotool", "getwindowgeometry", "--shell", window]).lines
        let pairs = lines.map { $0.split(separator: "=") }.filter { $0.count == 2 }
        return Dictionary(pairs.map { (String($0[0]), Int($0[1]) ?? 0) }) { first, _ in first }
    }

    fileprivate func centre(of window: String) async throws -> (Int, Int) {
        let place = try await place(of: window)
        return ((place["X"] ?? 0) + (place["WIDTH"] ?? 0) / 2, (place["Y"] ?? 0) + (place["HEIGHT"] ?? 0) / 2)
    }

    /// A place in its lower left corner; xdotool counts the frame twice.
    fileprivate func corner(of window: String) async throws -> (Int, Int) {
        let place = try await place(of: window)
        return ((place["X"] ?? 0) + 10, (place["Y"] ?? 0) + (place["HEIGHT"] ?? 0) - 60)
    }
}
