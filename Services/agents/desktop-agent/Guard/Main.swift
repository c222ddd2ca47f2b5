import DesktopCore

/// A separate program name: killing every desktop-agent by name leaves the guard running, which thaws.
@main struct DesktopGuardMain {
    static func main() { GuardProcess.run() }
}
