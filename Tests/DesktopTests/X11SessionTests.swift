import Glibc
import Loop
import ServiceKit
import Testing

@testable import DesktopCore

@Suite struct X11SessionTests {
    @Test func aMissingDisplayIsNamed() {
        #expect(throws: DisplayError.notNamed) { try X11Session(display: nil) }
        #expect(throws: DisplayError.notNamed) { try X11Session(display: "") }
        #expect(throws: DisplayError.notAnswering(display: ":64000", code: 1)) {
            try X11Session(display: ":64000")
        }
    }

    @Test func focusFollowsFiftySwitchesInOrder() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        #expect(watch.drain() == [.focus(nil)])
        let windows = try ["AlphaTerm", "BetaTerm", "GammaTerm"].map {
            try desktop.openTerminal($0, watchedBy: watch).window
        }
        let pager = try #require(OtherClient(desktop.display))
        pager.activate(windows[0].id)
        try watch.awaitFocus(on: windows[0].id)
        var seen: [String?] = [], wanted: [String?] = [], latencies: [Double] = []
        for step in 1...50 {
            let next = windows[step % 3 == 0 ? 0 : step % 3]
            let start = now_ms()
            pager.activate(next.id)
            // The window manager may briefly report that no window is active.
            try seen.append(watch.awaitEvent("switch \(step)") { event -> String?? in
                if case .focus(let window?) = event { .some(window.windowClass) } else { nil }
            })
            latencies.append(now_ms() - start)
            wanted.append(next.windowClass)
        }
        #expect(seen == wanted)
        latencies.sort()
        print("focus, request to event, ms: p50 \(latencies[25]) p95 \(latencies[47]) max \(latencies[49])")
    }

    @Test func theBareDesktopIsARealNone() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let session = watch.session
        let terminal = try desktop.openTerminal("OnlyTerm", watchedBy: watch)
        try watch.awaitFocus(on: terminal.window.id)
        terminal.child.end()
        _ = try watch.awaitEvent("closed") { $0 == .windowClosed(terminal.window.id) ? true : nil }
        if session.focusedWindow != nil {
            _ = try watch.awaitEvent("none") { $0 == .focus(nil) ? true : nil }
        }
        #expect(session.settling == nil && session.focusedWindow == nil)
        #expect(session.windows().isEmpty)
    }

    /// What else happens is told while nobody knows yet whether another window gets the focus. While another
    /// client holds the server, nothing is asked again.
    @Test func nothingWaitsForAFocusOfNone() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop, settling: SettleTimes(none: 600_000))
        let session = watch.session
        let terminal = try desktop.openTerminal("OnlyTerm", watchedBy: watch)
        try watch.awaitFocus(on: terminal.window.id)
        let holder = try #require(OtherClient(desktop.display))
        terminal.child.end()
        _ = try watch.awaitEvent("closed") { $0 == .windowClosed(terminal.window.id) ? true : nil }
        while session.settling == nil { #expect(watch.drain().isEmpty) }
        #expect(session.focusedWindow == terminal.window.id)
        holder.setServerHeld(true)
        #expect(session.drain().isEmpty)
        #expect(session.settling == nil)
        holder.setServerHeld(false)
        while session.settling == nil { #expect(watch.drain().isEmpty) }
        #expect(session.focusedWindow == terminal.window.id)
    }

    /// A window manager that gets no processor between two windows leaves no window active, while the next
    /// one has the input focus already.
    @Test func noneIsBelievedLaterWhileAWindowHasTheInputFocus() throws {
        let desktop = try TestDesktop(managed: false)
        let manager = try #require(OtherClient(desktop.display))
        let (alpha, beta) = manager.manageTwoWindows()
        let watch = try Watch(desktop, settling: SettleTimes(none: 0, noneBesideInput: 600_000))
        try watch.awaitFocus(on: alpha)
        manager.setInputFocus(beta)
        manager.write([0], as: "_NET_ACTIVE_WINDOW")
        while watch.session.settling == nil { #expect(watch.drain().isEmpty) }
        #expect(watch.drain().isEmpty && watch.session.focusedWindow == alpha)
        manager.write([beta], as: "_NET_ACTIVE_WINDOW")
        let next = try watch.awaitEvent("next") { $0 }
        #expect(next == .focus(watch.session.windows().first { $0.id == beta }))
        #expect(watch.session.settling == nil)
    }

    @Test(arguments: [
        (hasInput: false, SettleTimes(none: 0, noneBesideInput: 600_000)),
        (hasInput: true, SettleTimes(none: 0, noneBesideInput: 1)),
    ])
    func noneIsBelievedInTheEnd(_ hasInput: Bool, _ times: SettleTimes) throws {
        let desktop = try TestDesktop(managed: false)
        let manager = try #require(OtherClient(desktop.display))
        let (alpha, beta) = manager.manageTwoWindows()
        let watch = try Watch(desktop, settling: times)
        try watch.awaitFocus(on: alpha)
        manager.setInputFocus(hasInput ? beta : 0)
        manager.write([0], as: "_NET_ACTIVE_WINDOW")
        #expect(try watch.awaitEvent("next") { $0 } == .focus(nil))
        #expect(watch.session.settling == nil)
    }

    @Test func idleAndResumedComeOnceEach() throws {
        let desktop = try TestDesktop(managed: false)
        let watch = try Watch(desktop, idleThreshold: 150)
        let session = watch.session
        var seen: [SessionEvent] = []
        for _ in 1...5 {
            _ = try watch.awaitEvent("idle") { event -> Bool? in
                seen.append(event)
                return event == .idle ? true : nil
            }
            #expect(try #require(session.idleTime()) >= 150)
            try desktop.run("xdotool", "mousemove_relative", "1", "1")
            _ = try watch.awaitEvent("resumed") { event -> Bool? in
                seen.append(event)
                return event == .resumed ? true : nil
            }
        }
        let inOrder = seen.filter { $0 != .focus(nil) }
        #expect(inOrder == (0..<5).flatMap { _ in [SessionEvent.idle, .resumed] })
        // A re-arming loop, or an alarm that fires on its own change, would show here.
        #expect(session.alarmNotifications <= 11)
    }

    @Test func anAgentThatStartsLateKnowsThatNobodyIsThere() throws {
        let desktop = try TestDesktop(managed: false)
        let first = try Watch(desktop, idleThreshold: 100)
        _ = try first.awaitEvent("idle") { $0 == .idle ? true : nil }
        let late = try Watch(desktop, idleThreshold: 50)
        #expect(late.drain() == [.idle, .focus(nil)])
        try desktop.run("xdotool", "mousemove_relative", "1", "1")
        _ = try late.awaitEvent("resumed") { $0 == .resumed ? true : nil }
    }

    @Test func aForgedProcessIdDoesNotFoolUs() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let session = watch.session
        let (window, child) = try desktop.openTerminal("ForgeTerm", watchedBy: watch)
        let name = "_NET_WM_PID"
        try desktop.run("xprop", "-id", "\(window.id)", "-f", name, "32c", "-set", name, "1")
        let again = try #require(session.windows().first { $0.id == window.id })
        #expect(again.pid == child.pid)
        #expect(again.instance == "xterm")
        #expect(session.serverPids() == [desktop.server.pid])
        #expect(session.windowManagerPid() == desktop.manager?.pid)
    }

    @Test func aHeldServerIsNoticedAndSurvived() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let session = watch.session
        let terminal = try desktop.openTerminal("HeldTerm", watchedBy: watch)
        let holder = try #require(OtherClient(desktop.display))
        #expect(session.roundTrip(timeout: 5_000))
        holder.setServerHeld(true)
        #expect(!session.roundTrip(timeout: 50))
        let start = now_ms()
        #expect(session.windows().isEmpty)
        #expect(now_ms() - start < 1_000, "a held server must cost no further waiting")
        holder.setServerHeld(false)
        #expect(session.roundTrip(timeout: 5_000))
        #expect(session.windows().map(\.id) == [terminal.window.id])
    }

    /// While it does not read, what is sent stays in the socket, which takes some seventy requests.
    @Test(.timeLimit(.minutes(2))) func nothingIsSentToAHeldServer() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let session = watch.session
        let terminal = try desktop.openTerminal("HeldTerm", watchedBy: watch)
        let holder = try #require(OtherClient(desktop.display))
        holder.setServerHeld(true)
        for _ in 1...500 {
            #expect(!session.roundTrip(timeout: 0))
            #expect(!session.grabs.isPointerHeld() && !session.grabs.isKeyboardHeld())
            #expect(session.windows().isEmpty)
        }
        #expect(session.windowManagerPid() == nil && session.isSilent, "nothing is known of it")
        holder.setServerHeld(false)
        #expect(session.roundTrip(timeout: 5_000) && !session.isSilent)
        #expect(session.windows().map(\.id) == [terminal.window.id])
        #expect(!holder.isPointerHeld, "a late answer must not leave the pointer with us")
    }

    /// A menu closes when the keyboard is taken from it for a moment, and an input method ends what is being
    /// composed.
    @Test func nobodySeesThatGrabsAreLookedFor() throws {
        let desktop = try TestDesktop()
        let session = try Watch(desktop).session
        let other = try #require(OtherClient(desktop.display))
        other.openWindow()
        _ = other.takeEvents()
        for _ in 1...3 { #expect(!session.grabs.isKeyboardHeld() && !session.grabs.isPointerHeld()) }
        #expect(other.takeEvents() == [])
        #expect(other.setKeyboardGrabbed(true))
        #expect(session.grabs.isKeyboardHeld() && !session.grabs.isPointerHeld())
        #expect(other.setKeyboardGrabbed(false) && other.setPointerGrabbed(true))
        #expect(!session.grabs.isKeyboardHeld() && session.grabs.isPointerHeld())
        #expect(other.setPointerGrabbed(false))
        #expect(!session.grabs.isKeyboardHeld() && !session.grabs.isPointerHeld())
    }

    /// The change of the first is told.
    @Test @LoopActor func aWindowManagerIsKnownAlsoIfItsSecondMarkComesLater() throws {
        let desktop = try TestDesktop(managed: false)
        let watch = try Watch(desktop)
        let configuration = try Configuration(environment: [
            "SCREENTIME_RUNTIME_DIR": desktop.scratch.path + "/run", "HOME": desktop.scratch.path,
        ])
        let source = ProtectionSource(
            watch.session, runtime: configuration.runtime, sessionBusAddress: nil)
        let manager = try #require(OtherClient(desktop.display))
        let mark = manager.openMark()
        manager.write([mark], as: "_NET_SUPPORTING_WM_CHECK")
        try watch.awaitEvent("the first mark") { $0 == .windowManagerChanged ? () : nil }
        source.windowManagerChanged()
        #expect(source.current(nil).pids[getpid()] == nil)
        manager.write([mark], as: "_NET_SUPPORTING_WM_CHECK", of: mark)
        #expect(source.current(nil).pids[getpid()] == .windowManager)
    }

    /// A program that starts as another ends gets its place in the server, and so the ids of its windows.
    @Test(arguments: [true, false])
    func aWindowWithTheIDOfAnotherIsAnotherWindow(_ isManaged: Bool) throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let terminal = try desktop.openTerminal("OnlyTerm", watchedBy: watch).window
        let other = try #require(OtherClient(desktop.display))
        let id = other.makeID()
        for name in ["First", "Second", "Third"] {
            other.show(id, class: name, isManaged: isManaged)
            if isManaged { _ = try eventually("the list") { other.isListed(id) ? true : nil } }
            if name == "First" {
                _ = try watch.awaitEvent("the first") { $0.windowClass == name ? true : nil }
            } else {
                let events = watch.drain().filter { $0 == .windowClosed(id) || $0.windowClass != nil }
                #expect(events.first == .windowClosed(id) && events.last?.windowClass == name, "\(events)")
            }
            // Nobody asks between the end of one and the beginning of the next.
            other.destroy(id)
            if isManaged { _ = try eventually("the list without it") { other.isListed(id) ? nil : true } }
        }
        _ = try watch.awaitEvent("the end") { $0 == .windowClosed(id) ? true : nil }
        #expect(watch.session.windows().map(\.id) == [terminal.id])
    }

    /// What is frozen cannot raise its windows, but other programs can.
    @Test func whatWasPutBelowAllStaysThere() throws {
        let desktop = try TestDesktop(managed: false)
        let watch = try Watch(desktop)
        let other = try #require(OtherClient(desktop.display))
        let (low, high) = (other.makeID(), other.makeID())
        for (id, name) in [(high, "High"), (low, "Low")] {
            other.show(id, class: name, isManaged: false)
            _ = try watch.awaitEvent(name) { $0.windowClass == name ? true : nil }
        }
        watch.session.setAside([low], true)
        _ = try eventually("it is below") { other.order.firstIndex(of: low) == 0 ? true : nil }
        for round in 1...3 {
            other.raise(low)
            #expect(other.order.last == low)
            _ = try eventually("below again, round \(round)") {
                _ = watch.drain()
                return other.order.first == low ? true : nil
            }
        }
        watch.session.setAside([low], false)
        _ = try eventually("it is above") { other.order.last == low ? true : nil }
        other.raise(high)
        other.raise(low)
        _ = watch.drain()
        #expect(other.order.last == low)
    }

    @Test func aFocusOfNoneWaitsForASilentServer() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let session = watch.session
        let terminal = try desktop.openTerminal("OnlyTerm", watchedBy: watch)
        try watch.awaitFocus(on: terminal.window.id)
        let holder = try #require(OtherClient(desktop.display))
        terminal.child.end()
        _ = try watch.awaitEvent("closed") { $0 == .windowClosed(terminal.window.id) ? true : nil }
        holder.setServerHeld(true)
        _ = watch.drain()
        #expect(session.settling == nil, "the answer comes first")
        holder.setServerHeld(false)
        _ = try watch.awaitEvent("none") { $0 == .focus(nil) ? true : nil }
    }

    /// The alarm could not be set again at once.
    @Test func idlenessInAHeldServerIsFollowed() throws {
        let desktop = try TestDesktop(managed: false)
        let watch = try Watch(desktop, idleThreshold: 1_000)
        let holder = try #require(OtherClient(desktop.display))
        // On a busy machine nobody has moved anything for so long already.
        while watch.drain().contains(.idle) {
            try desktop.run("xdotool", "mousemove_relative", "1", "1")
            _ = try watch.awaitEvent("resumed") { $0 == .resumed ? true : nil }
        }
        holder.setServerHeld(true)
        #expect(!watch.session.roundTrip(timeout: 0))
        _ = try watch.awaitEvent("idle") { $0 == .idle ? true : nil }
        holder.setServerHeld(false)
        #expect(watch.session.roundTrip(timeout: 5_000))
        _ = watch.drain()
        try desktop.run("xdotool", "mousemove_relative", "1", "1")
        _ = try watch.awaitEvent("resumed") { $0 == .resumed ? true : nil }
        _ = try watch.awaitEvent("idle again") { $0 == .idle ? true : nil }
    }

    @Test func aLostDisplayIsToldOnce() throws {
        let desktop = try TestDesktop(managed: false)
        let watch = try Watch(desktop)
        let session = watch.session
        #expect(watch.drain() == [.focus(nil)])
        desktop.server.end()
        _ = try watch.awaitEvent("loss") { $0 == .displayLost ? true : nil }
        #expect(watch.drain().isEmpty)
        #expect(!session.roundTrip())
        #expect(session.windows().isEmpty)
    }

    @Test func aTitleIsNeverPrinted() {
        let window = Window(id: 7, instance: "a", windowClass: "B", title: "diary of Mary", pid: 5)
        var dumped = ""
        dump(window, to: &dumped)
        #expect(!"\(window) \(String(reflecting: SessionEvent.focus(window))) \(dumped)".contains("Mary"))
        #expect("\(window)".contains("a.B"))
    }
}

extension SessionEvent {
    /// Of a window that was mapped.
    fileprivate var windowClass: String? {
        if case .windowMapped(let window) = self { window.windowClass } else { nil }
    }
}
