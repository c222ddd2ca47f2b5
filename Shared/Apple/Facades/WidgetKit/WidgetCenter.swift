@_exported public import FoundationExtras
internal import os
internal import Synchronization

/// Asks for an app's widgets to be drawn anew. Linux desktops have none that an app could draw, so nothing is
/// drawn; the first call of a process says so in its log. Programs that only tell their widgets of a change
/// work as they are; one that draws widgets does not compile here.
public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    private let said = Mutex(false)

    private init() {}

    /// All widgets of the app.
    public func reloadAllTimelines() { say() }

    /// Those of one kind.
    public func reloadTimelines(ofKind kind: String) { say() }

    private func say() {
        let isFirst = said.withLock { said in
            defer { said = true }
            return !said
        }
        guard isFirst else { return }
        Logger(subsystem: "WidgetKit", category: "widgets").notice("there are no widgets on this desktop")
    }
}
