import Bus
import Contract
import Loop

/// A cover that stands now.
@LoopActor final class StandingCover {
    var about: CoveredWindow
    let view: any CoverView
    /// As the placement says.
    var isVisible: Bool
    var hasFrame = false
    /// Requests that wait for the first frame.
    var waiting: [@LoopActor (Bool) -> Void] = []
    var overdue: TimerToken?
    var isPressing = false
    var acting: TimerToken?
    /// Logged reasons, so that they are not logged again with each look.
    var logged: Set<String> = []

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
        answer(false)
        if let acting { EventLoop.main.cancel(acting) }
    }
}
