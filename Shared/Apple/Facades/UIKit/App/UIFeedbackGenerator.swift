public import FoundationExtras

/// A tap that can be felt. Linux desktops have no such motor: it is said once in the program's log, and
/// nothing else happens.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    public nonisolated override init() { super.init() }

    /// There is nothing to be warmed up.
    open func prepare() {}

    fileprivate func play() {
        Complaint.once("This machine has nothing that can be felt; haptics are left out.")
    }
}

/// A knock.
public final class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackStyle: Int, Sendable {
        case light = 0
        case medium, heavy, soft, rigid
    }

    public nonisolated init(style: FeedbackStyle) { super.init() }
    public nonisolated convenience override init() { self.init(style: .medium) }
    public func impactOccurred() { play() }
    public func impactOccurred(intensity: CGFloat) { play() }
}

/// Success, warning or error.
public final class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackType: Int, Sendable {
        case success = 0
        case warning, error
    }

    public func notificationOccurred(_ notificationType: FeedbackType) { play() }
}

/// Another choice.
public final class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    public func selectionChanged() { play() }
}
