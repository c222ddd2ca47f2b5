import Contract
import Foundation
import Testing

@testable import UserNotifications

/// Values of notifications, without a notification centre.
@Suite("UserNotifications, values") struct UserNotificationsValueTests {
    @Test func contentIsCopiedIntoTheRequest() throws {
        let content = UNMutableNotificationContent()
        content.title = "Time is up"
        content.subtitle = "Games"
        content.userInfo = ["path": "/a", "at": Date(timeIntervalSince1970: 5), "list": [1, 2]]
        content.sound = .default
        content.badge = 2
        content.interruptionLevel = .timeSensitive
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        content.title = "changed later"
        let params = try request.params(member: "uid-1")
        #expect(params.title == "Time is up" && params.subtitle == "Games" && params.member == "uid-1")
        #expect(params.details?.sound == "default" && params.details?.badge == 2)
        #expect(params.details?.level == .timeSensitive && params.trigger == nil)
        let back = UNNotificationRequest(
            NotificationRecord(identifier: "a", title: params.title, details: params.details))
        #expect(back.content.userInfo["path"] as? String == "/a")
        #expect(back.content.userInfo["at"] as? Date == Date(timeIntervalSince1970: 5))
        #expect(back.content.userInfo["list"] as? [Int] == [1, 2])
        #expect(back.content.sound == .default && back.content.badge == 2)
        let mutable = try #require(back.content.mutableCopy() as? UNMutableNotificationContent)
        mutable.body = "more"
        #expect(back.content.body.isEmpty)
    }

    @Test func whatIsNoPropertyListIsRefusedByName() {
        let content = UNMutableNotificationContent()
        content.userInfo = [7: "a number as a key"]
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        let error = #expect(throws: UNError.self) { try request.params(member: nil) }
        #expect(error?.code == .notificationInvalidNoContent)
        #expect(error?.localizedDescription.contains("property list") == true)
        #expect((error as NSError?)?.domain == UNErrorDomain)
    }

    @Test func triggersOfTime() throws {
        let once = try UNTimeIntervalNotificationTrigger(timeInterval: 0.5, repeats: false).record()
        #expect(once.after == 500 && once.repeats == false)
        let wrong = [(0.0, false), (-1, false), (59.9, true), (.infinity, false), (.nan, false)]
        for (seconds, repeats) in wrong {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
            let error = #expect(throws: UNError.self) { try trigger.record() }
            #expect(error?.code == .notificationInvalidNoDate, "\(seconds)")
        }
        let minute = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        #expect(try minute.record().after == 60_000)
    }

    @Test func triggersOfTheCalendar() throws {
        var components = Foundation.DateComponents()
        (components.hour, components.minute, components.weekday) = (8, 30, 2)
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        let record = try trigger.record()
        #expect(record.components == Contract.DateComponents(hour: 8, minute: 30, weekday: 2))
        #expect(record.zone == nil)
        let next = try #require(trigger.nextTriggerDate())
        let calendar = Calendar.current
        #expect(calendar.component(.weekday, from: next) == 2 && calendar.component(.hour, from: next) == 8)
        #expect(next > Date() && next < Date(timeIntervalSinceNow: 8 * 86_400))
        components.timeZone = TimeZone(identifier: "Asia/Tokyo")
        let far = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
        #expect(try far.record().zone == "Asia/Tokyo")
        components.weekOfYear = 3
        let odd = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
        let error = #expect(throws: UNError.self) { try odd.record() }
        #expect(error?.localizedDescription.contains("weekOfYear") == true)
        #expect(odd.nextTriggerDate() == nil)
        let past = UNCalendarNotificationTrigger(
            dateMatching: Foundation.DateComponents(year: 2001), repeats: false)
        #expect(past.nextTriggerDate() == nil)
    }

    @Test func aPendingTriggerKnowsItsInstant() throws {
        let made = UNNotificationTrigger.make(
            NotificationTrigger(components: DateComponents(hour: 8), zone: "Asia/Tokyo", repeats: true),
            due: 1_000)
        let trigger = try #require(made as? UNCalendarNotificationTrigger)
        #expect(trigger.nextTriggerDate() == Date(timeIntervalSince1970: 1) && trigger.repeats)
        #expect(trigger.dateComponents.hour == 8 && trigger.dateComponents.minute == nil)
        #expect(trigger.dateComponents.timeZone?.identifier == "Asia/Tokyo")
    }

    @Test func categoriesComeBackAsTheyWere() {
        let words = UNTextInputNotificationAction(
            identifier: "why", title: "Why", options: [.foreground], textInputButtonTitle: "Send",
            textInputPlaceholder: "because")
        let category = UNNotificationCategory(
            identifier: "limit",
            actions: [UNNotificationAction(identifier: "more", title: "More", options: .destructive), words],
            intentIdentifiers: ["i"], hiddenPreviewsBodyPlaceholder: "hidden", options: .customDismissAction)
        let back = UNNotificationCategory(category.record)
        #expect(back == category && Set([back]) == Set([category]))
        #expect((back.actions[1] as? UNTextInputNotificationAction)?.textInputPlaceholder == "because")
        #expect(back.options == .customDismissAction && back.actions[0].options == .destructive)
    }

    @Test func attachmentsArePicturesThatAreThere() throws {
        let missing = URL(fileURLWithPath: "/nowhere/a.png")
        let error = #expect(throws: UNError.self) {
            try UNNotificationAttachment(identifier: "", url: missing)
        }
        #expect(error?.code == .attachmentInvalidURL)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // The system's own cleaning takes what this cannot.
            try? FileManager.default.removeItem(at: folder)
        }
        for (name, isPicture) in [("a.PNG", true), ("a.mp3", false)] {
            let file = folder.appendingPathComponent(name)
            try Data([1]).write(to: file)
            let made = Result { try UNNotificationAttachment(identifier: "", url: file).type }
            switch made {
            case .success(let type): #expect(isPicture && type == "public.png")
            case .failure(let error):
                #expect(!isPicture && (error as? UNError)?.code == .attachmentUnrecognizedType)
            }
        }
    }

    @Test func responses() throws {
        let record = NotificationRecord(
            identifier: "a", client: "org.example.app", title: "t",
            actions: [NotificationAction(key: "why", label: "Why", inputButton: "Send")],
            delivered: 2_000)
        func response(_ action: String, _ text: String? = nil) throws -> UNNotificationResponse {
            try #require(
                UNNotificationResponse.make(
                    NotificationAnswered(
                        identifier: "a", action: action, client: record.client, text: text,
                        notification: record)))
        }
        #expect(try response("default").actionIdentifier == UNNotificationDefaultActionIdentifier)
        #expect(try response("dismiss").actionIdentifier == UNNotificationDismissActionIdentifier)
        let words = try #require(try response("why", "because") as? UNTextInputNotificationResponse)
        #expect(words.userText == "because" && words.notification.date == Date(timeIntervalSince1970: 2))
    }
}
