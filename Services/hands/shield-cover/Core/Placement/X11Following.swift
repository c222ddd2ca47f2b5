import CXcb
import Loop

/// What window managers do for transient windows, where one does not.
extension X11Placement {
    func follow(_ cover: PlacedCover, over window: UInt32, _ now: Situation) {
        if let desktop = now.desktop, let own = now.coverDesktop, desktop != own, cover.desktop != desktop {
            cover.desktop = desktop
            display.tellManager(Property.desktop, about: cover.id, [desktop, Source.pager])
        }
        followIcon(cover, over: window, now)
    }

    /// Compares both windows each time: the manager may still carry out an earlier request, so that what was
    /// asked for last does not say what the cover becomes.
    private func followIcon(_ cover: PlacedCover, over window: UInt32, _ now: Situation) {
        guard let target = now.state, let state = now.coverState, target != state else {
            if now.state == now.coverState { cover.iconRequests = 0 }
            return cover.minimising = nil
        }
        guard cover.iconRequests < CoverLimits.attemptsMax else { return }
        switch (target, state) {
        case (WindowState.iconic, WindowState.normal): minimiseSoon(cover, over: window)
        case (WindowState.normal, WindowState.iconic):
            cover.minimising = nil
            cover.iconRequests += 1
            xcb_map_window(display.raw, cover.id)
        default: break
        }
    }

    /// A manager that minimises both windows itself is at it. It would do what is asked of it for the cover
    /// after that, perhaps when somebody has restored the window, and openbox minimises a transient window
    /// together with its parent: so the cover is minimised only when it stayed behind.
    private func minimiseSoon(_ cover: PlacedCover, over window: UInt32) {
        guard let begin = cover.minimising else {
            cover.minimising = EventLoop.main.now
            EventLoop.main.after(CoverLimits.minimised) { [weak self] in
                self?.refresh([window])
                self?.drainSoon()
            }
            return
        }
        guard EventLoop.main.now - begin >= CoverLimits.minimised else { return }
        cover.minimising = nil
        cover.iconRequests += 1
        display.tellManager(Property.changeState, about: cover.id, [WindowState.iconic])
    }
}
