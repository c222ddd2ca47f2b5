import AppSupport
import DeviceActivity
import Foundation
import os
import StreaksCore
import UserNotifications

/// Marks the day of a task whose amount was reached, as missed or complete.
final class StreaksMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: Book.client, category: "monitor")

    override func eventDidReachThreshold(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {
        super.eventDidReachThreshold(event, activity: activity)
        // The day of the occurrence, not of the clock, because the callback may be late.
        guard let day = DeviceActivityCenter().schedule(for: activity)?.nextInterval?.start else {
            return log.error(
                "'\(activity.rawValue, privacy: .public)' has no interval: no day was marked")
        }
        do { try Book.mark(event.rawValue, on: Day.name(of: day)) } catch {
            log.error("the day was not marked: \(String(describing: error), privacy: .public)")
        }
    }

    override func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {
        super.eventWillReachThresholdWarning(event, activity: activity)
        let content = UNMutableNotificationContent()
        content.title = event.rawValue
        content.body = AppWords.spoken(english: "One minute to go for today.", korean: "오늘 1분 남았습니다.")
        let request = UNNotificationRequest(
            identifier: ScreenTimeTask.warning(event.rawValue), content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { [log] error in
            guard let error else { return }
            log.error("the warning was not shown: \(String(describing: error), privacy: .public)")
        }
    }
}
