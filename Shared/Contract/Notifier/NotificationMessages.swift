package import JSON
package import Units

/// Urgency, as in the Desktop Notifications Specification.
package enum NotificationUrgency: String, NameEnum {
    case low
    case normal
    case critical
}

/// State of a notification.
package enum NotificationState: String, NameEnum {
    case scheduled
    case pending
    case delivered
    case answered
    case closed
    case failed
}

/// A button of a notification: Apple's UNNotificationAction.
@Record
package struct NotificationAction: Record {
    /// Key that notification.answered reports.
    @Field(.publicText) package var key: String = ""
    /// Text of the button.
    @Field(.publicText) package var label: String = ""
    /// Bits of Apple's UNNotificationActionOptions.
    package var options: Int64?
    /// Title of the send button of an action with text input (notification.answer); desktop daemons have no
    /// text input.
    @Field(.publicText) package var inputButton: String?
    /// Placeholder of the text input.
    @Field(.publicText) package var inputPlaceholder: String?
}

/// A notification with its state.
@Record
package struct NotificationRecord: Record {
    /// Unique for its poster; posting it again replaces it.
    @Field(.publicText) package var identifier: String = ""
    /// Bundle id of its poster; absent: the person or a service.
    @Field(.publicText) package var client: String?
    /// Plain text.
    @Field(.publicText) package var title: String = ""
    /// Plain text, never markup.
    @Field(.publicText) package var body: String = ""
    /// Buttons.
    package var actions: [NotificationAction] = []
    /// Its urgency.
    package var urgency: NotificationUrgency = .normal
    /// Its state.
    package var state: NotificationState = .pending
    /// When it was posted, UTC milliseconds.
    package var posted: Instant = 0
    /// When it was shown, UTC milliseconds.
    package var delivered: Instant?
    /// Key of the button that was pressed.
    @Field(.publicText) package var answer: String?
    /// Why it is still pending, in a sentence.
    @Field(.publicText) package var waitingFor: String?
    /// Plain text, shown between title and body.
    @Field(.publicText) package var subtitle: String?
    /// When it is due; absent: immediately.
    package var trigger: NotificationTrigger?
    /// When a scheduled notification is due, or when a delivered one was due, UTC milliseconds.
    package var due: Instant?
    /// Delay after due_ms in milliseconds, because the machine was off.
    package var late: Milliseconds?
    /// Further properties set by the poster.
    package var details: NotificationDetails?
    /// Member whom it is about, if a service said so: it is forgotten with what is theirs.
    @Field(.publicText) package var member: String?
}

/// Shows a notification immediately or when its trigger is due. It stays pending while no notification daemon
/// runs, and is delivered when one starts.
@Method("notification.post", of: .notifier, .write, for: .authorizedClient)
package enum NotificationPost: Method {
    /// The notification to show.
    @Record("notification.post.params")
    package struct Params: Record, MemberScoped {
        /// 1 to 512 bytes; posting the same identifier again replaces the notification.
        @Field(.publicText) package var identifier: String = ""
        /// Plain text, up to 4096 bytes; may be empty if subtitle or body is not.
        @Field(.publicText) package var title: String = ""
        /// Plain text, up to 4096 bytes.
        @Field(.publicText) package var body: String?
        /// Buttons, up to 8; default the category's.
        package var actions: [NotificationAction]?
        /// Default normal.
        package var urgency: NotificationUrgency?
        /// Plain text, up to 1024 bytes.
        @Field(.publicText) package var subtitle: String?
        /// When it is due; default immediately.
        package var trigger: NotificationTrigger?
        /// Member whom it is about, and in whose zone calendar triggers are evaluated; default the person.
        @Field(.publicText) package var member: String?
        /// Further properties.
        package var details: NotificationDetails?
    }

    /// The stored notification.
    @Record("notification.post.result")
    package struct Result: Record {
        /// As committed.
        package var notification: NotificationRecord = NotificationRecord()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Withdraws a notification: a pending one is never shown, a shown one is closed.
@Method("notification.withdraw", of: .notifier, .write, for: .authorizedClient)
package enum NotificationWithdraw: Method {
    /// The notification to withdraw.
    @Record("notification.withdraw.params")
    package struct Params: Record {
        /// Identifier of the notification.
        @Field(.publicText) package var identifier: String = ""
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Lists notifications, newest last; for a client, only its own.
@Method("notification.list", of: .notifier, .read, for: .authorizedClient)
package enum NotificationList: Method {
    /// Filter, and the length of the list.
    @Record("notification.list.params")
    package struct Params: Record {
        /// Only scheduled and pending ones.
        package var pending: Bool?
        /// Maximum number, counted from the newest; default 100.
        package var limit: Int64?
    }

    /// The notifications.
    @Record("notification.list.result")
    package struct Result: Record {
        /// Scheduled ones in order of their due time, then the others in order of posting.
        package var notifications: [NotificationRecord] = []
        /// Whether a notification daemon runs.
        package var daemonPresent: Bool = false
        /// Badge counts of clients, without those of 0.
        package var badges: [NotificationBadge]?
    }
}

/// A notification was shown.
@Event("notification.delivered", of: .notifier)
package struct NotificationDelivered: EventData {
    /// As of now.
    package var notification: NotificationRecord = NotificationRecord()
}

/// The person pressed a button of a notification, clicked it or dismissed it.
@Event("notification.answered", of: .notifier)
package struct NotificationAnswered: EventData {
    /// Identifier of the notification.
    @Field(.publicText) package var identifier: String = ""
    /// Key of the button; `default`: the notification was clicked; `dismiss`: it was dismissed.
    @Field(.publicText) package var action: String = ""
    /// Bundle id of its poster, to which the identifier belongs; absent: the person or a service.
    @Field(.publicText) package var client: String?
    /// Text that the person entered, for an action with text input.
    @Field(.publicText) package var text: String?
    /// The notification, if a client posted it.
    package var notification: NotificationRecord?

    /// Key of the answer for a click on the notification itself.
    package static let defaultAction = "default"
    /// Key of the answer for dismissing it.
    package static let dismissAction = "dismiss"
}

/// A notification could not be shown and is not tried again.
@Event("notification.failed", of: .notifier)
package struct NotificationFailed: EventData {
    /// As of now.
    package var notification: NotificationRecord = NotificationRecord()
    /// The reason.
    @Field(.publicText) package var reason: String = ""
}
