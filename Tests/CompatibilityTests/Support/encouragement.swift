// What the code of document 001 uses of its own project, which the document does not show.
import DeviceActivity
import FamilyControls
import Foundation
import UserNotifications

class UserSettingsManager {
    static let shared = UserSettingsManager()

    func loadNotificationText() -> String {
        UserDefaults(suiteName: "group.org.example.seed")?.string(forKey: "text") ?? "no words"
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
