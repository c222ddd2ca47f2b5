public import FoundationExtras

/// Haptic feedback. Linux desktops have no haptics: the first use is logged, and nothing else happens.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    /// Does not prepare any hardware.
    public nonisolated override init() { super.init() }

    /// Does nothing.
    open func prepare() {}

    fileprivate func play() {
        Complaint.once("This machine has no haptics; haptic feedback is ignored.")
    }
}

/// An impact.
public final class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The kind of impact. Ignored.
    public enum FeedbackStyle: Int, Sendable {
        case light = 0
        case medium, heavy, soft, rigid
    }

    /// The style is ignored.
    public nonisolated init(style: FeedbackStyle) { super.init() }
    /// The style is ignored.
    public nonisolated convenience override init() { self.init(style: .medium) }
    /// Logs once that there are no haptics.
    public func impactOccurred() { play() }
    /// Logs once that there are no haptics.
    public func impactOccurred(intensity: CGFloat) { play() }
}

/// Success, warning or error.
public final class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// The kind of notification. Ignored.
    public enum FeedbackType: Int, Sendable {
        case success = 0
        case warning, error
    }

    /// Logs once that there are no haptics.
    public func notificationOccurred(_ notificationType: FeedbackType) { play() }
}

/// A changed selection.
public final class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Logs once that there are no haptics.
    public func selectionChanged() { play() }
}
