import Bus
import CXcb
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Time
import Units

@testable import CoverCore

let isX11Here = World.areInstalled("Xvfb", "openbox", "xterm", "xdotool")

/// A screen with a window manager, the process of covers, and a shield-service of the test.
@LoopActor struct CoverStage {
    let world: World
    let display: XDisplay
    let shield: FakeShield
    let auth: FakeAuth
    let client: RequestClient

    static func with(
        size: String = "1000x700", environment: [String: String] = [:], manager: String = "openbox",
        isAccessible: Bool = false, _ body: @LoopActor (CoverStage) async throws -> Void
    ) async throws {
        try await World.with([], environment: environment) { world in
            let server = try world.launch(
                "Xvfb",
                [
                    "Xvfb", "-displayfd", "1", "-screen", "0", size + "x24", "-nolisten", "tcp", "-noreset",
                ])
            let number = try await server.wait(for: "the number of the display") { $0.lines.first }
            world.environment["DISPLAY"] = ":" + number
            try await start(manager, world)
            if isAccessible { try await startAccessibility(world) }
            try world.runtime.prepare()
            let shield = try FakeShield(in: world.runtime)
            let auth = try FakeAuth(in: world.runtime)
            let client = try RequestClient(
                toNamed: AgentName.shieldCover, in: world.runtime, tracer: world.tracer)
            defer {
                client.close()
                shield.close()
                auth.close()
            }
            try await body(
                CoverStage(
                    world: world, display: try XDisplay(world.environment["DISPLAY"] ?? ""), shield: shield,
                    auth: auth, client: client))
        }
    }

    /// The window managers in which covers are tested.
    nonisolated static let managers = ["openbox"] + (World.areInstalled("xfwm4") ? ["xfwm4"] : [])

    private static func start(_ manager: String, _ world: World) async throws {
        guard manager != "openbox" else {
            try await world.startWindowManager()
            return
        }
        // Its settings come over a bus; without a service for them it has its own defaults.
        try await world.startSessionBus()
        _ = try world.launch(manager, [manager, "--compositor=off"])
        let display = try XDisplay(world.environment["DISPLAY"] ?? "")
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while display.numbers("_NET_SUPPORTING_WM_CHECK", of: display.root).isEmpty {
            guard MonotonicClock.now < end else { throw Overdue("the window manager \(manager)") }
            await looks.pause()
        }
    }

    /// The bus of screen readers.
    private static func startAccessibility(_ world: World) async throws {
        try await world.startSessionBus()
        _ = try world.launch("at-spi", [accessibilityLauncher, "--launch-immediately"])
    }

    nonisolated static let accessibilityLauncher = "/usr/libexec/at-spi-bus-launcher"

    // MARK: requests

    /// The process of covers. It starts with the first call, as the agent starts it with the first cover:
    /// without a cover it ends by itself after `CoverLimits.idle`, which a slow machine needs for the windows
    /// alone.
    var process: ChildProcess { get throws { try world.process(AgentName.shieldCover) } }

    func start() async throws {
        let isStarted = world.processes.contains { $0.name == AgentName.shieldCover }
        if !isStarted { _ = try await world.start(AgentName.shieldCover) }
    }

    func call<M: Call>(_ method: M.Type, _ params: M.Params) async throws -> M.Result {
        try await start()
        return try await client.call(method, params, options: CallOptions(deadline: 30_000))
    }

