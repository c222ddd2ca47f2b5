/// The focus between windows and their covers.
extension X11Placement {
    /// The target of a cover became active: its cover takes the focus instead.
    func activeChanged() {
        let active = display.numbers(Property.active, of: display.root).first ?? 0
        let isSame = active == activeWindow
        if !isSame, activeWindow != 0 { previousWindow = activeWindow }
        activeWindow = active
        if !isSame, leaveDialog() { return }
        if let cover = cover(active) {
            cover.activations = 0
            cover.question?.isReturning = false
            comeToQuestion(from: cover)
        } else if let question = question(active), !isSame || question.isReturning {
            keepFocus(from: question)
        }
        takeFocus()
    }

    func takeFocus() {
        guard let cover = covers[activeWindow], cover.isShown,
            cover.activations < CoverLimits.attemptsMax
        else { return }
        cover.activations += 1
        cover.isTaken = true
        // Not by the manager: the target may have the focus without being on top.
        moveFocus(from: activeWindow, to: cover.id)
    }

    /// To the window that had it before a cover was shown, or its cover.
    func giveBackFocus(to window: UInt32) {
        if let cover = covers[window] {
            moveFocus(from: activeWindow, to: cover.id)
        } else if window != 0 {
            giveFocus(to: window, from: activeWindow)
        }
    }

    /// To a window of another program, without raising it if that can be.
    func giveFocus(to window: UInt32, from holder: UInt32) {
        let hints = display.numbers(Property.hints, of: window, max: 2)
        // Programs that choose among their windows themselves say so; the manager knows how to ask them.
        guard hints.count == 2, hints[0] & 1 != 0, hints[1] == 0 else {
            return moveFocus(from: holder, to: window)
        }
        display.tellManager(Property.active, about: window, [Source.pager, serverTime, activeWindow])
    }

    /// Sets the focus at the time of the event that it is an answer to: with a later time, the server would
    /// ignore the manager when it activates what the person chose meanwhile (ICCCM 4.1.7). xfwm4 sets the
    /// focus again after it has told which window is active, so that this time may be too early: then
    /// once more, if the holder has it still.
    /// - Parameter holder: which window has it, or a window around that; 0: none.
    func moveFocus(from holder: UInt32, to window: UInt32) {
        display.focus(window, at: serverTime)
        let focused = display.focused
        guard focused != window, !display.isWindow(focused, in: window),
            holder == 0 || focused <= XDisplay.pointerRoot || display.isWindow(focused, in: holder)
        else { return }
        display.focus(window, at: 0)
    }
}
