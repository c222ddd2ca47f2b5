import AppSupport
import DeviceActivity
import EncouragementCore
import os
import UserNotifications

/// Posts the person's sentence before the limit and at it. Records every callback in the diary.
final class EncouragementMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: Promise.client, category: "monitor")

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        note("intervalDidStart", activity)
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        note("intervalDidEnd", activity)
    }

    override func eventDidReachThreshold(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {
        super.eventDidReachThreshold(event, activity: activity)
        note("eventDidReachThreshold", activity, event)
        say("limit", title: AppWords.spoken(english: "Your limit for today", korean: "오늘 정한 시간을 다 썼습니다"))
    }

    override func intervalWillStartWarning(for activity: DeviceActivityName) {
        super.intervalWillStartWarning(for: activity)
        note("intervalWillStartWarning", activity)
    }

    override func intervalWillEndWarning(for activity: DeviceActivityName) {
        super.intervalWillEndWarning(for: activity)
        note("intervalWillEndWarning", activity)
    }

    override func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {
        super.eventWillReachThresholdWarning(event, activity: activity)
        note("eventWillReachThresholdWarning", activity, event)
        say("warning", title: AppWords.spoken(english: "Almost at your limit", korean: "오늘 정한 시간이 거의 다 됐습니다"))
    }

    private func note(
        _ callback: String, _ activity: DeviceActivityName, _ event: DeviceActivityEvent.Name? = nil
    ) {
        do { try Diary.write(callback, activity.rawValue, event: event?.rawValue) } catch {
            log.error("the diary takes nothing: \(String(describing: error), privacy: .public)")
        }
    }

    private func say(_ identifier: String, title: String) {
        let promise: Promise?
        do { promise = try Promise.saved() } catch {
            return log.error("the promise cannot be read: \(String(describing: error), privacy: .public)")
        }
        guard let promise else { return }
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = promise.sentence
        content.sound = .default
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { [log] error in
            guard let error else { return }
            log.error("the sentence was not shown: \(String(describing: error), privacy: .public)")
        }
    }
}
