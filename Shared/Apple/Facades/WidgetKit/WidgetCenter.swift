@_exported public import FoundationExtras
internal import os
internal import Synchronization

/// Requests a reload of an app's widgets. Linux desktops have no widgets that an app could render, so nothing
/// happens; the first call of a process is logged. Programs that only notify their widgets work unchanged; a
/// program that renders widgets does not compile here.
public final class WidgetCenter: Sendable {
    /// The only instance.
    public static let shared = WidgetCenter()

    private let said = Mutex(false)

    private init() {}

    /// Does nothing but log once.
    public func reloadAllTimelines() { say() }

    /// Does nothing but log once.
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
