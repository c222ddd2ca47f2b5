import AppSupport
import DeviceActivity
import Foundation
import os
import UserNotifications
import WorklogCore

/// Lifts the shields of social media in the evening, and all shields when today's goal is reached.
final class WorklogMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: Rules.client, category: "monitor")

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        // Shields return at the end of the goal's day. A repeated start during the day keeps a reached goal.
        if activity == .evenings { set(.evening, true) }
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        switch activity {
        case .evenings: set(.evening, false)
        case .goal: set(.goal, false)
        default: break
        }
    }

    override func eventDidReachThreshold(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {
        super.eventDidReachThreshold(event, activity: activity)
        guard event == .goal else { return }
        set(.goal, true)
        say(
            "goal", english: "Today's goal is reached. Worklog lifts all its shields.",
            korean: "오늘 목표를 달성했습니다. 워크로그의 제한이 모두 해제됩니다.")
    }

    override func intervalWillEndWarning(for activity: DeviceActivityName) {
        super.intervalWillEndWarning(for: activity)
        guard activity == .evenings else { return }
        do { guard try Doors.willShut() else { return } } catch {
            return log.error("the rules cannot be read: \(String(describing: error), privacy: .public)")
        }
        guard let minutes = Self.minutesOfEvening() else { return }
        say(
            "evening", english: "Social media close in \(minutes) minute\(minutes == 1 ? "" : "s").",
            korean: "\(minutes)분 뒤 소셜 앱과 사이트가 제한됩니다.")
    }

    /// What is left of this evening, rounded up, since it takes a moment to be told: fewer than the
    /// warning's 5 minutes if evenings were switched on within them.
    private static func minutesOfEvening() -> Int? {
        let now = Date()
        guard let evening = DeviceActivitySchedule.evenings.nextInterval, evening.start <= now,
            now < evening.end
        else { return nil }
        return Int((evening.end.timeIntervalSince(now) / 60).rounded(.up))
    }

    private func say(_ identifier: String, english: String, korean: String) {
        let content = UNMutableNotificationContent()
        content.title = AppWords.spoken(english: "Worklog", korean: "워크로그")
        content.body = AppWords.spoken(english: english, korean: korean)
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { [log] error in
            guard let error else { return }
            log.error("posting the notification failed: \(String(describing: error), privacy: .public)")
        }
    }

    private func set(_ reason: Doors.Reason, _ isOpen: Bool) {
        do { try Doors.set(reason, isOpen) } catch {
            log.error("a door did not move: \(String(describing: error), privacy: .public)")
        }
    }
}
