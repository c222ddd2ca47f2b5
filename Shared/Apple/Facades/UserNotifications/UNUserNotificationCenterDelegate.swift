public import Foundation

/// Receives events about this app's notifications while the app runs. Implement either form of each method;
/// all are called on the main queue. If a method is not implemented, the notification stays on the screen
/// (Apple does not show it) and responses are ignored.
@preconcurrency
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol, Sendable {
    /// One of this app's notifications was shown. Options without `banner`, `list` and `alert` remove it from
    /// the screen again (Apple asks before it is shown).
    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// The person answered a notification. Responses to an extension's notifications are delivered to the app
    /// if it is running.
    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)

    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async
}

// The asynchronous forms are called. If a class implements only the other form, they forward to it.
extension UNUserNotificationCenterDelegate {
    /// The default keeps the notification.
    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound, .badge])
    }

    /// The default calls the form with a completion handler.
    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await withCheckedContinuation { continuation in
            let answer = OnceOnly { continuation.resume(returning: $0) }
            userNotificationCenter(center, willPresent: notification) { answer($0) }
        }
    }

    /// The default does nothing.
    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }

    /// The default calls the form with a completion handler.
    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        await withCheckedContinuation { continuation in
            let answer = OnceOnly<Void> { continuation.resume() }
            userNotificationCenter(center, didReceive: response) { answer(()) }
        }
    }
}
