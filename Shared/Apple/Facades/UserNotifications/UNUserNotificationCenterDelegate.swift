public import Foundation

/// Is told what becomes of this app's notifications while the app runs. Implement either form of each method;
/// all are called on the main queue. What a class does not implement stays as it is: the notification is
/// shown, the answer is not told (Apple does not show it then).
@preconcurrency
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol, Sendable {
    /// One of this app's notifications was shown. Options without `banner`, `list` and `alert` take it off
    /// the screen again (Apple asks before it is shown).
    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// The person answered one. An extension's are told to the app, which must run.
    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)

    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async
}

// The asynchronous forms are called; where a class has only the other one, they lead to it.
extension UNUserNotificationCenterDelegate {
    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound, .badge])
    }

    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await withCheckedContinuation { continuation in
            let answer = OnceOnly { continuation.resume(returning: $0) }
            userNotificationCenter(center, willPresent: notification) { answer($0) }
        }
    }

    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }

    @MainActor public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        await withCheckedContinuation { continuation in
            let answer = OnceOnly<Void> { continuation.resume() }
            userNotificationCenter(center, didReceive: response) { answer(()) }
        }
    }
}
