import Glibc

/// A program to shield: desktop-agent starts it, shields it, and sees whether the shield acts. It has one
/// window that nobody sees, and ends when its standard input does: that is a pipe from the agent.
///
/// Exit codes: 0 the agent closed the pipe, or ended; 69 no display, or it was lost.
@main struct DesktopCanaryMain {
    private static let noDisplay: Int32 = 69

    static func main() {
        guard let window = CanaryWindow() else { exit(noDisplay) }
        window.open()
        var waiting = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: window.fileDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&waiting, 2, -1) >= 0 else { continue }
            if waiting[0].revents != 0 { exit(0) }
            if waiting[1].revents != 0, !window.drain() { exit(noDisplay) }
        }
    }
}
