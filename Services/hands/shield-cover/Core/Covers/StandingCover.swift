import Bus
import Contract
import Loop

/// A cover that stands now.
@LoopActor final class StandingCover {
    var about: CoveredWindow
    /// Another one after another program destroyed its window.
    var view: any CoverView { didSet { content = nil } }
    /// What the view shows; nil: nothing yet.
    var content: CoverContent?
    /// Counts what the cover has been about, and whether it stands: an answer to what was pressed under an
    /// earlier number is for nobody.
    var generation = 0
    /// Why the last wish for more time was not done.
    var askProblem: AskProblem?
    /// Replacements of its window, and what forgets them.
    var replaced = 0
    var forgetting: TimerToken?
    var replacing: TimerToken?
    /// As the placement says.
    var isVisible: Bool
    var hasFrame = false
    /// Requests that wait for the first frame.
    var waiting: [@LoopActor (Bool) -> Void] = []
    var overdue: TimerToken?
    var isPressing = false
    var acting: TimerToken?

    init(_ about: CoveredWindow, _ view: any CoverView, isVisible: Bool) {
        self.about = about
        self.view = view
        self.isVisible = isVisible
    }

    /// Answers everything that waits for the first frame.
    func answer(_ isVisible: Bool) {
        if let overdue { EventLoop.main.cancel(overdue) }
        overdue = nil
        let ready = waiting
        waiting = []
        for one in ready { one(isVisible) }
    }

    func end() {
        generation += 1
        answer(false)
        for timer in [acting, forgetting, replacing].compactMap(\.self) { EventLoop.main.cancel(timer) }
    }
}
