import DesktopCore

/// A program with a name of its own: whoever ends every desktop-agent leaves the guard, which thaws.
@main struct DesktopGuardMain {
    static func main() { GuardProcess.run() }
}
