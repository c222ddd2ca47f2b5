import Contract
import Loop
import Units

/// A question of an app that is being closed, as its covers lead to it.
@LoopActor final class AskedQuestion {
    let window: UInt32
    /// Whether the person was not led to it yet.
    var mustLead = true
    /// Whether the focus that it took was given back once. After that the person may want it so, unless keys
    /// come.
    var hasReturned = false
    /// Whether the cover was not seen active since: a question that takes the focus again before that was
    /// read seems to have kept it.
    var isReturning = false
    /// Whether the person is led to it as soon as the cover is not in use.
    var isTurning = false
    /// Until when it may get the focus because the person turned to it.
    var turnedUntil: Milliseconds = 0

    init(_ window: UInt32) { self.window = window }
}

/// The focus between covers and the questions of their apps.
extension X11Placement {
    func lead(from window: UInt32, to id: UInt32?) {
        guard let cover = covers[window], cover.question?.window != id else { return }
        // What the server told meanwhile is not read yet.
        activeChanged()
        cover.question = id.map { question($0) ?? AskedQuestion($0) }
        guard let question = cover.question else { return }
        defer {
            display.flush()
            drainSoon()
        }
        switch activeWindow {
        // The manager may have given it the focus before the agent knew that it is a question.
        case question.window: keepFocus(from: question)
        case cover.id: turnWhenUnused(cover, to: question)
        default: break
        }
    }

    /// While the order of windows is put back, the focus comes and goes with it.
    private func turnWhenUnused(_ cover: PlacedCover, to question: AskedQuestion) {
        cover.surface.afterInput { [weak self, weak question] in
            guard let self, let question, let cover = self.cover(activeWindow), cover.question === question
            else { return }
            let mustWait = cover.surface.isInUse || order.isRestoring
            if mustWait { turnLater(to: question) } else { turn(to: question) }
        }
    }

    func turn(from window: UInt32) {
        guard let question = covers[window]?.question else { return }
        turn(to: question)
    }

    private func turn(to question: AskedQuestion) {
        question.mustLead = false
        question.turnedUntil = EventLoop.main.now + CoverLimits.settling
        display.tellManager(
            Property.active, about: question.window, [Source.pager, serverTime, activeWindow])
        display.flush()
    }

    /// The cover got the focus. Leads whoever came there to the question, once, when the cover is not in use:
    /// a click that brought the focus may open a page, and keys may go on that were pressed elsewhere.
    /// Until then the question is not raised either: xfwm4 gives the focus to what is raised, and what is
    /// typed on the cover would press the question's buttons.
    func comeToQuestion(from cover: PlacedCover) {
        if let question = cover.question, question.mustLead { turnLater(to: question) }
    }

    private func turnLater(to question: AskedQuestion) {
        guard !question.isTurning else { return }
        question.isTurning = true
        EventLoop.main.after(CoverLimits.keyQuiet) { [weak self, weak question] in
            guard let self, let question else { return }
            question.isTurning = false
            guard let cover = cover(activeWindow), cover.question === question else { return }
            turnWhenUnused(cover, to: question)
        }
    }

    /// The question has the focus. Gives it back if it took it from somebody who types on a cover, and once
    /// from somebody who uses it otherwise.
    func keepFocus(from question: AskedQuestion) {
        // A covered window that gets the focus does not keep it: its cover had it, or was to get it.
        let cover = cover(previousWindow) ?? covers[previousWindow]
        guard let cover, cover.question === question, EventLoop.main.now >= question.turnedUntil else {
            return letKeepFocus(question)
        }
        let time = serverTime
        cover.surface.afterInput { [weak self, weak cover, weak question] in
            guard let self, let cover, let question, activeWindow == question.window else { return }
            let isUsed = cover.surface.wasTyping(at: time) || cover.surface.isInUse && !question.hasReturned
            if isUsed { returnFocus(from: question, to: cover) } else { letKeepFocus(question) }
        }
    }

    private func letKeepFocus(_ question: AskedQuestion) {
        if !order.isRestoring { question.mustLead = false }
    }

    private func returnFocus(from question: AskedQuestion, to cover: PlacedCover) {
        question.hasReturned = true
        question.isReturning = true
        turnLater(to: question)
        cover.surface.expectFocus()
        moveFocus(from: question.window, to: cover.id)
    }

    /// The cover whose own window it is.
    func cover(_ id: UInt32) -> PlacedCover? { covers.values.first { $0.id == id } }

    func question(_ window: UInt32) -> AskedQuestion? {
        covers.values.first { $0.question?.window == window }?.question
    }
}
