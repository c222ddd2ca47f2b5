import CGtk4
import Glibc
import Loop
import Testing

@testable import CoverCore

/// The person is led to a question by what was pressed, also by what this process has not read yet.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct UnreadInputTests {
    @Test(arguments: CoverStage.managers)
    func nobodyIsLedToAQuestionBeforeTheirKeysAreRead(_ manager: String) async throws {
        try await withQuestion(manager) { stage, placement, surface, question in
            let (window, cover) = try #require(placement.covers.first.map { ($0.key, $0.value.id) })
            surface.inputIsUnread = true
            placement.lead(from: window, to: question)
            try await stage.awaitManager()
            #expect(stage.active == cover && surface.isWaited)
            surface.isInUse = true
            surface.readInput()
            try await stage.awaitManager()
            #expect(stage.active == cover)
            surface.isInUse = false
            try await stage.until("the person is led there") { stage.active == question }
        }
    }

    @Test(arguments: CoverStage.managers)
    func aQuestionKeepsNoFocusBeforeTheKeysAreRead(_ manager: String) async throws {
        try await withQuestion(manager) { stage, placement, surface, question in
            let (window, cover) = try #require(placement.covers.first.map { ($0.key, $0.value.id) })
            surface.isInUse = true
            placement.lead(from: window, to: question)
            (surface.isInUse, surface.inputIsUnread) = (false, true)
            stage.activate(question)
            try await stage.until("the question has the focus") {
                placement.activeWindow == question && surface.isWaited
            }
            (surface.isInUse, surface.isTyping) = (true, true)
            surface.readInput()
            try await stage.until("the cover has it again") { stage.active == cover }
        }
    }

    /// - Parameter body: gets a cover that has the focus, and another window of its app.
    private func withQuestion(
        _ manager: String,
        _ body: @LoopActor (CoverStage, X11Placement, PlainSurface, UInt32) async throws -> Void
    ) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let question = try await stage.openTerminal("Question", at: "30x5+560+420")
            let window = try await stage.openTerminal("Alpha")
            stage.activate(window)
            let placement = try X11Placement(display: stage.world.environment["DISPLAY"] ?? "")
            defer { placement.close() }
            let surface = PlainSurface(stage)
            #expect(placement.show(surface, over: window) == true)
            let cover = try #require(placement.covers[window]?.id)
            try await stage.until("the focus on the cover") {
                stage.active == cover && placement.activeWindow == cover && !placement.order.isRestoring
            }
            try await body(stage, placement, surface, question)
        }
    }
}
