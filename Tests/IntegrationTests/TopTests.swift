import Glibc
import Loop
import ScreenTimeTesting
import Testing

/// `screentime top` in a terminal of 60 columns and 20 rows.
@Suite("command: top") struct TopTests {
    private static let services = LimitsAppTests.services + ["report-service"]
    private static let game = "org.example.Game"

    /// Prints what the program writes to its terminal, then `EXIT` and its status; the first words say which
    /// program. SIGUSR1 presses q. The terminal's modes before and after are compared.
    private static let terminal = """
        import fcntl, os, pty, signal, struct, sys, termios
        main, other = pty.openpty()
        fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 60, 0, 0))
        before = termios.tcgetattr(other)
        child = os.fork()
        if child == 0:
            os.setsid()
            fcntl.ioctl(other, termios.TIOCSCTTY, 0)
            for descriptor in (0, 1, 2): os.dup2(other, descriptor)
            os.environ["TERM"] = "xterm"
            os.execv(sys.argv[1], sys.argv[1:])
        signal.signal(signal.SIGUSR1, lambda *_: os.write(main, b"q"))
        signal.signal(signal.SIGCHLD, lambda *_: None)
        wakes, wake = os.pipe2(os.O_NONBLOCK)
        signal.set_wakeup_fd(wake)
        import select
        while True:
            ready = select.select([main, wakes], [], [])[0]
            if main in ready:
                os.write(1, os.read(main, 65536).replace(b"\\r\\n", b"\\n"))
                continue
            os.read(wakes, 64)
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid: break
        same = termios.tcgetattr(other) == before
        print(f"EXIT {os.waitstatus_to_exitcode(status)} {same}", flush=True)
        """

    @Test func itFollowsWhatIsUsedAndLeavesTheTerminalAsItWas() async throws {
        try await World.with(Self.services, clock: "2026-03-02T10:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            let top = try world.launch(
                "top", ["python3", "-c", Self.terminal, "\(World.products)/screentime", "top"])
            try await world.eventually("the first screen") { top.lines.contains { $0.contains("q quits") } }
            #expect(!top.lines.contains { $0.contains(Self.game) })
            try await world.use(Self.game, for: .minutes(25))
            try await world.eventually("the app and its bar") {
                top.lines.contains { $0.contains(Self.game) && ($0.contains("█") || $0.contains("#")) }
            }
            kill(top.pid, SIGUSR1)
            try await world.eventually("the end") { top.lines.contains { $0.hasPrefix("EXIT") } }
            #expect(top.lines.last == "EXIT 0 True", "\(top.lines.suffix(3))")
        }
    }

    @Test func withoutATerminalItIsPrintedOnce() async throws {
        try await World.with(Self.services, clock: "2026-03-02T10:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await world.use(Self.game, for: .minutes(25))
            let said = try await world.screentime("top")
            #expect(said.status == 0 && said.lines.contains { $0.contains(Self.game) }, "\(said.lines)")
            #expect(!said.lines.contains { $0.contains("\u{1b}") || $0.contains("q quits") })
        }
    }
}
