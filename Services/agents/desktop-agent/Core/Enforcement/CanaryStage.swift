import Bus
import Contract
import Loop
import Units

/// Why no shield can act on a desktop. The values are for people, and recorded.
enum Hindrance: String {
    case waylandSession = "this is a Wayland session: only windows of X11 programs are covered in it"
    case noWindowManager = "no window manager that follows EWMH runs on this display"
}

/// Where a check takes place: the desktop, the program, and what shields it. Reasons are for a sentence that
/// begins with "because".
@LoopActor protocol CanaryStage: AnyObject {
    /// Trace of the check.
    var trace: TraceContext? { get set }
    /// Why no shield can act on this desktop; nil if one can.
    var hindrance: Hindrance? { get }
    /// Another window manager runs, or none.
    func desktopChanged()
    /// Starts the program.
    func start() throws(ServiceError)
    var hasWindow: Bool { get }
    var hasEnded: Bool { get }
    /// Writes the limit, or removes it. Removing one that is not there changes nothing.
    func setShielded(_ isShielded: Bool) async throws(ServiceError)
    /// Whether the agent knows that the program is shielded.
    var isWanted: Bool { get }
    var isCovered: Bool { get }
    /// Whether its process stands still.
    var isStopped: Bool { get }
    /// Whether no process draws a cover over its window any more.
    func isUncovered() async -> Bool
    /// What the agent says of why it is not covered or frozen; nil if nothing.
    var complaint: String? { get }
    /// Lets the program end by itself.
    func dismiss()
    /// Ends the program, whatever it does.
    func end()
    /// Monotonic.
    var now: Milliseconds { get }
    /// Suspends until something may have changed.
    func pause() async
}

extension CanaryStage {
    /// Returns whether the condition was met within the limit.
    func comes(within limit: Milliseconds, _ isMet: @LoopActor () async -> Bool) async -> Bool {
        let deadline = now + limit
        while await !isMet() {
            guard now < deadline else { return false }
            await pause()
        }
        return true
    }
}
