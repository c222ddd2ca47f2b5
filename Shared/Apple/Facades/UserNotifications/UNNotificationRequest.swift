internal import Contract
public import Foundation

/// A notification to be shown immediately or when its trigger is due. Posting the same identifier again
/// replaces it.
open class UNNotificationRequest: NSObject, NSCopying {
    /// Unique within this app. 1 to 512 bytes.
    public let identifier: String
    /// A copy of what was passed.
    public let content: UNNotificationContent
    /// If nil, the notification is shown immediately.
    public let trigger: UNNotificationTrigger?

    /// - Parameter content: copied.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        // Later changes by the app must not affect the request.
        self.content = UNNotificationContent(content.fields)
        self.trigger = trigger
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A notification that was shown.
open class UNNotification: NSObject, NSCopying {
    /// When it was shown.
    public let date: Date
    /// The request it was posted with.
    public let request: UNNotificationRequest

    init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's response to a notification.
open class UNNotificationResponse: NSObject, NSCopying {
    /// The notification that was answered.
    public let notification: UNNotification
    /// The identifier of the button, ``UNNotificationDefaultActionIdentifier`` or
    /// ``UNNotificationDismissActionIdentifier``.
    public let actionIdentifier: String

    init(notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A response with text. Notification daemons have no text fields, so text comes from `screentime
/// notifications answer … --text`. A button pressed on the desktop provides none.
open class UNTextInputNotificationResponse: UNNotificationResponse {
    /// Empty if the button was pressed on the desktop.
    public let userText: String

    init(notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(notification: notification, actionIdentifier: actionIdentifier)
    }
}

// MARK: coding

extension UNNotificationRequest {
    /// - Throws: ``UNError`` for values that a notification cannot hold.
    func params(member: String?) throws -> NotificationPost.Params {
        let fields = content.fields
        var details = NotificationDetails()
        details.category = fields.categoryIdentifier.isEmpty ? nil : fields.categoryIdentifier
        details.thread = fields.threadIdentifier.isEmpty ? nil : fields.threadIdentifier
        details.level = InterruptionLevel(fields.interruptionLevel)
        details.relevance = fields.relevanceScore == 0 ? nil : fields.relevanceScore
        details.sound = fields.sound?.name ?? "none"
        details.badge = fields.badge?.int64Value
        details.attachments = fields.attachments.isEmpty ? nil : fields.attachments.map(\.record)
        details.userInfo = try UserInfo.text(fields.userInfo)
        details.tellsOpening = true
        return NotificationPost.Params(
            identifier: identifier, title: fields.title, body: fields.body,
            subtitle: fields.subtitle.isEmpty ? nil : fields.subtitle, trigger: try trigger?.record(),
            member: member, details: details)
    }

    convenience init(_ record: NotificationRecord) {
        let details = record.details ?? NotificationDetails()
        var fields = UNNotificationContent.Fields()
        fields.title = record.title
        fields.subtitle = record.subtitle ?? ""
        fields.body = record.body
        fields.badge = details.badge.map { NSNumber(value: $0) }
        fields.sound = details.sound.flatMap { $0 == "none" ? nil : UNNotificationSound($0) }
        fields.userInfo = UserInfo.read(details.userInfo)
        fields.categoryIdentifier = details.category ?? ""
        fields.threadIdentifier = details.thread ?? ""
        fields.interruptionLevel = details.level.map { UNNotificationInterruptionLevel($0) } ?? .active
        fields.relevanceScore = details.relevance ?? 0
        fields.attachments = (details.attachments ?? []).map { UNNotificationAttachment($0) }
        let trigger = record.trigger.map { UNNotificationTrigger.make($0, due: record.due) }
        self.init(
            identifier: record.identifier, content: UNNotificationContent(fields), trigger: trigger)
    }
}

extension UNNotification {
    convenience init(_ record: NotificationRecord) {
        let shown = record.delivered ?? record.posted
        let date = Date(timeIntervalSince1970: Double(shown.milliseconds) / 1_000)
        self.init(date: date, request: UNNotificationRequest(record))
    }
}

extension UNNotificationResponse {
    static func make(_ answered: NotificationAnswered) -> UNNotificationResponse? {
        guard let record = answered.notification else { return nil }
        let notification = UNNotification(record)
        let action =
            switch answered.action {
            case NotificationAnswered.defaultAction: UNNotificationDefaultActionIdentifier
            case NotificationAnswered.dismissAction: UNNotificationDismissActionIdentifier
            default: answered.action
            }
        let takesWords = record.actions.contains { $0.key == answered.action && $0.inputButton != nil }
        guard takesWords else {
            return UNNotificationResponse(notification: notification, actionIdentifier: action)
        }
        return UNTextInputNotificationResponse(
            notification: notification, actionIdentifier: action, userText: answered.text ?? "")
    }
}

extension InterruptionLevel {
    init(_ level: UNNotificationInterruptionLevel) {
        self =
            switch level {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
    }
}

extension UNNotificationInterruptionLevel {
    init(_ level: InterruptionLevel) {
        self =
            switch level {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
    }
}

/// An app's property list as opaque text.
enum UserInfo {
    static func text(_ values: [AnyHashable: Any]) throws -> String? {
        guard !values.isEmpty else { return nil }
        guard let list = values as? [String: Any],
            // Values that it cannot represent are reported below.
            let data = try? PropertyListSerialization.data(
                fromPropertyList: list, format: .binary, options: 0)
        else {
            throw UNError(
                .notificationInvalidNoContent,
                "userInfo is not a property list: use text, numbers, dates, data, arrays and dictionaries.")
        }
        return data.base64EncodedString()
    }

    static func read(_ text: String?) -> [AnyHashable: Any] {
        guard let text, let data = Data(base64Encoded: text),
            // Text written by another program is not a property list of this app.
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return [:] }
        return list as? [String: Any] ?? [:]
    }
}
