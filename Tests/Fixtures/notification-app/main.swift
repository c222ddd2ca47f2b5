import UserNotifications

// An app written as for iOS. Its first argument selects what it does; it prints a line for each event.

func tell(_ line: String) {
    print(line)
    fflush(stdout)
}

let center = UNUserNotificationCenter.current()

final class AppDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        tell("presented \(notification.request.identifier)")
        completionHandler(notification.request.identifier == "hidden" ? [] : [.banner, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let request = response.notification.request
        let words = (response as? UNTextInputNotificationResponse)?.userText ?? "-"
        let level = request.content.userInfo["level"] as? Int ?? 0
        tell("answered \(request.identifier) \(response.actionIdentifier) \(words) \(level)")
        completionHandler()
        if request.identifier == "last" { exit(0) }
    }
}

let delegate = AppDelegate()

func content(_ title: String) -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = title
    content.subtitle = "subtitle"
    content.body = "body"
    content.sound = .default
    content.userInfo = ["level": 7]
    content.interruptionLevel = .timeSensitive
    return content
}

func post() {
    let why = UNTextInputNotificationAction(
        identifier: "why", title: "Why?", options: [], textInputButtonTitle: "Send", textInputPlaceholder: "")
    let more = UNNotificationAction(identifier: "more", title: "More", options: [.foreground])
    center.setNotificationCategories([
        UNNotificationCategory(
            identifier: "limit", actions: [more, why], intentIdentifiers: [], options: .customDismissAction)
    ])
    center.delegate = delegate
    let limit = content("Limit")
    limit.categoryIdentifier = "limit"
    limit.badge = 2
    center.add(UNNotificationRequest(identifier: "now", content: limit, trigger: nil))
    let soon = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false)
    center.add(UNNotificationRequest(identifier: "soon", content: content("Soon"), trigger: soon)) {
        tell("added soon \(String(describing: $0))")
    }
    center.add(
        UNNotificationRequest(
            identifier: "daily", content: content("Daily"),
            trigger: UNCalendarNotificationTrigger(
                dateMatching: DateComponents(hour: 8, minute: 30), repeats: true)))
    for name in ["gone", "hidden", "last"] {
        center.add(UNNotificationRequest(identifier: name, content: content(name), trigger: nil))
    }
    center.removePendingNotificationRequests(withIdentifiers: ["gone"])
    let past = UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2001), repeats: false)
    center.add(UNNotificationRequest(identifier: "past", content: content("Past"), trigger: past)) { error in
        tell("past \((error as? UNError)?.code == .notificationInvalidNoDate)")
    }
}

func list() async {
    for request in await center.pendingNotificationRequests() {
        let next = (request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
        let due = next.map { String(Int($0.timeIntervalSince1970)) } ?? "-"
        let kind = request.trigger.map { "\(type(of: $0))" } ?? "none"
        tell("pending \(request.identifier) \(kind) \(due) \(request.content.subtitle)")
    }
    let categories = await center.notificationCategories()
    tell("categories \(categories.map { "\($0.identifier) \($0.actions.count)" })")
    do { try await center.setBadgeCount(-1) } catch { tell("badge \(error.localizedDescription)") }
}

func ask() async {
    let before = await center.notificationSettings().authorizationStatus
    tell("before \(before.rawValue)")
    do { tell("granted \(try await center.requestAuthorization(options: [.alert, .sound]))") } catch {
        tell("error \(error.localizedDescription)")
    }
    tell("after \(await center.notificationSettings().authorizationStatus.rawValue)")
    exit(0)
}

if CommandLine.arguments.last == "ask" {
    Task { await ask() }
} else {
    post()
    Task {
        await list()
        tell("ready")
    }
}
dispatchMain()
