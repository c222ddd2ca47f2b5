// What the code of document 001 uses of its own project, which the document does not show.
import DeviceActivity
import Foundation
import UserNotifications

class UserSettingsManager {
    static let shared = UserSettingsManager()

    /// The app saves the person's words in the shared container.
    func loadNotificationText() -> String {
        let group = FileManager.default.containerURL(
            forSecurityApplicationGroupIdentifier: "group.org.example.seed")
        do {
            guard let file = group?.appendingPathComponent("words") else { throw CocoaError(.fileNoSuchFile) }
            return try String(contentsOf: file, encoding: .utf8)
        } catch {
            preconditionFailure("the words cannot be read: \(error)")
        }
    }
}

class NotifiactionManager {
    static let shared = NotifiactionManager()

    func sendNotification(text: String) {
        let content = UNMutableNotificationContent()
        content.title = "Encouragement"
        content.body = text
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "encouragement", content: content, trigger: nil))
    }
}

extension DeviceActivityName {
    static let daily = Self("daily")
}

extension DeviceActivityEvent.Name {
    static let encouraged = Self("encouraged")
}