    /// Covers a window, and returns the cover's own X11 id.
    @discardableResult
    func cover(
        _ window: UInt32, subject: String = "alpha", category: String? = nil
    ) async throws -> (id: UInt32, isVisible: Bool) {
        let about = CoveredWindow(
            window: Int64(window), app: subject, name: "Marble Game", subject: subject,
            category: category)
        let begin = MonotonicClock.now
        var answer = try await call(CoverShow.self, CoverShow.Params(cover: about))
        // The answer waits so long for the first frame, which comes later on a busy machine.
        while !answer.visible, (CoverLimits.frame..<180_000).contains(MonotonicClock.now - begin) {
            answer = try await call(CoverShow.self, CoverShow.Params(cover: about))
        }
        // It can be seen a moment before its manager lists it.
        var found: UInt32?
        try await until("a cover of \(window) in the manager's list") {
            found = coverID(of: window)
            return found != nil
        }
        return (try #require(found), answer.visible)
    }

    /// The cover that stands over a window now.
    func coverID(of window: UInt32) -> UInt32? {
        display.numbers("_NET_CLIENT_LIST", of: display.root).first {
            display.numbers("WM_TRANSIENT_FOR", of: $0).first == window
        }
    }

    func hide(_ window: UInt32) async throws {
        let answer = try await call(CoverHide.self, CoverHide.Params(window: Int64(window)))
        #expect(answer.wasCovered)
    }

    /// Makes a window active and covers it. Returns the cover when it has its look and the focus, and takes
    /// keys.
    func coverActive(_ window: UInt32) async throws -> UInt32 {
        activate(window)
        let cover = try await cover(window).id
        try await until("the look") { auth.read > 0 && shield.asked > 0 }
        try await until("the focus") { active == cover }
        try await awaitButtons()
        return cover
    }

    /// Returns when the buttons of all covers take keys and clicks.
    func awaitButtons() async throws {
        // What was on its way to the process is handled before this is answered, or in the same turn.
        _ = try await call(CoverList.self, Nothing())
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while true {
            var isOpen: [Int64: Bool] = [:]
            for span in try await call(TraceRead.self, TraceRead.Params()).spans
            where span.name == "buttons" {
                if let window = span.numbers?.first?.count { isOpen[window] = span.outcome == "ok" }
            }
            let standing = try await call(CoverList.self, Nothing()).covers
            if standing.allSatisfy({ isOpen[$0.window] == true }) { return }
            guard MonotonicClock.now < end else { throw Overdue("buttons that can be pressed") }
            await looks.pause()
        }
    }

    /// Presses keys, the last of which brings other buttons, and returns when those take keys and clicks.
    func turn(_ keys: String...) async throws {
        try await turn("other buttons after \(keys)") { try await xdotool(["key"] + keys) }
    }

    /// Does what brings other buttons, and returns when those take keys and clicks.
    func turn(_ what: String, _ body: @LoopActor () async throws -> Void) async throws {
        let before = try await turns()
        try await body()
        try await awaitTurn(what, since: before)
        try await awaitButtons()
    }

    /// Returns when buttons began to wait, after they had done so that often.
    func awaitTurn(_ what: String, since before: Int) async throws {
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while try await turns() == before {
            guard MonotonicClock.now < end else { throw Overdue(what) }
            await looks.pause()
        }
    }

    /// How often buttons began to wait.
    func turns() async throws -> Int {
        try await call(TraceRead.self, TraceRead.Params()).spans.count {
            $0.name == "buttons" && $0.outcome == "waiting"
        }
    }

    /// Returns when warnings take clicks.
    func awaitClicks() async throws {
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while true {
            let spans = try await call(TraceRead.self, TraceRead.Params()).spans
            if spans.last(where: { $0.name == "clicks" })?.outcome == "ok" { return }
            guard MonotonicClock.now < end else { throw Overdue("a warning that takes clicks") }
            await looks.pause()
        }
    }

    /// Names of a trace's spans, when they are as expected.
    func spans(_ trace: String, _ areThere: (Set<String>) -> Bool) async throws -> Set<String> {
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while true {
            let spans = try await call(TraceRead.self, TraceRead.Params(traceID: trace)).spans
            let names = Set(spans.map(\.name))
            if areThere(names) { return names }
            guard MonotonicClock.now < end else { throw Overdue("the spans, which are \(names)") }
            await looks.pause()
        }
    }

    // MARK: windows

    /// A terminal whose program writes each byte that it reads into a file.
    func openTerminal(_ name: String, at place: String = "60x18+100+80") async throws -> UInt32 {
        let file = typedPath(name)
        try Data().write(to: URL(filePath: file))
        _ = try world.launch(
            "xterm-\(name)",
            [
                "xterm", "-class", name, "-geometry", place, "-e",
                "sh", "-c", "stty raw -echo; exec dd bs=1 of='\(file)' 2>/dev/null",
            ])
        var found: UInt32?
        try await until("the window of \(name)") {
            for window in display.numbers("_NET_CLIENT_LIST", of: display.root) where found == nil {
                if display.text("WM_CLASS", of: window).contains(name), display.isViewable(window) {
                    found = window
                }
            }
            return found != nil
        }
        // It is shown before it has the focus, and that before the manager says so.
        try await awaitManager()
        try await awaitManager()
        return try #require(found)
    }

    /// Waits until the window manager has handled what the server has told it so far.
    func awaitManager() async throws {
        let window = makePlain(width: 1, height: 1, x: 0, y: 0)
        defer { xcb_destroy_window(display.raw, window) }
        // It answers also for a window that is not shown (EWMH).
        tell("_NET_REQUEST_FRAME_EXTENTS", window, [])
        try await until("the window manager answers") {
            display.numbers("_NET_FRAME_EXTENTS", of: window).count == 4
        }
    }

    /// A window of the test itself, in one colour, of any size.
    /// - Parameter group: the window that leads its group; 0: it has none.
    func openPlain(
        width: Int, height: Int, x: Int = 91, y: Int = 71, group: UInt32 = 0
    ) async throws -> UInt32 {
        let window = makePlain(width: width, height: height, x: x, y: y)
        if group != 0 {
            // WM_HINTS (ICCCM, 4.1.2.4): WindowGroupHint only, and the last field.
            let hints: [UInt32] = [1 << 6, 0, 0, 0, 0, 0, 0, 0, group]
            xcb_change_property(
                display.raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window,
                xcb_atom_t(XCB_ATOM_WM_HINTS.rawValue), xcb_atom_t(XCB_ATOM_WM_HINTS.rawValue), 32,
                UInt32(hints.count), hints)
        }
        xcb_map_window(display.raw, window)
        display.flush()
        // xfwm4 lists windows by their order only once that changed.
        try await until("the plain window") {
            display.isViewable(window)
                && display.numbers("_NET_CLIENT_LIST", of: display.root).contains(window)
        }
        return window
    }

    /// The same, not shown.
    /// - Parameter id: that of a window that was destroyed; nil: a new one.
    @discardableResult
    func makePlain(_ id: UInt32? = nil, width: Int, height: Int, x: Int, y: Int) -> UInt32 {
        let window = id ?? xcb_generate_id(display.raw)
        var colour: UInt32 = 0xFF00FF
        xcb_create_window(
            display.raw, 0, window, display.root, Int16(x), Int16(y), UInt16(width), UInt16(height), 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, XCB_CW_BACK_PIXEL.rawValue, &colour)
        return window
    }

    /// The colours of a part of the screen, row by row.
    func pixels(_ frame: Frame) -> [UInt32] {
        let cookie = xcb_get_image(
            display.raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), display.root, Int16(frame.x),
            Int16(frame.y), UInt16(frame.width), UInt16(frame.height), .max)
        guard let reply = xcb_get_image_reply(display.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        guard let start = xcb_get_image_data(reply) else { return [] }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(xcb_get_image_data_length(reply)))
        return (0..<bytes.count / 4).map {
            bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) & 0xFFFFFF
        }
    }

    /// A point of the lowest button, which is what is lowest on a cover.
    func lowestButton(of cover: UInt32) throws -> (x: Int, y: Int) {
        let place = try #require(display.place(of: cover))
        let middle = Frame(x: place.x + place.width / 2, y: place.y, width: 1, height: place.height)
        let column = pixels(middle)
        let edge = try #require(column.lastIndex { $0 != column.last })
        return (middle.x, middle.y + edge - 8)
    }

    private func typedPath(_ name: String) -> String { world.directory + "/typed-" + name }
    /// What arrived in a terminal's program.
    func typed(_ name: String) -> String { world.readText(typedPath(name)) }

    var active: UInt32 { display.numbers("_NET_ACTIVE_WINDOW", of: display.root).first ?? 0 }
    var stack: [UInt32] { display.numbers("_NET_CLIENT_LIST_STACKING", of: display.root) }

    /// A window with its borders.
    func frame(of window: UInt32) -> Frame? {
        guard let inner = display.place(of: window) else { return nil }
        let borders = display.numbers("_NET_FRAME_EXTENTS", of: window).map { Int($0) }
        guard borders.count == 4 else { return inner }
        return Frame(
            x: inner.x - borders[0], y: inner.y - borders[2], width: inner.width + borders[0] + borders[1],
            height: inner.height + borders[2] + borders[3])
    }

    /// - Parameter scale: pixels of a unit of GTK.
    func awaitFit(
        _ cover: UInt32, over window: UInt32, scale: Int = 1, _ what: String
    ) async throws {
        try await until("\(what): the cover is at \(String(describing: display.place(of: cover)))") {
            display.isViewable(cover) && display.place(of: cover) == frame(of: window)?.rounded(to: scale)
        }
    }

    func tell(_ type: String, _ window: UInt32, _ numbers: [UInt32]) {
        display.tellManager(type, about: window, numbers)
        display.flush()
    }

    func activate(_ window: UInt32) { tell("_NET_ACTIVE_WINDOW", window, [2, 0, 0]) }

    /// As `eventually`, without an autoclosure, which together with `#expect` confuses Swift 6.3.
    func until(_ what: String, _ isTrue: @LoopActor () throws -> Bool) async throws {
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while try !isTrue() {
            guard MonotonicClock.now < end else {
                throw Overdue("\(what); active: \(active), stack: \(stack)")
            }
            await looks.pause()
        }
    }

    // MARK: the person

    func xdotool(_ words: String...) async throws { try await xdotool(words) }

    func xdotool(_ words: [String]) async throws {
        let (status, _) = try await world.run("xdotool", ["xdotool"] + words)
        guard status == 0 else { throw Overdue("xdotool \(words) ended with \(status)") }
    }

    func click(_ x: Int, _ y: Int) async throws {
        try await xdotool("mousemove", String(x), String(y), "click", "1")
    }
}

