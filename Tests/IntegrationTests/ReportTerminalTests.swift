import CommandKit
import Loop
import ScreenTimeTesting
import Testing

/// `screentime report` in terminals of several widths, and without one.
@Suite("command: report in a terminal") struct ReportTerminalTests {
    /// Prints what a program prints to a terminal of so many columns.
    private static let terminal = """
        import fcntl, os, pty, struct, sys, termios
        main, other = pty.openpty()
        fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
        if os.fork() == 0:
            os.dup2(other, 1)
            os.environ["NO_COLOR"] = "1"
            os.execv(sys.argv[2], sys.argv[2:])
        os.close(other)
        try:
            while text := os.read(main, 65536): os.write(1, text.replace(b"\\r", b""))
        except OSError: pass
        """

    @Test func noLineIsWiderThanTheTerminal() async throws {
        let services = ["auth-service", "activity-center", "report-service"]
        let long = "org.example." + String(repeating: "긴 이름 e\u{301} ", count: 12)
        try await World.with(services, clock: "2026-03-16T08:00:00Z") { world in
            try await world.use(long, for: .minutes(50))
            try await world.clock.advance(.seconds(1))
            try await world.use("editor", for: .minutes(20))
            for columns in [20, 24, 30, 31, 36, 40, 60, 80, 120, 300] {
                let shown = try world.launch(
                    "report-\(columns)",
                    ["python3", "-c", Self.terminal, "\(columns)", "\(World.products)/screentime", "report"])
                #expect(try await shown.exit() == 0)
                // The sentences after the total wrap as sentences do.
                let end = try #require(shown.lines.firstIndex { $0.hasPrefix("total") })
                let table = shown.lines[...end]
                #expect(table.allSatisfy { DisplayWidth.of($0) <= columns }, "\(columns): \(table)")
                #expect(table.contains { $0.contains("20 min 00 s") }, "\(columns): \(table)")
                #expect(table.contains { $0.contains("…") } == (columns < 250), "\(columns): \(table)")
                let bars = table.filter { $0.contains("█") || $0.contains("#") }
                #expect(bars.count == (columns < 31 ? 0 : 2), "\(columns): \(table)")
            }
            let piped = try await world.screentime("report")
            #expect(piped.lines.contains { $0.contains(long) }, "\(piped.lines)")
            #expect(!piped.lines.contains { $0.contains("█") || $0.contains("#") }, "\(piped.lines)")
        }
    }
}
