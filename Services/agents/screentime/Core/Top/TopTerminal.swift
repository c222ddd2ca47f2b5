import Bus
import CommandKit
import Contract
import Glibc
import Loop
import ServiceKit

/// The terminal of `top`: its other screen, without a cursor, and keys without Return. It is as it was when
/// this is closed.
@LoopActor final class TopTerminal {
    /// Called when the person wants to leave: q, Ctrl-C, SIGTERM, or the terminal is gone.
    var onLeave: (@LoopActor () -> Void)?
    /// Called when the terminal has another size.
    var onSize: (@LoopActor () -> Void)?
    private let signals: SignalDescriptor
    private var before = termios()
    private var token: Reactor.Token?

    init() throws(ServiceError) {
        signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
        signals.watch { [weak self] signal in
            signal == SIGWINCH ? self?.onSize?() : self?.onLeave?()
        }
        tcgetattr(STDIN_FILENO, &before)
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        Console.print("\u{1b}[?1049h\u{1b}[?25l")
        token = Reactor.shared.watch(descriptor: STDIN_FILENO) { [weak self] in self?.readKeys() }
    }

    func close() {
        guard let token else { return }
        Reactor.shared.forget(token)
        self.token = nil
        Console.print("\u{1b}[?25h\u{1b}[?1049l")
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
    }

    private func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count <= 0 || bytes[..<count].contains(where: { "qQ\u{3}\u{4}".utf8.contains($0) }) else {
            return
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        onLeave?()
    }

    /// Columns and rows; 80 and 24 where the terminal does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func show(_ lines: [ConsoleText]) {
        let erased: [ConsoleText] = lines.map { "\($0)\u{1b}[K" }
        Console.print("\u{1b}[H\(erased.joined(separator: "\n"))\u{1b}[J\u{1b}[H")
    }
}