extension XDisplay {
    /// A property of bytes as text.
    func text(_ property: String, of window: UInt32) -> String {
        let cookie = xcb_get_property(raw, 0, window, atom(property), 0, 0, 64)
        guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return "" }
        defer { free(reply) }
        guard let start = xcb_get_property_value(reply) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(xcb_get_property_value_length(reply)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Two texts, as of WM_CLASS.
    func write(_ property: String, of window: UInt32, texts: [String]) {
        let bytes = Array(texts.map { $0 + "\0" }.joined().utf8)
        xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom(property),
            xcb_atom_t(XCB_ATOM_STRING.rawValue), 8, UInt32(bytes.count), bytes)
    }

    /// Whether the manager told a window of the test to close, since this was asked last.
    func isToldToClose(_ window: UInt32) -> Bool {
        var isTold = false
        while let event = xcb_poll_for_event(raw) {
            defer { free(event) }
            guard event.pointee.response_type & 0x7F == UInt8(XCB_CLIENT_MESSAGE) else { continue }
            let message = UnsafeMutableRawPointer(event)
                .assumingMemoryBound(to: xcb_client_message_event_t.self).pointee
            isTold = isTold || message.window == window && message.data.data32.0 == atom("WM_DELETE_WINDOW")
        }
        return isTold
    }
}
