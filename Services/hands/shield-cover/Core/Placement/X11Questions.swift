import Contract
import Loop
import Units

/// A question of an app that is being closed, as its covers lead to it.
@LoopActor final class AskedQuestion {
    let window: UInt32
    /// Whether the person was not led to it yet.
    var mustLead = true
    /// Whether the focus that it took was given back once. After that the person may want it so.
    var hasReturned = false
    /// Whether the person is led to it as soon as the cover is not in use.
    var isTurning = false
    /// Until when it may get the focus only because it was raised, on the monotonic clock.
    var raisedUntil: Milliseconds = 0
    /// The window that had the focus then.
    var raisedFrom: UInt32 = 0
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
        case cover.id: comeToQuestion(from: cover)
        default: raise(question, above: cover)
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

    /// The cover has the focus. Leads whoever comes there to the question, once: now, or when the cover is
    /// not in use any more.
    func comeToQuestion(from cover: PlacedCover) {
        guard let question = cover.question else { return }
        guard question.mustLead else { return raise(question, above: cover) }
        guard cover.surface.isInUse else { return turn(to: question) }
        raise(question, above: cover)
        turnLater(to: question)
    }

    private func turnLater(to question: AskedQuestion) {
        guard !question.isTurning else { return }
        question.isTurning = true
        EventLoop.main.after(CoverLimits.keyQuiet) { [weak self, weak question] in
            guard let self, let question else { return }
            question.isTurning = false
            guard let cover = cover(activeWindow), cover.question === question else { return }
            if cover.surface.isInUse { turnLater(to: question) } else { turn(to: question) }
        }
    }

    /// Window managers raise what is clicked: the cover would hide the question. The focus stays: what is
    /// typed on the cover, or elsewhere, must not press the question's buttons.
    private func raise(_ question: AskedQuestion, above cover: PlacedCover) {
        // xfwm4 gives the focus to what is raised.
        if activeWindow != question.window, EventLoop.main.now >= question.turnedUntil {
            question.raisedUntil = EventLoop.main.now + CoverLimits.settling
            question.raisedFrom = activeWindow
        }
        display.askToRaise(question.window, above: cover.id)
    }

    /// The question has the focus. Gives it back if it got it by being raised, and once if it took it from
    /// somebody who writes on a cover.
    func keepFocus(from question: AskedQuestion) {
        let now = EventLoop.main.now, cover = cover(previousWindow)
        let isRaised = now < question.raisedUntil && previousWindow == question.raisedFrom
        let isTaken = cover?.surface.isInUse == true && cover?.question === question && !question.hasReturned
        guard previousWindow != 0, now >= question.turnedUntil, isRaised || isTaken else {
            return question.mustLead = false
        }
        question.raisedUntil = 0
        guard let cover else { return giveBackFocus(to: previousWindow) }
        if !isRaised {
            question.hasReturned = true
            turnLater(to: question)
        }
        cover.surface.expectFocus()
        display.focus(cover.id)
    }

    /// The cover whose own window it is.
    func cover(_ id: UInt32) -> PlacedCover? { covers.values.first { $0.id == id } }

    func question(_ window: UInt32) -> AskedQuestion? {
        covers.values.first { $0.question?.window == window }?.question
    }
}
