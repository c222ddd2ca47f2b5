import DeviceActivity
import DowntimeCore
import ManagedSettings
import os
import UserNotifications

/// Shields the plan's selection during its interval.
final class DowntimeMonitor: DeviceActivityMonitor {
    private let store = ManagedSettingsStore(named: .daily)
    private let log = Logger(subsystem: Plan.client, category: "monitor")

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        guard let selection = plan?.selection else { return }
        let applications = selection.applicationTokens
        store.shield.applications = applications.isEmpty ? nil : applications
        store.shield.applicationCategories =
            selection.categoryTokens.isEmpty ? nil : .specific(selection.categoryTokens)
        store.shield.webDomains = selection.webDomainTokens.isEmpty ? nil : selection.webDomainTokens
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        store.clearAllSettings()
    }

    override func intervalWillStartWarning(for activity: DeviceActivityName) {
        super.intervalWillStartWarning(for: activity)
        notify("5분 뒤 사용이 제한됩니다.", activity)
    }

    override func intervalWillEndWarning(for activity: DeviceActivityName) {
        super.intervalWillEndWarning(for: activity)
        notify("5분 뒤 제한이 해제됩니다.", activity)
    }

    private var plan: Plan? {
        do { return try Plan.saved() } catch {
            log.error("the plan cannot be read: \(String(describing: error), privacy: .public)")
            return nil
        }
    }

    private func notify(_ text: String, _ activity: DeviceActivityName) {
        let content = UNMutableNotificationContent()
        content.title = "Screen Time 101"
        content.body = text
        // With a fixed identifier, a repetition after an interruption replaces the notification.
        let request = UNNotificationRequest(
            identifier: activity.rawValue, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { [log] error in
            guard let error else { return }
            log.error("the warning was not shown: \(String(describing: error), privacy: .public)")
        }
    }
}
