import ScreenTimeTesting

extension World {
    /// Starts one process with the windows of several apps, as `CLASS:WIDTHxHEIGHT+X+Y[:KIND]`. KIND: `or`
    /// (override-redirect), `dialog` (transient for the first window), `menu` (override-redirect, a popup
    /// menu), `hotkey` (F5 anywhere; the server waits for its answer), `keyboard` (has the keyboard until a
    /// key is pressed), `waiting` (the same, and the pointer waits for it), `for` and an id (transient for
    /// that window). Returns when they are open.
    /// - Parameter asked: opened, too, each time a window is asked to close, which does not close.
    @discardableResult
    func openWindows(
        _ windows: [String], asked: [String] = [], through starter: [String] = [],
        name: String = "windows"
    ) async throws -> (windows: [Int64], process: ChildProcess) {
        let words = starter + ["python3", "-c", Self.windowProgram] + windows + ["--asked"] + asked
        let process = try launch(name, words)
        let found = try await process.wait(for: "its windows") { process in
            process.lines.count < windows.count ? nil : process.lines.compactMap { Int64($0) }
        }
        return (found, process)
    }

    /// Prints the id of each window that it opens.
    private static let windowProgram = """
        import ctypes, re, sys
        X = ctypes.CDLL("libX11.so.6")
        L, P = ctypes.c_ulong, ctypes.c_void_p
        X.XOpenDisplay.restype = P
        for name in ["XDefaultRootWindow", "XInternAtom", "XCreateSimpleWindow"]:
            getattr(X, name).restype = L
        display = P(X.XOpenDisplay(None))
        root = L(X.XDefaultRootWindow(display))
        def atom(name): return X.XInternAtom(display, name.encode(), 0)
        def change(window, name, kind, size, data, count):
            X.XChangeProperty(display, window, L(atom(name)), L(kind), size, 0, data, count)
        opened = []
        def open_one(word):
            name, place, kind = (word + ":").split(":")[:3]
            w, h, x, y = map(int, re.split("[x+]", place))
            window = L(X.XCreateSimpleWindow(display, root, x, y, w, h, 0, L(0), L(0x336699)))
            if kind in ("or", "menu"):
                attributes = (ctypes.c_byte * 112)()
                ctypes.c_int.from_buffer(attributes, 88).value = 1
                X.XChangeWindowAttributes(display, window, L(1 << 9), attributes)
            words = b"toy\\0" + name.encode() + b"\\0"
            change(window, "WM_CLASS", 31, 8, words, len(words))
            types = {"menu": "_NET_WM_WINDOW_TYPE_POPUP_MENU", "dialog": "_NET_WM_WINDOW_TYPE_DIALOG"}
            if kind in types:
                change(window, "_NET_WM_WINDOW_TYPE", 4, 32, (L * 1)(atom(types[kind])), 1)
            if kind == "dialog": X.XSetTransientForHint(display, window, L(opened[0]))
            if kind[:3] == "for": X.XSetTransientForHint(display, window, L(int(kind[3:])))
            X.XSetWMProtocols(display, window, (L * 1)(atom("WM_DELETE_WINDOW")), 1)
            X.XMapRaised(display, window)
            if kind == "hotkey":
                key = X.XKeysymToKeycode(display, L(0xffc2))
                X.XGrabKey(display, key, 0, root, 0, 1, 0)
            if kind == "waiting": X.XGrabKeyboard(display, root, 0, 0, 1, L(0))
            if kind == "keyboard": X.XGrabKeyboard(display, root, 0, 1, 1, L(0))
            X.XSync(display, 0)
            opened.append(window.value)
            print(window.value, flush=True)
        middle = sys.argv.index("--asked")
        for word in sys.argv[1:middle]: open_one(word)
        event = (ctypes.c_long * 24)()
        while True:
            X.XNextEvent(display, event)
            if event[0] & 0xff == 2:
                X.XAllowEvents(display, 3, L(0))
                X.XUngrabKeyboard(display, L(0))
                X.XFlush(display)
            if event[0] & 0xff == 33 and event[7] == atom("WM_DELETE_WINDOW"):
                for word in sys.argv[middle + 1:]: open_one(word)
        """

    /// The window on top at a place of the screen, in its frame if it has one.
    func windowAt(_ x: Int, _ y: Int) async throws -> Int64? {
        let words = ["xdotool", "mousemove", "\(x)", "\(y)", "getmouselocation", "--shell"]
        let line = try await run("xdotool", words).lines.first { $0.hasPrefix("WINDOW=") }
        return line.flatMap { Int64($0.dropFirst("WINDOW=".count)) }
    }

    /// State letter of a process.
    func state(_ process: ChildProcess) -> Character { states([.init(pid: Int64(process.pid))])[0] }
}
